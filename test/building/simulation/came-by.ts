import { expect } from 'chai';

/** What a history came to, for a test to see that all kinds came by. `makers`: of two makers in one route, how many would not sign, each time; `calledOff`: who was told to end since somebody else had failed; `isRepriced`: signed amounts are others than planned; `isPriced`: both sides have a price. */
export type History = {
  readonly ended: string;
  readonly warnings: readonly string[];
  readonly signed: number;
  readonly makers: readonly number[];
  readonly calledOff: number;
  readonly isRepriced: boolean;
  readonly fee: boolean;
  readonly isPriced: boolean;
};

/** How often each kind of history came by: what never happened was not tried. */
export class CameBy {
  readonly #counts = new Map<string, number>();

  add({ ended, warnings, signed, makers, calledOff, isRepriced, fee, isPriced }: History): void {
    const kinds = [
      `ended ${ended}`,
      ...warnings.map((code) => `warned ${code}`),
      ...(signed > 0 ? ['signed'] : []),
      ...(signed > 1 ? ['signed twice'] : []),
      // F15 of the fault catalogue.
      ...(makers.includes(1) ? ['one of two makers fails'] : []),
      ...(makers.includes(2) ? ['both of two makers fail'] : []),
      ...(calledOff > 0 ? ['called off for another'] : []),
      ...(isRepriced ? ['priced anew by what was signed'] : []),
      ...(isRepriced && fee ? ['priced anew with a fee'] : []),
      ...(isRepriced && isPriced ? ['priced anew in USD'] : []),
    ];
    for (const kind of new Set(kinds)) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** Of so many histories, each kind came by at least as often as one in so many. */
  expectAllKinds(histories: number): void {
    for (const [kind, among] of AMONG) expect(this.#counts.get(kind) ?? 0, kind).to.be.above(histories / among);
  }
}

const AMONG: readonly (readonly [kind: string, among: number])[] = [
  ['ended ok', 2],
  ['signed', 10],
  ['signed twice', 50],
  ['warned RFQ_FIRMUP_FAILED', 100],
  ['warned HOOK_ATTESTATION_UNAVAILABLE', 100],
  ['warned STALE_STATE_RESOLVED', 100],
  ['warned HIGH_PRICE_IMPACT', 50],
  ['one of two makers fails', 200],
  ['both of two makers fail', 500],
  ['called off for another', 50],
  ['priced anew by what was signed', 50],
  ['priced anew with a fee', 100],
  ['priced anew in USD', 100],
];
