import { LIMITS } from '../config/limits.ts';
import type { MarketPair } from './market.ts';
import type { EdgeModel } from './pool-models.ts';
import { admittedEdges, bestEdge, type SearchArea } from './search-area.ts';
import type { Walk } from './walk.ts';

/** The edges of one directed token pair that may carry flow. Tokens are numbers local to the subgraph. */
export type Pair = {
  readonly from: number;
  readonly to: number;
  /** Best start price first; never empty. */
  readonly edges: readonly EdgeModel[];
  /** The best product of start prices from sell to buy through this pair, without the pair's own. */
  readonly around: number;
};

/** The part of the snapshot that can matter to one request: every edge lies on a token path of allowed length from sell to buy that is good enough. */
export type Subgraph = {
  /** Snapshot ids by local number; the first is the sell token, the second the buy token. */
  readonly tokens: readonly number[];
  /** The other way round. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Lower-case address by local number: ties are broken by it, so that ids do not matter. */
  readonly addresses: readonly string[];
  readonly pairs: readonly Pair[];
  /** Pairs that leave a token, by local number. */
  readonly leaving: readonly (readonly Pair[])[];
  readonly maxHops: number;
  readonly edgeCount: number;
  /** What start prices have to multiply to for an edge to be in. */
  readonly price: number;
};

export const SELL = 0;
export const BUY = 1;

/**
 * Collects the edges that lie on a path whose start prices multiply to at least `price`: base units of the buy token for one of the sell token. In an optimum every path that carries
 * flow has the same marginal price, and start prices are no worse than marginal ones, so with a price that the optimum is sure to reach nothing of use is left out. Direct edges are always kept. One
 * sweep from the start of the walk, over tokens that a path so good can reach.
 */
export function collectSubgraph(area: SearchArea, walk: Walk, price: number): Subgraph {
  const potentials = area.potentials(walk);
  const [start, goal] = [walk.startOf(area), walk.goalOf(area)];
  /** By pair: the best product around it. */
  const kept = new Map<MarketPair, number>();
  let product = new Map([[start, 1]]);
  const best = new Map(product);
  for (let hops = 0; hops < area.maxHops && product.size > 0; hops++) {
    const next = new Map<number, number>();
    for (const [token, here] of product) {
      for (const pair of walk.pairs(area, token)) {
        const there = walk.next(pair);
        const onwards = potentials.at(area.maxHops - 1 - hops, there);
        if (onwards === 0 || there === start) continue;
        const first = bestEdge(pair, area.admits)?.startPrice ?? 0;
        const around = here * onwards;
        if (around * first < price && !(token === start && there === goal)) continue;
        kept.set(pair, Math.max(kept.get(pair) ?? 0, around));
        const reached = here * first;
        if (there === goal || reached <= (best.get(there) ?? 0)) continue;
        best.set(there, reached);
        next.set(there, reached);
      }
    }
    product = next;
  }
  return gather(area, kept, price);
}

/** The same tokens, by the same numbers, with the edges that are good enough for a higher price. */
export function narrowSubgraph(graph: Subgraph, price: number): Subgraph {
  return { ...keepEdges(graph, (pair) => (isDirect(pair) ? 0 : price / pair.around)), price };
}

/** The edges of each pair that have at least a start price; Infinity leaves the pair out. */
export function keepEdges(graph: Subgraph, least: (pair: Pair) => number): Subgraph {
  const pairs: Pair[] = [];
  const leaving: Pair[][] = graph.tokens.map(() => []);
  let edgeCount = 0;
  for (const pair of graph.pairs) {
    const edges = atLeast(pair.edges, least(pair));
    if (edges.length === 0) continue;
    const kept = edges === pair.edges ? pair : { from: pair.from, to: pair.to, edges, around: pair.around };
    pairs.push(kept);
    leaving[pair.from]?.push(kept);
    edgeCount += edges.length;
  }
  return { ...graph, pairs, leaving, edgeCount };
}

function isDirect({ from, to }: { readonly from: number; readonly to: number }): boolean {
  return from === SELL && to === BUY;
}

function gather(area: SearchArea, kept: ReadonlyMap<MarketPair, number>, price: number): Subgraph {
  const tokens = [area.sell, area.buy];
  const numbers = new Map(tokens.map((token, number) => [token, number]));
  const leaving: Pair[][] = [[], []];
  const pairs: Pair[] = [];
  let edgeCount = 0;
  const numberOf = (token: number) => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, tokens.length);
    leaving.push([]);
    return tokens.push(token) - 1;
  };
  for (const [pair, around] of kept) {
    if (edgeCount >= LIMITS.routing.subgraphEdges) break;
    const admitted = admittedEdges(pair, area.admits);
    const direct = pair.from === area.sell && pair.to === area.buy;
    const edges = direct ? admitted : atLeast(admitted, price / around);
    if (edges.length === 0) continue;
    const local: Pair = { from: numberOf(pair.from), to: numberOf(pair.to), edges, around };
    pairs.push(local);
    leaving[local.from]?.push(local);
    edgeCount += edges.length;
  }
  const addresses = tokens.map((token) => area.view.token(token).address);
  return { tokens, numbers, addresses, pairs, leaving, maxHops: area.maxHops, edgeCount, price };
}

/** The edges, sorted by start price, that have at least a price. */
function atLeast(edges: readonly EdgeModel[], price: number): readonly EdgeModel[] {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle]?.startPrice ?? 0) >= price) low = middle + 1;
    else high = middle;
  }
  return low === edges.length ? edges : edges.slice(0, low);
}
