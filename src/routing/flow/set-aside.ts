import type { EdgeModel } from '../market/pool-models.ts';
import type { StarArc } from '../market/star.ts';

/** An edge is worth another look when its ends pay better than they did, by this much: twenty times the least gain that is looked for. */
const BETTER = 1 + 5e-5;

/**
 * Edges that were found too shallow to join, with the worth of what comes out over that of what goes in (at the margin, without the pool's price) at which they were. Infinity: however
 * well the ends pay.
 */
export class SetAside {
  readonly #judged = new Map<EdgeModel | StarArc, number>();

  add(edge: EdgeModel | StarArc, ratio: number): void {
    this.#judged.set(edge, ratio);
  }

  has(edge: EdgeModel | StarArc): boolean {
    return this.#judged.has(edge);
  }

  /** Whether an edge was found too shallow at prices as good as these. */
  hasAt(edge: EdgeModel | StarArc, ratio: number): boolean {
    const judged = this.#judged.get(edge);
    return judged !== undefined && ratio <= judged * BETTER;
  }

  isEmpty(): boolean {
    return this.#judged.size === 0;
  }

  clear(): void {
    this.#judged.clear();
  }
}
