import {
  type Curve,
  EDGE_STRIDE,
  type PoolFacts,
  type PoolView,
  type SnapshotReader,
  type SnapshotView,
  WordReader,
  WordWriter,
} from '../../snapshot/snapshot.ts';
import type { SolverVenue, SolverVenues } from '../../venues/venues.ts';
import { startRate } from './start-rate.ts';

/** One direction of a pool. `logRate` is the logarithm of what a vanishingly small trade gives; −Infinity where it takes nothing. */
export type MarketEdge = {
  readonly pool: MarketPool;
  readonly slotIn: number;
  readonly slotOut: number;
  readonly from: number;
  readonly to: number;
  logRate: number;
};

/** A pool outside the snapshot, whose state moves as it is traded with. */
export type MarketPool = {
  readonly identity: Omit<PoolFacts, 'words' | 'curves'>;
  readonly venue: SolverVenue;
  readonly edges: MarketEdge[];
  state: unknown;
  traded: boolean;
  /** Logarithm of a gain that a cycle through the pool may show without being worth looking at: whole units can not take it out. */
  blunt: number;
};

/** A copy of every pool of a snapshot in exact numbers, to trade with before anything is published. Tokens are snapshot token ids. */
export type ExactMarket = {
  readonly addresses: readonly PoolFacts['address'][];
  readonly edgesFrom: readonly (readonly MarketEdge[])[];
  readonly pools: readonly MarketPool[];
};

export function openMarket(reader: SnapshotReader, venues: SolverVenues): ExactMarket {
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  try {
    const addresses = Array.from({ length: view.tokenCount }, (_, id) => view.token(id).address);
    const pools = new Map<number, MarketPool>();
    const edgesFrom = addresses.map((_, from) => marketEdges(view, from, addresses, venues, pools));
    return { addresses, edgesFrom, pools: [...pools.values()] };
  } finally {
    reader.unpin();
  }
}

function marketEdges(
  view: SnapshotView,
  from: number,
  addresses: ExactMarket['addresses'],
  venues: SolverVenues,
  pools: Map<number, MarketPool>,
): MarketEdge[] {
  const list = view.edgesFrom(from);
  const edges: MarketEdge[] = [];
  for (let at = 0; at < list.length; at += EDGE_STRIDE) {
    const found = view.pool(list[at] as number);
    const venue = found === undefined ? undefined : venues.get(found.venue);
    if (found === undefined || venue === undefined) continue;
    const pool = pools.get(found.id) ?? marketPool(found, venue, addresses);
    pools.set(found.id, pool);
    const [slotIn, slotOut, to] = [list[at + 1] as number, list[at + 2] as number, list[at + 3] as number];
    const edge: MarketEdge = { pool, slotIn, slotOut, from, to, logRate: logRateOf(found.curve(slotIn, slotOut)) };
    pool.edges.push(edge);
    edges.push(edge);
  }
  return edges;
}

function marketPool(view: PoolView, venue: SolverVenue, addresses: ExactMarket['addresses']): MarketPool {
  const { key, address, hook, protocol, source } = view;
  const tokens = view.tokens.map((id) => addresses[id] as PoolFacts['address']);
  const state = venue.state.unpack(new WordReader(view.words));
  return { identity: { key, address, hook, protocol, source, venue: view.venue, tokens }, venue, edges: [], state, traded: false, blunt: 0 };
}

/** Moves a pool to the state after a trade. */
export function moveTo(pool: MarketPool, state: unknown): void {
  pool.state = state;
  pool.traded = true;
  const curves = pool.venue.state.curves(state);
  for (const edge of pool.edges) {
    edge.logRate = logRateOf(curves.find(({ slotIn, slotOut }) => slotIn === edge.slotIn && slotOut === edge.slotOut)?.curve);
  }
}

function logRateOf(curve: Curve | undefined): number {
  return curve === undefined ? Number.NEGATIVE_INFINITY : Math.log(startRate(curve));
}

/** What the snapshot is to hold of a pool after the trades. */
export function factsAfter({ identity, venue, state }: MarketPool): PoolFacts {
  const words = new WordWriter();
  venue.state.pack(state, words);
  return { ...identity, words: words.finish(), curves: venue.state.curves(state) };
}
