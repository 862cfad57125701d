import type { EdgeModel } from './pool-models.ts';

/** Edges that were found too shallow to join, with the worth of what comes out over that of what goes in (at the margin, without the pool's price) at which they were. */
export type SetAside = Map<EdgeModel, number>;

/** An edge is worth another look when its ends pay better than they did, by this much. */
const BETTER = 1 + 5e-5;

/** Whether an edge was found too shallow at prices as good as these. */
export function stillAside(setAside: SetAside, edge: EdgeModel, ratio: number): boolean {
  const judged = setAside.get(edge);
  return judged !== undefined && ratio <= judged * BETTER;
}
