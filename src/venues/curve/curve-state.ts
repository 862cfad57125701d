import type { TokenScale } from '../scaled/token-scale.ts';
import type { AmplificationRamp } from './amplification.ts';
import type { CurveForm } from './stable-swap.ts';

/**
 * Exact state of a StableSwap pool. Balances are base units; `scales` bring each to 18 decimals; `amplification` is A · n^(n−1) with two decimals, of a pool
 * whose amplification moves where it moves to; fees are shares with ten decimals. `adminFee` is the share of the fee that leaves the balances.
 */
export type CurveState = {
  readonly form: CurveForm;
  readonly balances: readonly bigint[];
  readonly scales: readonly TokenScale[];
  readonly amplification: bigint;
  /** null: the amplification was never anything else. A ramp that is over changes nothing. */
  readonly ramp: AmplificationRamp | null;
  readonly fee: bigint;
  readonly adminFee: bigint;
  /** How many times the fee a swap far off the peg pays. Not in the form 'plain'; at or below one the fee is fixed. */
  readonly offpegFeeMultiplier: bigint;
};
