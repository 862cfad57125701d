import type { Subgraph } from './subgraph.ts';
import type { Walk } from './walk.ts';

/**
 * For every token and number of hops left, the best product of prices to the goal, by `price` of a pair; 0 where the goal is out of reach. Row k holds
 * the tokens after at most k hops. With start prices it bounds every route from above, since curves are concave.
 */
export function potentials(graph: Subgraph, walk: Walk, price: (index: number) => number): Float64Array {
  const count = graph.tokens.length;
  const rows = new Float64Array((graph.maxHops + 1) * count);
  rows[walk.goal] = 1;
  const sell = walk.mode === 'sell';
  const prices = graph.pairs.map((_pair, index) => price(index));
  for (let row = 1; row <= graph.maxHops; row++) {
    const base = row * count;
    rows.copyWithin(base, base - count, base);
    for (let index = 0; index < graph.pairs.length; index++) {
      const pair = graph.pairs[index];
      if (pair === undefined) continue;
      const here = sell ? pair.from : pair.to;
      const there = sell ? pair.to : pair.from;
      const product = (prices[index] as number) * (rows[base - count + there] as number);
      if (product > (rows[base + here] as number)) rows[base + here] = product;
    }
  }
  return rows;
}
