import { LIMITS } from '../config/limits.ts';
import type { PricingReport, TokenPrices } from '../market/market.ts';
import { type BlockRef, type MeasuredVerdict, type PoolFacts, type SnapshotWriter, type TokenFacts, WordWriter } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import {
  type DiscoveredPool,
  type IndexerVenues,
  isLabelOff,
  isSwitchedOff,
  NOTHING_OFF,
  PoolRefused,
  type StateFacet,
  type StreamedPool,
  type StreamVenues,
  type SwitchedOff,
} from '../venues/venues.ts';
import { LiquidityBar, type MinimumLiquidity } from './liquidity-bar.ts';
import { type Placed, PlacedPools } from './placed-pools.ts';
import type { PoolBook } from './pool-book.ts';
import type { TrackedPool } from './tracked-pool.ts';

export type StageRefusal = 'corrupt-pool' | 'arena-full';

export type StageRefused = { readonly key: string; readonly reason: StageRefusal; readonly message: string };

/** Brings what the book knows into the snapshot: changed pools are packed again, the others cost nothing; of those that are read in each block, no more than packing where they are as they were. */
export type Publisher = {
  /** Stages pools by key. A pool that is gone, stale, not routable, corrupt, too small or without room is removed: absent, never old. What there was no room for is tried again, a few at a time, and what prices moved is judged again. Returns what was refused. */
  stage(book: PoolBook, keys: Iterable<string>): readonly StageRefused[];
  /**
   * Stages pools whose prices come from off the chain, and keeps them for whenever they are staged again. Of the book it is asked for tokens alone, so that this may be done for the block that was staged last
   * while another one is being taken in.
   */
  stageStreamed(book: PoolBook, venue: string, pools: readonly StreamedPool<unknown>[]): readonly StageRefused[];
  stageToken(token: TokenFacts): void;
  /** What is found of a token that the snapshot has no room for is not kept: it has no pools there either. */
  stageVerdict(token: Address, measured: MeasuredVerdict): void;
  /** Removes what is switched off now, and names the pools that are not any more: they are to be staged again. */
  switchOff(off: SwitchedOff): { readonly removed: number; readonly restored: readonly string[] };
  /** Makes the staged changes visible, with the prices that follow from them; false when readers hold every slot, then they go with the next publish. */
  publish(block: BlockRef): { readonly ok: boolean; readonly epoch: number; readonly millis: number; readonly pricing: PricingReport };
  /** Keys of the pools that are in the snapshot, in the order they came, and of those that are too small. */
  keys(): Iterable<string>;
  /** Source labels of those in the snapshot, and of what was priced off the chain before (decisions B9: a throttled label is listed), unique, sorted by code unit. */
  labels(): readonly string[];
  /** Whether one of them trades a token, and the contracts of those that do. */
  isTraded(token: Address): boolean;
  contractsOf(token: Address): readonly Address[];
  /** Their number by venue folder. */
  poolsByVenue(): Readonly<Record<string, number>>;
  /** How many pools there is no room for: the first of them come in when others leave. */
  unplaced(): number;
  /** How many pools are followed and left out because they are too small: each comes in with the change that makes it large enough. */
  tooSmall(): number;
};

export type PublisherOptions = {
  /** Absent: nothing. */
  readonly switchedOff?: SwitchedOff | undefined;
  /** Absent: no pool is too small. */
  readonly minimumLiquidity?: MinimumLiquidity | undefined;
  /** Absent: nothing is priced off the chain. */
  readonly streams?: StreamVenues | undefined;
};

const NO_STREAMS: StreamVenues = new Map();

/** Takes over a snapshot: `writer` may hold pools that an earlier indexer thread published. */
export function createPublisher(writer: SnapshotWriter, venues: IndexerVenues, prices: TokenPrices, options: PublisherOptions = {}): Publisher {
  const { switchedOff = NOTHING_OFF, minimumLiquidity, streams = NO_STREAMS } = options;
  writer.clearPrices();
  const placed = new PlacedPools();
  for (const pool of writer.presentPools()) placed.set(pool.key, placedOf(pool));
  /** What was staged last of pools that are read again without a log, those without a curve included. */
  const staged = new Map<string, Staged>();
  const stagedTokens = new Map<Address, number | null>();
  const stageToken = (token: TokenFacts): void => {
    if (stagedTokens.get(token.address) === token.decimals) return;
    if (!writer.setToken({ ...token, usd: prices.usd(token.address) }).ok) return;
    stagedTokens.set(token.address, token.decimals);
    prices.setDecimals(token.address, token.decimals);
  };
  /** What there is no room for, in the order in which it is tried again. */
  const unplaced = new Set<string>();
  const bar = minimumLiquidity === undefined ? null : new LiquidityBar(minimumLiquidity);
  /** Pools that are too small, with their tokens, and pools that are to be judged by another bar than they were. */
  const small = new Map<string, readonly Address[]>();
  const judgedAgain = new Set<string>();
  const remove = (key: string): void => {
    unplaced.delete(key);
    small.delete(key);
    writer.removePool(key);
    prices.removePool(key);
    placed.delete(key);
    staged.delete(key);
  };
  const streamed = new Map<string, StreamedNow>();
  /** Labels that a stream has priced once. */
  const offered = new Set<string>();
  const remember = (key: string, tracked: TrackedPool | undefined, words: BigUint64Array): void => {
    if (tracked !== undefined && tracked.rereading.kind !== 'logs') staged.set(key, { pool: tracked.pool, words });
  };
  let off = NOTHING_OFF;
  /** Sources by key of pools that would be there if they were not switched off. */
  const hidden = new Map<string, string>();
  const switchOff: Publisher['switchOff'] = (next) => {
    off = next;
    const restored = [...hidden].filter(([key, source]) => !isSwitchedOff(off, { key, source })).map(([key]) => key);
    for (const key of restored) hidden.delete(key);
    const closed = [...placed.entries()].filter(([key, { source }]) => isSwitchedOff(off, { key, source }));
    for (const [key, { source }] of closed) {
      remove(key);
      hidden.set(key, source);
    }
    return { removed: closed.length, restored };
  };
  switchOff(switchedOff);
  const stageOne = (book: PoolBook, key: string): StageRefused | null => {
    const outside = streamed.get(key);
    const tracked = outside === undefined ? book.pool(key) : undefined;
    const facts =
      outside !== undefined ? describeStreamed(outside, book, streams) : tracked === undefined ? 'absent' : describe(tracked, book, venues, staged.get(key));
    if (facts === 'as-it-was') return null;
    judgedAgain.delete(key);
    hidden.delete(key);
    if (facts === 'absent' || 'priceless' in facts) {
      remove(key);
      if (facts !== 'absent') remember(key, tracked, facts.priceless);
      return null;
    }
    if ('corrupt' in facts) {
      remove(key);
      return { key, reason: 'corrupt-pool', message: facts.corrupt };
    }
    if (isSwitchedOff(off, facts)) {
      remove(key);
      hidden.set(key, facts.source);
      return null;
    }
    if (outside === undefined && bar?.isBelow(facts)) {
      remove(key);
      small.set(key, facts.tokens);
      remember(key, tracked, facts.words);
      return null;
    }
    small.delete(key);
    for (const address of facts.tokens) stageToken(book.token(address) ?? { address, decimals: outside?.decimals ?? null, usd: null });
    const put = writer.setPool(facts);
    if (put.ok) {
      unplaced.delete(key);
      placed.set(key, placedOf(facts), outside === undefined);
      remember(key, tracked, facts.words);
      if (tracked !== undefined && isOwed(tracked, venues)) prices.setPool(key, facts.tokens, facts.curves);
      else prices.removePool(key);
      return null;
    }
    const known = unplaced.has(key);
    remove(key);
    unplaced.add(key);
    return known ? null : { key, reason: 'arena-full', message: put.reason };
  };
  /** Until one still has no room; that one is the last to be tried again. */
  const placeWaiting = (book: PoolBook): void => {
    const count = Math.min(unplaced.size, LIMITS.indexing.placedAgain);
    for (let tried = 0; tried < count; tried++) {
      const [key] = unplaced;
      if (key === undefined) return;
      stageOne(book, key);
      if (unplaced.has(key)) return;
    }
  };
  /** In the epoch of the pools that they come from. Of a token without room in the snapshot there is nothing to say. */
  const settlePrices = (timestamp: number): PricingReport => {
    const { changes, report } = prices.settle(timestamp, (token) => writer.verdictOf(token));
    for (const { address, usd } of changes) writer.setToken({ address, decimals: stagedTokens.get(address) ?? null, usd });
    return report;
  };
  /** Where a token by whose price pools are judged has none yet, its pools with others of the kind come first, since it may follow from those. */
  const raiseBar = (by: LiquidityBar, book: PoolBook, keys: readonly string[]): readonly (StageRefused | null)[] => {
    const refusals: (StageRefused | null)[] = [];
    if (by.isIncomplete) {
      for (const address of by.tokens) {
        const known = book.token(address);
        if (known !== undefined) stageToken(known);
      }
      const judging = new Set(by.tokens);
      for (const key of keys) if (book.pool(key)?.pool.tokens.every((token) => judging.has(token))) refusals.push(stageOne(book, key));
      settlePrices(book.tip.timestamp);
    }
    for (const token of by.refresh((address) => ({ decimals: stagedTokens.get(address) ?? null, usd: prices.usd(address) }))) {
      for (const key of placed.keysOf(token)) judgedAgain.add(key);
      for (const [key, tokens] of small) if (tokens.includes(token)) judgedAgain.add(key);
    }
    return refusals;
  };
  const judgeAgain = (book: PoolBook): readonly (StageRefused | null)[] => {
    const some: string[] = [];
    for (const key of judgedAgain) if (some.push(key) === LIMITS.indexing.judgedAgain) break;
    return some.map((key) => {
      // It may be as it was, and is to be looked at all the same.
      staged.delete(key);
      return stageOne(book, key);
    });
  };
  return {
    stageToken,
    stageVerdict(token, measured) {
      writer.setVerdict(token, measured);
    },
    switchOff,
    stage(book, keys) {
      const due = [...keys];
      const refusals = bar === null ? [] : [...raiseBar(bar, book, due)];
      for (const key of due) refusals.push(stageOne(book, key));
      refusals.push(...judgeAgain(book));
      placeWaiting(book);
      return refusals.filter((refusal) => refusal !== null);
    },
    stageStreamed(book, venue, pools) {
      for (const { pool, state, decimals } of pools) {
        if (state === null) streamed.delete(pool.key);
        else streamed.set(pool.key, { pool, venue, state, decimals });
        offered.add(pool.source);
      }
      return pools.map(({ pool }) => stageOne(book, pool.key)).filter((refusal) => refusal !== null);
    },
    publish(block) {
      const pricing = settlePrices(block.timestamp);
      const result = writer.publish(block);
      return result.ok ? { ...result, pricing } : { ok: false, epoch: 0, millis: 0, pricing };
    },
    *keys() {
      yield* placed.keys();
      yield* small.keys();
    },
    labels() {
      const present = placed.labels();
      const others = [...offered].filter((label) => !present.includes(label) && !isLabelOff(off, label));
      return others.length === 0 ? present : [...present, ...others].sort();
    },
    isTraded: (token) => placed.isTraded(token),
    contractsOf: (token) => placed.contractsOf(token),
    poolsByVenue: () => placed.byVenue(),
    unplaced: () => unplaced.size,
    tooSmall: () => small.size,
  };
}

/** Without the rest of what is staged, which would stay in memory. */
function placedOf({ source, venue, address, tokens }: Placed): Placed {
  return { source, venue, address, tokens };
}

/** A pool's own facts and its packed state: all else that the snapshot holds of it follows from them. */
type Staged = { readonly pool: DiscoveredPool; readonly words: BigUint64Array };

/** A pool as somebody off the chain prices it now. */
type StreamedNow = { readonly pool: DiscoveredPool; readonly venue: string; readonly state: unknown; readonly decimals?: number | undefined };

/** What the snapshot holds of a pool, or why it holds nothing. `priceless`: the packed state of one without a curve. */
type Described = PoolFacts | 'absent' | 'as-it-was' | { readonly priceless: BigUint64Array } | { readonly corrupt: string };

function describe(tracked: TrackedPool, book: PoolBook, venues: IndexerVenues, staged: Staged | undefined): Described {
  const { pool, venue, state, stale } = tracked;
  const facets = venues.get(venue);
  if (stale || state === null || facets === undefined) return 'absent';
  return describeState({ pool, venue, state, facet: facets.state }, book, staged, () => facets.track.check(state));
}

function describeStreamed({ pool, venue, state, decimals }: StreamedNow, book: PoolBook, streams: StreamVenues): Described {
  const facets = streams.get(venue);
  return facets === undefined ? 'absent' : describeState({ pool, venue, state, decimals, facet: facets.state }, book, undefined, () => undefined);
}

type ToDescribe = StreamedNow & { readonly facet: StateFacet<unknown> };

function describeState({ pool, venue, state, decimals, facet }: ToDescribe, book: PoolBook, staged: Staged | undefined, check: () => void): Described {
  if (decimals === undefined && pool.tokens.some((token) => book.token(token) === undefined)) return 'absent';
  try {
    check();
    const writer = new WordWriter();
    facet.pack(state, writer);
    const words = writer.finish();
    // Curves are most of the work, and whoever opens pools that are read in each block pays for none of it.
    if (staged?.pool === pool && areSame(staged.words, words)) return 'as-it-was';
    const curves = facet.curves(state);
    if (curves.length === 0) return { priceless: words };
    const { key, address, hook, protocol, source, tokens, traits } = pool;
    const legFacts = facet.legFacts === undefined ? traits : { ...traits, ...facet.legFacts(state) };
    return { key, address, hook, protocol, source, venue, tokens, legFacts, words, curves };
  } catch (error) {
    if (error instanceof PoolRefused && error.reason === 'not-routable') return 'absent';
    // Whatever a pool's own mathematics can not digest costs that pool and nothing else.
    return { corrupt: error instanceof Error ? error.message : 'refused' };
  }
}

/** Whether a pool's contract owes what its state says: one whose price ends is somebody's word, who may refuse whoever takes it, and says nothing of what a token is worth. */
function isOwed({ venue, state }: TrackedPool, venues: IndexerVenues): boolean {
  return venues.get(venue)?.state.traits?.(state).pricesEnd === undefined;
}

function areSame(some: BigUint64Array, others: BigUint64Array): boolean {
  return some.length === others.length && some.every((word, at) => word === others[at]);
}
