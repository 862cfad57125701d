import type { PoolView, WeightedCurve } from '../../snapshot/snapshot.ts';
import type { DepositCurve, WithdrawalCurve } from '../curves/star.ts';
import type { EdgeModel } from './pool-models.ts';

/**
 * A weighted pool of more than two tokens, as a star around a hub: its invariant is that the sum of weight · ln(balance) never falls, so that depositing earns units of that sum and withdrawing
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
};

/** One side of a swap. `startPrice`: marginal price at no flow, in units of the hub for a base unit or the other way round. */
export type StarArc = {
  readonly pool: PoolView;
  readonly slot: number;
  readonly curve: DepositCurve | WithdrawalCurve;
  readonly startPrice: number;
  readonly gas: number;
};

/** Builds the star from the curves of the pool's pairs; null where they are not those of a weighted pool of three tokens or more. */
export function starOf(pool: PoolView, edge: (slotIn: number, slotOut: number) => EdgeModel | null): Star | null {
  const slots = Array.from(pool.tokens.keys());
  if (slots.length < 3) return null;
  const curves: (WeightedCurve & { readonly slotIn: number; readonly slotOut: number })[] = [];
  for (const slotIn of slots) {
    for (const slotOut of slots) {
      const curve = slotIn === slotOut ? undefined : edge(slotIn, slotOut)?.curve;
      if (curve === undefined) continue;
      if (curve.kind !== 'weighted') return null;
      curves.push({ ...curve, slotIn, slotOut });
    }
  }
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
    const curve: DepositCurve = { kind: 'deposit', keep: first.keep, capacity, balance: first.balanceIn, weight: weights[slot] as number };
    return { pool, slot, curve, startPrice: (curve.weight * curve.keep) / curve.balance, gas: base.gas };
  });
  const withdrawals = slots.map((slot) => {
    const into = used.filter(({ slotOut }) => slotOut === slot);
    const first = into[0];
    if (first === undefined) return undefined;
    // What the largest swap into the token earns at the hub.
    const capacity = Math.max(
      ...into.map(({ slotIn, keep, capacity: most, balanceIn }) => (weights[slotIn] as number) * Math.log1p((most * keep) / balanceIn)),
    );
    const curve: WithdrawalCurve = { kind: 'withdrawal', capacity, balance: first.balanceOut, weight: weights[slot] as number };
    return { pool, slot, curve, startPrice: curve.balance / curve.weight, gas: base.gas };
  });
  return { pool, deposits, withdrawals, gas: base.gas };
}

function inverse(exponent: number | undefined): number {
  return exponent === undefined ? Number.NaN : 1 / exponent;
}
