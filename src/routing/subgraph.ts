import { LIMITS } from '../config/limits.ts';
import type { MarketPair } from './market.ts';
import type { EdgeModel } from './pool-models.ts';
import { admittedEdges, bestPrice, type SearchArea } from './search-area.ts';
import type { Walk } from './walk.ts';

/** The edges of one directed token pair that the request admits. Tokens are numbers local to the subgraph. */
export type Pair = {
  readonly from: number;
  readonly to: number;
  /** Best start price first; never empty. */
  readonly edges: readonly EdgeModel[];
};

/** The part of the snapshot that can matter to one request: every pair lies on a token path of allowed length from sell to buy that is good enough. */
export type Subgraph = {
  /** Snapshot ids by local number; the first is the sell token, the second the buy token. */
  readonly tokens: readonly number[];
  /** The other way round. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Lower-case address by local number: ties are broken by it, so that ids do not matter. */
  readonly addresses: readonly string[];
  /** In rows: the pairs that leave a token lie side by side, by the number of the token they lead to. */
  readonly pairs: readonly Pair[];
  /** By token: where its row starts; one more at the end. */
  readonly rows: Int32Array;
  /** By pair, once more beside each other because every sweep reads all of them: the ends, and the best start price. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly startPrice: Float64Array;
  readonly maxHops: number;
};

export const SELL = 0;
export const BUY = 1;

/**
 * Collects the pairs that lie on a path whose start prices multiply to at least `price`: base units of the buy token for one of the sell token. In an optimum every path that carries
 * flow has the same marginal price, and start prices are no worse than marginal ones, so with a price that the optimum is sure to reach nothing of use is left out. The direct pair is always
 * kept. One sweep from the start of the walk, over tokens that a path so good can reach.
 */
export function collectSubgraph(area: SearchArea, walk: Walk, price: number): Subgraph {
  const potentials = area.potentials(walk);
  const [start, goal] = [walk.startOf(area), walk.goalOf(area)];
  const kept = new Set<MarketPair>();
  let product = new Map([[start, 1]]);
  const best = new Map(product);
  for (let hops = 0; hops < area.maxHops && product.size > 0; hops++) {
    const next = new Map<number, number>();
    for (const [token, here] of product) {
      for (const pair of walk.pairs(area, token)) {
        const there = walk.next(pair);
        const onwards = potentials.at(area.maxHops - 1 - hops, there);
        if (onwards === 0 || there === start) continue;
        const first = bestPrice(pair, area.admits);
        if (here * onwards * first < price && !(token === start && there === goal)) continue;
        if (first > 0) kept.add(pair);
        const reached = here * first;
        if (there === goal || reached <= (best.get(there) ?? 0)) continue;
        best.set(there, reached);
        next.set(there, reached);
      }
    }
    product = next;
  }
  return gather(area, [...kept].slice(0, LIMITS.routing.subgraphPairs));
}

/** The pair between two tokens, by its place; −1 where there is none. */
export function pairBetween({ rows, to }: Subgraph, from: number, target: number): number {
  let [low, high] = [rows[from] as number, (rows[from + 1] as number) - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const there = to[middle] as number;
    if (there === target) return middle;
    if (there < target) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function gather(area: SearchArea, kept: readonly MarketPair[]): Subgraph {
  const tokens = [area.sell, area.buy];
  const numbers = new Map(tokens.map((token, number) => [token, number]));
  const numberOf = (token: number) => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, tokens.length);
    return tokens.push(token) - 1;
  };
  const found = kept.map((pair) => ({ from: numberOf(pair.from), to: numberOf(pair.to), edges: admittedEdges(pair, area.admits) }));
  const byTarget = placedBy(found, ({ to }) => to, tokens.length).placed;
  const { placed: pairs, rows } = placedBy(byTarget, ({ from }) => from, tokens.length);
  const [from, to, startPrice] = [new Int32Array(pairs.length), new Int32Array(pairs.length), new Float64Array(pairs.length)];
  for (let place = 0; place < pairs.length; place++) {
    const pair = pairs[place] as Pair;
    from[place] = pair.from;
    to[place] = pair.to;
    startPrice[place] = pair.edges[0]?.startPrice ?? 0;
  }
  const addresses = tokens.map((token) => area.view.token(token).address);
  return { tokens, numbers, addresses, pairs, rows, from, to, startPrice, maxHops: area.maxHops };
}

/** Sorts by a token number, keeping the order of equals, by counting: `rows` says where each token's begin. */
function placedBy(pairs: readonly Pair[], tokenOf: (pair: Pair) => number, count: number): { readonly placed: readonly Pair[]; readonly rows: Int32Array } {
  const rows = new Int32Array(count + 1);
  for (const pair of pairs) rows[tokenOf(pair) + 1] = (rows[tokenOf(pair) + 1] as number) + 1;
  for (let token = 0; token < count; token++) rows[token + 1] = (rows[token + 1] as number) + (rows[token] as number);
  const places = rows.slice();
  const placed = new Array<Pair>(pairs.length);
  for (const pair of pairs) {
    const place = places[tokenOf(pair)] as number;
    places[tokenOf(pair)] = place + 1;
    placed[place] = pair;
  }
  return { placed, rows };
}
