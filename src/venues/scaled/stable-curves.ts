import type { EdgeCurve, StableCurve } from '../../snapshot/snapshot.ts';
import type { TokenScale } from './token-scale.ts';

/** A stable pool as its float curves see it. Lists go by the pool's own order of the tokens that its mathematics know. */
export type StableModel = {
  /** 1 − fee of the direction. */
  keep(indexIn: number, indexOut: number): number;
  readonly feeOnOutput: boolean;
  readonly gas: number;
  /** A · n of the float curve. */
  readonly ann: number;
  readonly invariant: bigint;
  readonly tokens: readonly StableToken[];
  /** Whether the exact mathematics solve for `indexOut` with this much more, upscaled, of `indexIn`. */
  takes(indexIn: number, indexOut: number, upscaledIn: bigint): boolean;
};

export type StableToken = {
  /** Slot in the pool's token list. */
  readonly slot: number;
  readonly scale: TokenScale;
  /** Upscaled. */
  readonly balance: bigint;
  /** The most that the pool can take in more, base units. */
  readonly room: bigint;
};

/** With so many times the invariant in one token, all but a trifle of the others is out: more input buys nothing, and only risks an overflow. */
const LARGEST_INPUT_INVARIANTS = 10_000n;
/** Enough to halve any uint256 to nothing. */
const MAX_HALVINGS = 256;

/** The curve of every direction that can carry flow. */
export function stableCurves(model: StableModel): readonly EdgeCurve[] {
  const edges: EdgeCurve[] = [];
  const balances = Float64Array.from(model.tokens, ({ balance }) => Number(balance));
  for (const [slotIn, from] of model.tokens.entries()) {
    for (const [slotOut, to] of model.tokens.entries()) {
      if (slotIn === slotOut) continue;
      const { feeOnOutput, gas, ann } = model;
      const keep = model.keep(slotIn, slotOut);
      const capacity = Number(largestInput(model, slotIn, slotOut)) * (1 - Number.EPSILON);
      const units = { scaleIn: unitOf(from.scale), scaleOut: unitOf(to.scale) };
      const curve: StableCurve = {
        kind: 'stable',
        keep,
        feeOnOutput,
        capacity,
        gas,
        slotIn,
        slotOut,
        ann,
        invariant: Number(model.invariant),
        balances,
        ...units,
      };
      if (capacity > 0 && isFinitePriced(curve)) edges.push({ slotIn: from.slot, slotOut: to.slot, curve });
    }
  }
  return edges;
}

function largestInput({ invariant, tokens, takes }: StableModel, indexIn: number, indexOut: number): bigint {
  const token = tokens[indexIn];
  if (token === undefined) return 0n;
  const { numerator, denominator } = token.scale;
  const useful = (LARGEST_INPUT_INVARIANTS * invariant * denominator) / numerator;
  let input = useful < token.room ? useful : token.room;
  for (let halvings = 0; halvings < MAX_HALVINGS && input > 0n; halvings++, input /= 2n) {
    if (takes(indexIn, indexOut, (input * numerator) / denominator)) return input;
  }
  return 0n;
}

function unitOf({ numerator, denominator }: TokenScale): number {
  return Number(numerator) / Number(denominator);
}

/** In a pool of dust beside a fortune the terms of the invariant leave the range of a double. No search can use such a curve. */
function isFinitePriced({ invariant, ann, balances, scaleIn, scaleOut }: StableCurve): boolean {
  const product = balances.reduce((terms, balance) => terms * (invariant / (balance * balances.length)), invariant);
  return [product / ann, invariant * invariant, scaleIn / scaleOut].every((number) => Number.isFinite(number) && number > 0);
}
