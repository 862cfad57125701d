// The front door of the bound room: the certified upper bound on what a trade can give. Shares no code with the routing room, so that it can judge it.
export { type DescentTask, descend, type Rest } from './descent.ts';
export { type BoundFlow, bestRates, type DualBound, dualBound, leastInputBound } from './dual-bound.ts';
export { type Market, readMarket } from './market.ts';
export type { EdgeFlow } from './spread.ts';
