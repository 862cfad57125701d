import type { Curve } from '../snapshot/snapshot.ts';
import type { DepositCurve, WithdrawalCurve } from './star.ts';

/** What an edge of the flow network can be: a pair of a pool, or one side of a star. */
export type FlowCurve = Curve | DepositCurve | WithdrawalCurve;
