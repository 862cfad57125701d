import type { DepositCurve, WithdrawalCurve } from '../../curves/curves.ts';
import type { Curve, PoolView, StableCurve, WeightedCurve } from '../../snapshot/snapshot.ts';
import { stableStar } from './stable-star.ts';
import type { Star } from './star.ts';

/** Builds the star from the curves of the pool's pairs; null where they are not those of a pool of three tokens or more that is one. */
export function starOf(pool: PoolView, curveOf: (slotIn: number, slotOut: number) => Curve | undefined): Star | null {
  const slots = Array.from(pool.tokens.keys());
  if (slots.length < 3) return null;
  const pairs = slots.flatMap((slotIn) => slots.filter((slotOut) => slotOut !== slotIn).map((slotOut) => ({ slotIn, slotOut })));
  const used = pairs.flatMap(({ slotIn, slotOut }): PairCurve<Curve>[] => {
    const curve = curveOf(slotIn, slotOut);
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
