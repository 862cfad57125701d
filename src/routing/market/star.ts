import type { DepositCurve, WithdrawalCurve } from '../../curves/curves.ts';
import type { Curve, PoolView, StableCurve, WeightedCurve } from '../../snapshot/snapshot.ts';
import type { EdgeModel } from './pool-models.ts';
import { stableStar } from './stable-star.ts';

/**
 * A pool of more than two tokens that may serve several pairs at once. A weighted pool of more than two tokens, as a star around a hub: its invariant is that the sum of weight · ln(balance) never falls, so that depositing earns units of that sum and withdrawing
 * spends them, whichever tokens the two are of. A swap from one token to another gives what the pair's own curve gives, and several pairs at once share the pool as the chain lets them
 * (fees left in the pool aside).
 */
export type Star = {
  readonly pool: PoolView;
  /** By slot; undefined where the pool does not take or give the token. */
  readonly deposits: readonly (StarArc | undefined)[];
  readonly withdrawals: readonly (StarArc | undefined)[];
  /** Gas units of an entry. */
  readonly gas: number;
  /** The side that nobody sees, of a pool with an invariant (stable-star.ts): what the pool holds of it, and its curves. null for a weighted pool. */
  readonly unseen: { readonly balance: number; readonly deposit: DepositCurve; readonly withdrawal: WithdrawalCurve } | null;
};

/** One side of a swap. `startPrice`: marginal price at no flow, in units of the hub for a base unit or the other way round. */
export type StarArc = {
  readonly pool: PoolView;
  readonly slot: number;
  readonly curve: DepositCurve | WithdrawalCurve;
  readonly startPrice: number;
  readonly gas: number;
  /** How much of the side that nobody sees moves with a unit of balance; 0 where there is none. */
  readonly sum: number;
};

/** Builds the star from the curves of the pool's pairs; null where they are not those of a pool of three tokens or more that is one. */
export function starOf(pool: PoolView, edge: (slotIn: number, slotOut: number) => EdgeModel | null): Star | null {
  const slots = Array.from(pool.tokens.keys());
  if (slots.length < 3) return null;
  const pairs = slots.flatMap((slotIn) => slots.filter((slotOut) => slotOut !== slotIn).map((slotOut) => ({ slotIn, slotOut })));
  const used = pairs.flatMap(({ slotIn, slotOut }): PairCurve<Curve>[] => {
    const curve = edge(slotIn, slotOut)?.curve;
    return curve === undefined ? [] : [{ slotIn, slotOut, curve }];
  });
  const stable = used.map(({ curve }) => curve).filter((curve): curve is StableCurve => curve.kind === 'stable');
  if (stable.length > 0) return stable.length === used.length ? stableStar(pool, stable) : null;
  const weighted = used.filter((pair): pair is PairCurve<WeightedCurve> => pair.curve.kind === 'weighted');
  return weighted.length === used.length ? weightedStar(pool, weighted) : null;
}

type PairCurve<C> = { readonly slotIn: number; readonly slotOut: number; readonly curve: C };

function weightedStar(pool: PoolView, pairs: readonly PairCurve<WeightedCurve>[]): Star | null {
  const slots = Array.from(pool.tokens.keys());
  const curves = pairs.map(({ curve, slotIn, slotOut }) => ({ ...curve, slotIn, slotOut }));
  const base = curves[0];
  if (base === undefined) return null;
  const weightOf = (slot: number) =>
    slot === base.slotOut
      ? 1
      : (curves.find(({ slotIn, slotOut }) => slotIn === slot && slotOut === base.slotOut)?.exponent ??
        inverse(curves.find(({ slotIn, slotOut }) => slotIn === base.slotOut && slotOut === slot)?.exponent));
  const weights = slots.map(weightOf);
  const used = curves.filter(({ slotIn, slotOut }) => (weights[slotIn] as number) > 0 && (weights[slotOut] as number) > 0);
  const deposits = slots.map((slot) => {
    const out = used.filter(({ slotIn }) => slotIn === slot);
    const first = out[0];
    if (first === undefined) return undefined;
    const capacity = Math.max(...out.map((curve) => curve.capacity));
    const curve: DepositCurve = { kind: 'deposit', keep: first.keep, capacity, balance: first.balanceIn, weight: weights[slot] as number, linear: 0 };
    return { pool, slot, curve, startPrice: (curve.weight * curve.keep) / curve.balance, gas: base.gas, sum: 0 };
  });
  const withdrawals = slots.map((slot) => {
    const into = used.filter(({ slotOut }) => slotOut === slot);
    const first = into[0];
    if (first === undefined) return undefined;
    // What the largest swap into the token earns at the hub.
    const capacity = Math.max(
      ...into.map(({ slotIn, keep, capacity: most, balanceIn }) => (weights[slotIn] as number) * Math.log1p((most * keep) / balanceIn)),
    );
    const curve: WithdrawalCurve = { kind: 'withdrawal', keep: 1, capacity, balance: first.balanceOut, weight: weights[slot] as number, linear: 0 };
    return { pool, slot, curve, startPrice: curve.balance / curve.weight, gas: base.gas, sum: 0 };
  });
  return { pool, deposits, withdrawals, gas: base.gas, unseen: null };
}

function inverse(exponent: number | undefined): number {
  return exponent === undefined ? Number.NaN : 1 / exponent;
}
