// The front door of the routing room: snapshot in, plan out. Pure.
export type { GasMode, Plan, PlanHop, SolveFacts, SolveJob, SolvePhase, SolveResult, TokenPrice, VenueFilter } from './plan.ts';
