import { type BoundFlow, dualBound } from '../../src/bound/bound.ts';
import type { SolvePhase } from '../../src/routing/routing.ts';
import type { BenchRequest, BenchSet } from './bench-set.ts';
import { type BraidOutcome, createBraid, type Outcome, openTines, singlePathOutcomes, tinesOutcome } from './candidates.ts';
import { type ReferenceChoice, referenceOutcomes } from './reference/reference-outcomes.ts';

export type Selection = { readonly requests: readonly BenchRequest[]; readonly routable: number; readonly of: number; readonly every: number };

/** The requests that have a way through the graph within the hops, every n-th of them. */
export function selectRequests(set: BenchSet, maxHops: number, limit: number, every: number | null): Selection {
  const routable = set.requests.filter((request) => isRoutable(set, request, maxHops));
  const step = every ?? Math.max(1, Math.floor(routable.length / limit));
  return { requests: routable.filter((_, index) => index % step === 0).slice(0, limit), routable: routable.length, of: set.requests.length, every: step };
}

function isRoutable({ market }: BenchSet, { sell, buy }: BenchRequest, maxHops: number): boolean {
  if (sell < 0 || buy < 0 || sell === buy) return false;
  const seen = new Set([sell]);
  let frontier = [sell];
  for (let hops = 0; hops < maxHops && frontier.length > 0; hops++) {
    const next: number[] = [];
    for (const token of frontier) {
      for (const edge of market.leaving[token] as Int32Array) {
        const to = market.to[edge] as number;
        if (seen.has(to)) continue;
        if (to === buy) return true;
        seen.add(to);
        next.push(to);
      }
    }
    frontier = next;
  }
  return false;
}

export type MeasureOptions = {
  readonly maxHops: number;
  readonly gasPriceWei: bigint;
  readonly repeat: number;
  readonly tinesLimit: number;
  readonly bound: boolean;
  /** null: net losses are against the compared solvers alone. */
  readonly reference: ReferenceChoice | null;
};

/** One request through every solver. Losses in basis points; NaN where there is none to tell. */
export type Row = {
  readonly id: string;
  readonly mode: 'sell' | 'buy';
  readonly pair: string;
  readonly usd: number;
  readonly bound: number;
  readonly boundSlackBps: number;
  readonly boundMillis: number;
  /** false: more than the pools can take at any price; left out of answers and losses. */
  readonly fillable: boolean;
  readonly lost: Readonly<Record<string, number>>;
  readonly netLost: Readonly<Record<string, number>>;
  /** Output less gas, in dollars. */
  readonly netUsd: Readonly<Record<string, number>>;
  readonly millis: Readonly<Record<string, number>>;
  readonly gas: Readonly<Record<string, number>>;
  readonly answered: Readonly<Record<string, boolean>>;
  /** false: the search for the best single path was cut off, so that a better one may exist. */
  readonly singleComplete: boolean;
  /** null where the reference was not asked. */
  readonly reference: { readonly cutOff: boolean; readonly limitBps: number } | null;
};

export type RowDetail = { readonly request: BenchRequest; readonly free: BraidOutcome; readonly aware: BraidOutcome; readonly flows: readonly BoundFlow[] };

export type Measured = {
  readonly rows: readonly Row[];
  readonly details: readonly RowDetail[];
  readonly phases: Readonly<Record<'free' | 'aware', readonly Readonly<Record<SolvePhase, number>>[]>>;
};

/** Names of the solvers in tables. */
export const BRAID_FREE = 'braid, gas 0';
export const BRAID_AWARE = 'braid, gas-aware';
export const BRAID_DEEP = 'braid, gas 0, 7 hops';
export const BRAID_DEFAULT = 'braid, gas-aware, default hops';
export const SINGLE = 'single best path';
export const SINGLE_NET = 'single best path, net';
export const TINES_FREE = 'tines, no gas';
export const TINES_AWARE = 'tines, gas-aware';
export const REFERENCE = 'reference, net';
export const REFERENCE_UNLIMITED = 'reference, net, any hops';

const WARM_UP = 40;
export const DEEP_HOPS = 7;
/** More of the input left over than this, and the trade is more than the set can fill: no answer is due. */
export const UNFILLED = 1e-9;
/** A bound with more slack than this says nothing about a loss. */
export const LOOSE_BPS = 50;

export async function measure(set: BenchSet, requests: readonly BenchRequest[], options: MeasureOptions): Promise<Measured> {
  const { maxHops, gasPriceWei, tinesLimit, reference } = options;
  const braid = createBraid(set, options.repeat);
  const tines = tinesLimit > 0 ? await openTines(set) : null;
  // Code runs slow at first; a solver thread is warmed at its start too.
  for (const request of requests.slice(0, WARM_UP)) {
    braid(request, maxHops, null);
    braid(request, maxHops, gasPriceWei);
  }
  const tinesEvery = Math.max(1, Math.ceil(requests.length / Math.max(1, tinesLimit)));
  const rows: Row[] = [];
  const details: RowDetail[] = [];
  for (const [index, request] of requests.entries()) {
    const free = braid(request, maxHops, null);
    const aware = braid(request, maxHops, gasPriceWei);
    const deep = braid(request, DEEP_HOPS, null);
    const standard = braid(request, null, gasPriceWei);
    const outcomes = new Map<string, Outcome>([
      [BRAID_FREE, free],
      [BRAID_AWARE, aware],
      [BRAID_DEEP, deep],
      [BRAID_DEFAULT, standard],
    ]);
    const perGas = gasInSought(set, request, gasPriceWei);
    let singleComplete = true;
    if (request.mode === 'sell') {
      const single = singlePathOutcomes(set, request, request.amount, maxHops, perGas);
      outcomes.set(SINGLE, single.gross).set(SINGLE_NET, single.net);
      singleComplete = single.complete;
      if (tines !== null && index % tinesEvery === 0) {
        outcomes.set(TINES_FREE, tinesOutcome(tines, request, 0)).set(TINES_AWARE, tinesOutcome(tines, request, Number(gasPriceWei)));
      }
    }
    const asked = reference !== null && index % reference.every === 0 && perGas >= 0;
    const found = asked ? referenceOutcomes(set, request, maxHops, perGas, reference) : null;
    if (found !== null) outcomes.set(REFERENCE, found.limited).set(REFERENCE_UNLIMITED, found.unlimited);
    const { row, flows } = judge(set, request, outcomes, perGas, options.bound, free);
    // Against fewer solvers a loss would look smaller.
    rows.push({ ...row, ...(reference !== null && found === null ? { netLost: {} } : {}), singleComplete, reference: found });
    details.push({ request, free, aware, flows });
  }
  const phasesOf = (of: (detail: RowDetail) => BraidOutcome) => details.flatMap((detail) => of(detail).phases ?? []);
  return { rows, details, phases: { free: phasesOf(({ free }) => free), aware: phasesOf(({ aware }) => aware) } };
}

/** Base units of the token whose amount is sought, bought in a sale and sold in a purchase, that one unit of gas costs. */
export function gasInSought({ tokens, native }: BenchSet, { mode, sell, buy }: BenchRequest, gasPriceWei: bigint): number {
  const [nativeToken, sought] = [tokens[native], tokens[mode === 'sell' ? buy : sell]];
  if (nativeToken === undefined || sought === undefined) return Number.NaN;
  return ((Number(gasPriceWei) / 1e18) * nativeToken.usd * 10 ** sought.decimals) / sought.usd;
}

function judge(set: BenchSet, request: BenchRequest, outcomes: ReadonlyMap<string, Outcome>, perGas: number, withBound: boolean, free: BraidOutcome) {
  const { tokens, market } = set;
  const [sell, buy] = [tokens[request.sell], tokens[request.buy]];
  if (sell === undefined || buy === undefined) throw new TypeError('a routable request has known tokens');
  // In buy the input is the answer: the bound says what that input could buy at most.
  const input = request.mode === 'sell' ? Number(request.amount) : Number(free.plan?.sellAmount ?? 0n);
  const startedAt = performance.now();
  const dual = withBound && input > 0 ? dualBound(market, request.sell, request.buy, input) : null;
  const boundMillis = performance.now() - startedAt;
  const bound = dual?.bound ?? Number.NaN;
  const sells = request.mode === 'sell';
  const named = <T>(of: (outcome: Outcome) => T) => Object.fromEntries([...outcomes].map(([name, outcome]) => [name, of(outcome)]));
  const net = ({ output, input, gas }: Outcome): number => (output === null ? Number.NaN : (sells ? Number(output) : -Number(input)) - perGas * gas);
  // What only more hops can give is no loss: it is shown beside.
  const compared = [...outcomes].filter(([name]) => name !== REFERENCE_UNLIMITED);
  const best = Math.max(...compared.map(([, outcome]) => net(outcome)).filter((value) => !Number.isNaN(value)));
  const fillable = !((dual?.unfilled ?? 0) > UNFILLED);
  const tight = fillable && (dual?.slackBps ?? 0) <= LOOSE_BPS;
  const lost = named(({ output }) => (!tight ? Number.NaN : output === null ? 10_000 : ((bound - Number(output)) / bound) * 10_000));
  const unit = buy.usd / 10 ** buy.decimals;
  const row: Omit<Row, 'singleComplete' | 'reference'> = {
    id: request.id,
    mode: request.mode,
    pair: `${sell.symbol}→${buy.symbol}`,
    usd: sells ? (Number(request.amount) / 10 ** sell.decimals) * sell.usd : Number(request.amount) * unit,
    bound,
    boundSlackBps: dual?.slackBps ?? Number.NaN,
    boundMillis,
    fillable,
    lost: sells ? lost : { [BRAID_FREE]: tight ? ((bound - Number(request.amount)) / bound) * 10_000 : Number.NaN },
    // Where gas eats all that a trade gives, a share of the best net says nothing.
    netLost:
      (sells ? best > 0 : best < 0) && fillable
        ? named((outcome) => (outcome.output === null ? 10_000 : ((best - net(outcome)) / Math.abs(best)) * 10_000))
        : {},
    netUsd: sells ? named((outcome) => net(outcome) * unit) : {},
    millis: named(({ millis }) => millis),
    gas: named(({ gas }) => gas),
    answered: named(({ output }) => output !== null),
  };
  return { row, flows: dual?.flows ?? [] };
}
