// The front door of the routing room: snapshot in, plan out. Pure.
export type { CertifyJob, CertifyResult, Restated } from './certify.ts';
export type { SolverContext } from './context.ts';
export type { SignedAmounts } from './execute/resimulate.ts';
export { labelMatches, WRAP_LABEL } from './market/labels.ts';
export type { GasMode, Plan, PlanHop, PoolQuote, SolveFacts, SolveJob, SolvePhase, SolveResult, TokenPrice, VenueFilter, VenueGates } from './plan.ts';
export { createSolver, type Solver } from './solver.ts';
export { type LossyEnd, type LossyEnds, ROUNDED_UNITS, type TokenRefusal } from './transfers/judge-trade.ts';
export { losesNothing } from './transfers/transfer-loss.ts';
export { EVERY_TOKEN_CLEAN, type RouteThrough, type TransferPolicy } from './transfers/transfer-policy.ts';
