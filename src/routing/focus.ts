import type { Network } from './network.ts';
import { BUY, keepEdges, SELL, type Subgraph } from './subgraph.ts';

/** Prices still move while a network grows: what misses paying by less than this share stays. */
const SLACK = 2e-3;

/**
 * The part of a subgraph that may hold columns at the prices of the network: an edge stays when the best way over start prices from an active token to it, through it and on to an active
 * token about pays. For the rounds in between; the whole subgraph has the last word.
 */
export function focusSubgraph(whole: Subgraph, network: Network): Subgraph {
  const active = new Set<number>([SELL, BUY]);
  for (const { from, to } of network.edges) active.add(from).add(to);
  const count = whole.tokens.length;
  // Worth given up for a base unit on the way here, and worth that it has on the way on; 0 where there is no way.
  const cost = new Float64Array(count);
  const value = new Float64Array(count);
  for (const token of active) cost[token] = value[token] = Math.exp(network.logPrice[token] as number);
  for (let hops = 1; hops < whole.maxHops; hops++) {
    let changed = false;
    for (const { from, to, edges } of whole.pairs) {
      const price = edges[0]?.startPrice ?? 0;
      const through = (cost[from] as number) / price;
      if (!active.has(to) && through > 0 && (cost[to] === 0 || through < (cost[to] as number))) {
        cost[to] = through;
        changed = true;
      }
      const onwards = price * (value[to] as number);
      if (!active.has(from) && onwards > (value[from] as number)) {
        value[from] = onwards;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return keepEdges(whole, ({ from, to }) => {
    const [given, got] = [cost[from] as number, value[to] as number];
    return given === 0 || got === 0 ? Infinity : (given / got) * (1 - SLACK);
  });
}
