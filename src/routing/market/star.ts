import type { DepositCurve, WithdrawalCurve } from '../../curves/curves.ts';
import type { PoolView } from '../../snapshot/snapshot.ts';

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
