import { type Curve, type PoolFacts, type PoolView, type SnapshotReader, WordReader, WordWriter } from '../../snapshot/snapshot.ts';
import { momentOf, type QuoteMoment, type SolverVenue, type SolverVenues } from '../../venues/venues.ts';
import { startDepth, startRate } from './start-rate.ts';

/** One direction of a pool. `logRate` is the logarithm of what a vanishingly small trade gives; −Infinity where it takes nothing. */
export type MarketEdge = {
  readonly pool: MarketPool;
  readonly slotIn: number;
  readonly slotOut: number;
  readonly from: number;
  readonly to: number;
  logRate: number;
  /** Base units of input over which the rate falls to an e-th, as it falls at first. */
  depth: number;
};

/** A pool outside the snapshot, whose state moves as it is traded with. */
export type MarketPool = {
  readonly identity: Omit<PoolFacts, 'words' | 'curves'>;
  readonly venue: SolverVenue;
  readonly edges: MarketEdge[];
  /** The moment of the snapshot's block, which trades do not move. */
  readonly at: QuoteMoment;
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
  /** The edges from one token to another, in any order. */
  between(from: number, to: number): readonly MarketEdge[];
};

export function openMarket(reader: SnapshotReader, venues: SolverVenues): ExactMarket {
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  try {
    const at = momentOf(view.block);
    const addresses = Array.from({ length: view.tokenCount }, (_, id) => view.token(id).address);
    const ids = Array.from({ length: view.poolCount }, (_, id) => id);
    const pools = ids.flatMap((id) => marketPool(view.pool(id), addresses, venues, at));
    const edgesFrom: MarketEdge[][] = addresses.map(() => []);
    const pairs = new Map<number, MarketEdge[]>();
    const pairOf = (from: number, to: number) => from * addresses.length + to;
    for (const edge of pools.flatMap(({ edges }) => edges)) {
      edgesFrom[edge.from]?.push(edge);
      const pair = pairOf(edge.from, edge.to);
      const beside = pairs.get(pair);
      if (beside === undefined) pairs.set(pair, [edge]);
      else beside.push(edge);
    }
    return { addresses, edgesFrom, pools, between: (from, to) => pairs.get(pairOf(from, to)) ?? [] };
  } finally {
    reader.unpin();
  }
}

/** Of a pool that is there, with every direction: one that takes nothing now may after a trade the other way. */
function marketPool(view: PoolView | undefined, addresses: ExactMarket['addresses'], venues: SolverVenues, at: QuoteMoment): readonly MarketPool[] {
  const venue = view === undefined ? undefined : venues.get(view.venue);
  if (view === undefined || venue === undefined) return [];
  const { key, address, hook, protocol, source, legFacts } = view;
  const tokens = view.tokens.map((id) => addresses[id] as PoolFacts['address']);
  const identity = { key, address, hook, protocol, source, venue: view.venue, tokens, legFacts };
  const pool: MarketPool = { identity, venue, edges: [], at, state: venue.state.unpack(new WordReader(view.words)), traded: false, blunt: 0 };
  for (const [slotIn, from] of view.tokens.entries()) {
    for (const [slotOut, to] of view.tokens.entries()) {
      if (slotIn !== slotOut) pool.edges.push({ pool, slotIn, slotOut, from, to, ...startOf(view.curve(slotIn, slotOut)) });
    }
  }
  return [pool];
}

/** Moves a pool to the state after a trade. */
export function moveTo(pool: MarketPool, state: unknown): void {
  pool.state = state;
  pool.traded = true;
  const curves = pool.venue.state.curves(state);
  for (const edge of pool.edges) {
    Object.assign(edge, startOf(curves.find(({ slotIn, slotOut }) => slotIn === edge.slotIn && slotOut === edge.slotOut)?.curve));
  }
}

function startOf(curve: Curve | undefined): Pick<MarketEdge, 'logRate' | 'depth'> {
  if (curve === undefined) return { logRate: Number.NEGATIVE_INFINITY, depth: 0 };
  return { logRate: Math.log(startRate(curve)), depth: startDepth(curve) };
}

/** What the snapshot is to hold of a pool after the trades. */
export function factsAfter({ identity, venue, state }: MarketPool): PoolFacts {
  const words = new WordWriter();
  venue.state.pack(state, words);
  return { ...identity, words: words.finish(), curves: venue.state.curves(state) };
}
