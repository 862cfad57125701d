import type { DepositCurve, WithdrawalCurve } from '../../curves/curves.ts';
import type { PoolView, StableCurve } from '../../snapshot/snapshot.ts';
import type { Star, StarArc } from './star.ts';

/**
 * A pool with the StableSwap invariant as a star. With S the sum of its balances in their common unit, A·n·S + D = A·n·D + D^(n+1) / (n^n · Πx) says that ln(S − D + D / (A·n)) + Σ ln x does not change: a star with a side for each
 * token, and one more for a token that nobody sees, of which the pool holds S − D + D / (A·n), and of which each side moves as much as of its own.
 */
export function stableStar(pool: PoolView, curves: readonly StableCurve[]): Star | null {
  const base = curves[0];
  if (base === undefined) return null;
  const { invariant, ann, balances } = base;
  const unseen = balances.reduce((sum, balance) => sum + balance, -invariant) + invariant / ann;
  if (!(unseen > 0)) return null;
  const slots = Array.from(pool.tokens.keys());
  const deposits = slots.map((slot): StarArc | undefined => {
    const out = curves.filter(({ slotIn }) => slotIn === slot);
    const first = out[0];
    if (first === undefined) return undefined;
    const keep = first.feeOnOutput ? 1 : first.keep;
    const capacity = Math.max(...out.map((curve) => curve.capacity));
    const curve: DepositCurve = { kind: 'deposit', keep, capacity, balance: (balances[slot] as number) / first.scaleIn, weight: 1, linear: 0 };
    return { pool, slot, curve, startPrice: keep / curve.balance, gas: base.gas, sum: first.scaleIn };
  });
  const withdrawals = slots.map((slot): StarArc | undefined => {
    const first = curves.find(({ slotOut }) => slotOut === slot);
    if (first === undefined) return undefined;
    const keep = first.feeOnOutput ? first.keep : 1;
    const curve: WithdrawalCurve = {
      kind: 'withdrawal',
      keep,
      capacity: Infinity,
      balance: (balances[slot] as number) / first.scaleOut,
      weight: 1,
      linear: 0,
    };
    return { pool, slot, curve, startPrice: keep * curve.balance, gas: base.gas, sum: first.scaleOut };
  });
  return { pool, deposits, withdrawals, gas: base.gas, unseen: unseenSides(unseen) };
}

function unseenSides(balance: number): Star['unseen'] {
  const side = { keep: 1, capacity: Infinity, balance, weight: 1, linear: 0 };
  return { balance, deposit: { kind: 'deposit', ...side }, withdrawal: { kind: 'withdrawal', ...side } };
}
