import type { EdgeModel } from '../market/pool-models.ts';
import type { StarArc } from '../market/star.ts';
import type { Column } from './column.ts';

/** An edge is worth another look when its ends pay better than they did, by this much: twenty times the least gain that is looked for. */
const BETTER = 1 + 5e-5;

/** The column that an edge was too shallow for: at that hop, with all others at their start prices, or (−1) as a whole. */
export type Refusal = { readonly edge: EdgeModel | StarArc; readonly column: Column; readonly index: number };

/** The tabu list of column generation: edges that were found too shallow to join, until their ends pay better. */
export class Tabu {
  /** The worth of what comes out over that of what goes in, at the margin and without the edge's own price, at which an edge was too shallow. */
  readonly #ratios = new Map<EdgeModel | StarArc, number>();
  /** Edges that were too shallow in a column of several hops: its ends are not theirs, so that no ratio tells when to look again. */
  readonly #inChains = new Set<EdgeModel | StarArc>();
  readonly refusals: Refusal[] = [];

  /** Sets an edge aside however well its ends pay. */
  ban(edge: EdgeModel | StarArc): void {
    this.#ratios.set(edge, Infinity);
  }

  add(edge: EdgeModel | StarArc, ratio: number): void {
    this.#ratios.set(edge, ratio);
  }

  /** `index`: of the hop that is too shallow; −1: none is by itself. */
  refuse(edge: EdgeModel | StarArc, column: Column, index: number): void {
    if (column.hops.length === 1) this.#ratios.set(edge, column.priceTo / column.priceFrom);
    else this.#inChains.add(edge);
    this.refusals.push({ edge, column, index });
  }

  /** Whether an edge was found too shallow at ends that pay as well as these. */
  has(edge: EdgeModel | StarArc, ratio: number): boolean {
    const judged = this.#ratios.get(edge);
    return judged !== undefined && ratio <= judged * BETTER;
  }

  /** The same within a column of several hops. */
  hasInChain(edge: EdgeModel | StarArc, ratio: number): boolean {
    return this.#inChains.has(edge) || this.has(edge, ratio);
  }

  clear(): void {
    this.#ratios.clear();
    this.#inChains.clear();
    this.refusals.length = 0;
  }
}
