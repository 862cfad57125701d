import { EDGE_STRIDE } from './view.ts';

/** A directed edge as the index holds it. */
export type Edge = { readonly pool: number; readonly slotIn: number; readonly slotOut: number; readonly tokenOut: number };

/** The order of edges in the index: by token out, pool, slot in, slot out. */
export function compareEdges(a: Edge, b: Edge): number {
  return a.tokenOut - b.tokenOut || a.pool - b.pool || a.slotIn - b.slotIn || a.slotOut - b.slotOut;
}

/** How many of `edges` belong to pools that are not marked. */
export function countUnmarked(edges: Uint32Array, marked: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < edges.length; at += EDGE_STRIDE) count += 1 - (marked[edges[at] as number] as number);
  return count;
}

/**
 * Fills `target` with the unmarked edges of `old` and the `added` ones (both in order). Copies in runs: a hub of thousands of edges changes by a few.
 * Throws when the target is not filled exactly.
 */
export function mergeEdges(target: Uint32Array, old: Uint32Array, marked: Uint8Array, added: readonly Edge[]): void {
  let next = 0;
  let to = 0;
  let runStart = 0;
  const flush = (end: number): void => {
    if (end > runStart) target.set(old.subarray(runStart, end), to);
    to += end - runStart;
  };
  const place = (edge: Edge): void => {
    target[to] = edge.pool;
    target[to + 1] = edge.slotIn;
    target[to + 2] = edge.slotOut;
    target[to + 3] = edge.tokenOut;
    to += EDGE_STRIDE;
  };
  for (let at = 0; at < old.length; at += EDGE_STRIDE) {
    const pool = old[at] as number;
    if (marked[pool] === 1) {
      flush(at);
      runStart = at + EDGE_STRIDE;
      continue;
    }
    // Pools of added edges are marked, so no kept edge ties with an added one on the pool.
    for (let edge = added[next]; edge !== undefined && precedes(edge, old[at + 3] as number, pool); edge = added[++next]) {
      flush(at);
      runStart = at;
      place(edge);
    }
  }
  flush(old.length);
  for (let edge = added[next]; edge !== undefined; edge = added[++next]) place(edge);
  if (to !== target.length) throw new Error(`edge index: ${to} words for ${target.length}`);
}

function precedes(edge: Edge, tokenOut: number, pool: number): boolean {
  return edge.tokenOut < tokenOut || (edge.tokenOut === tokenOut && edge.pool < pool);
}
