import type { EdgeModel } from './pool-models.ts';

/** An edge is worth another look when its ends pay better than they did, by this much. */
const BETTER = 1 + 5e-5;
/** More tokens than a snapshot can hold. */
const TOKENS = 2 ** 26;

/**
 * Edges that were found too shallow to join, with the worth of what comes out over that of what goes in (at the margin, without the pool's price) at which they were. Infinity: however
 * well the ends pay.
 */
export class SetAside {
  readonly #judged = new Map<EdgeModel, number>();
  readonly #pairs = new Map<number, readonly [number, number]>();

  add(edge: EdgeModel, ratio: number): void {
    this.#judged.set(edge, ratio);
    const { tokens } = edge.pool;
    const [tokenIn, tokenOut] = [tokens[edge.slotIn] as number, tokens[edge.slotOut] as number];
    const pair = tokenIn * TOKENS + tokenOut;
    if (!this.#pairs.has(pair)) this.#pairs.set(pair, [tokenIn, tokenOut]);
  }

  has(edge: EdgeModel): boolean {
    return this.#judged.has(edge);
  }

  /** Whether an edge was found too shallow at prices as good as these. */
  hasAt(edge: EdgeModel, ratio: number): boolean {
    const judged = this.#judged.get(edge);
    return judged !== undefined && ratio <= judged * BETTER;
  }

  /** The tokens, by snapshot id, between which edges are set aside. */
  pairs(): Iterable<readonly [number, number]> {
    return this.#pairs.values();
  }

  isEmpty(): boolean {
    return this.#judged.size === 0;
  }

  clear(): void {
    this.#judged.clear();
    this.#pairs.clear();
  }
}
