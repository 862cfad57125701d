/** By how many of its pairs each token of a pool may be put in, and be taken out. 0: not at all. */
export type PoolRoles = { readonly enters: Uint8Array; readonly leaves: Uint8Array };

/**
 * What a pool trades at a price: the best of its whole trading set. Lists go by the pool's own order of its tokens.
 */
export type PoolAnswer = {
  /** Base units that the pool gives of each token; negative where it takes. */
  readonly net: Float64Array;
  /**
   * How it moves with the prices: the second derivative of its gain by the logarithms of prices i and j is −stiffness[i·n + j], in units of worth. Rows add up to zero, since
   * only ratios of prices matter.
   */
  readonly stiffness: Float64Array;
};

/**
 * A pool of more than two tokens, all of which move together: every route through it, whatever pairs it serves and in whatever order, is a point of one convex set. An entry of one pair is
 * counted once, so that the input of a token is at most what its pairs take.
 * The set is that of one trade. Of several entries one after the other, those that take a token out later may get back a part of the fees that earlier ones left of it: see `returned`.
 */
export type WholePool = {
  /** Snapshot token ids. */
  readonly tokens: Int32Array;
  /** The most that an arbitrageur gains from the pool at these prices, in their unit; leaves the trade in `answer`. Prices by the pool's order; a token with price 0 and no role is left out. */
  gain(prices: Float64Array, roles: PoolRoles, answer: PoolAnswer): number;
  /** What such a trade can get back of its own fees, at most, by being made in several entries. In the unit of the prices. */
  returned(prices: Float64Array, answer: PoolAnswer): number;
};

export function poolAnswer(size: number): PoolAnswer {
  return { net: new Float64Array(size), stiffness: new Float64Array(size * size) };
}
