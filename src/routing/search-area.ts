import type { SnapshotView } from '../snapshot/snapshot.ts';
import type { PoolTest } from './labels.ts';
import type { Market, MarketPair } from './market.ts';
import type { Pace } from './pace.ts';
import type { EdgeModel } from './pool-models.ts';
import { Potentials } from './potential.ts';
import type { Walk } from './walk.ts';

/** Where one request may look for routes. Tokens are snapshot ids. */
export type SearchArea = {
  readonly view: SnapshotView;
  readonly market: Market;
  readonly sell: number;
  readonly buy: number;
  readonly maxHops: number;
  readonly admits: PoolTest;
  readonly pace: Pace;
  /** What start prices allow at best, by the walk's direction; looked for when first asked. */
  potentials(walk: Walk): Potentials;
};

export type AreaMaker = (area: Omit<SearchArea, 'potentials' | 'market'>) => SearchArea;

/** Makes areas that share one thread's market and scratch memory: one at a time. */
export function createAreaMaker(market: Market): AreaMaker {
  const kept = { sell: new Potentials(), buy: new Potentials() };
  return (limits) => {
    const explored = new Set<Walk['mode']>();
    const area: SearchArea = {
      ...limits,
      market,
      potentials(walk) {
        const potentials = kept[walk.mode];
        if (!explored.has(walk.mode)) potentials.explore(area, walk, limits.pace);
        explored.add(walk.mode);
        return potentials;
      },
    };
    return area;
  };
}

/** The best edge of a pair that the request admits. */
function bestEdge(pair: MarketPair, admits: PoolTest): EdgeModel | undefined {
  return admits === null ? pair.edges[0] : pair.edges.find((edge) => admits(edge.pool));
}

/** The start price of that edge; 0 where there is none. */
export function bestPrice(pair: MarketPair, admits: PoolTest): number {
  return admits === null ? pair.startPrice : (bestEdge(pair, admits)?.startPrice ?? 0);
}

/** The edges of a pair that the request admits, best start price first. */
export function admittedEdges(pair: MarketPair, admits: PoolTest): readonly EdgeModel[] {
  return admits === null ? pair.edges : pair.edges.filter((edge) => admits(edge.pool));
}
