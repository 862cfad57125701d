import { LIMITS } from '../config/limits.ts';
import { readTokenFacts } from '../market/market.ts';
import type { TokenFacts } from '../snapshot/snapshot.ts';
import type { IndexerVenues, PinnedReader } from '../venues/venues.ts';
import { mapBounded } from './map-bounded.ts';
import type { PoolBook, TrackedPool } from './pool-book.ts';
import { RpcError } from './rpc/rpc-error.ts';

export type Settled = {
  /** Keys of the pools that changed. */
  readonly changed: readonly string[];
  /** How many pools and tokens the node could not be asked about: they stay as they are, stale or wanted, until it can. */
  readonly unanswered: number;
};

/**
 * Reads from the chain, at the book's tip, what the book can not derive: states of stale pools, facts of tokens that are new. Everything comes from the one
 * block that the reader is pinned to. Throws RpcError when the node can not be asked at all, and then the book is as it was. Must not run beside anything else
 * that changes the book.
 */
export async function settleBook(book: PoolBook, venues: IndexerVenues, read: PinnedReader): Promise<Settled> {
  const stale = book.stalePools();
  const wanted = book.wantedTokens();
  const patience: Patience = { refusals: LIMITS.indexing.refusalsPerRead };
  const facts = await readWhatAnswers(wanted, (some) => readTokenFacts(some, read), patience);
  const tokens = facts.filter((token): token is TokenFacts => token !== UNANSWERED && token !== null);
  const pools = new Map<string, TrackedPool>();
  for (const [venue, { track }] of venues) {
    const ours = stale.filter((tracked) => tracked.venue === venue);
    const load = (chunk: readonly TrackedPool[]) =>
      readWhatAnswers(
        chunk,
        (some) =>
          track.load(
            some.map(({ pool }) => pool),
            read,
          ),
        patience,
      );
    const loaded = await mapBounded(chunksOf(ours, LIMITS.indexing.poolsPerLoad), LIMITS.indexing.loadsAtOnce, load);
    for (const [at, state] of loaded.flat().entries()) {
      const tracked = ours[at] as TrackedPool;
      if (state !== UNANSWERED) pools.set(tracked.pool.key, { ...tracked, state, stale: false, read: book.tip });
    }
  }
  book.settle(pools, tokens);
  const unanswered = book.stalePools().length + wanted.length - tokens.length;
  return { changed: [...pools.keys(), ...poolsWithTokens(book, new Set(tokens.map(({ address }) => address)))], unanswered };
}

/** Stands for what the node could not be asked about. */
const UNANSWERED = Symbol('unanswered');

/** How many more refusals are traced to the item that caused them: a node that refuses everything is not asked about everything one by one. */
type Patience = { refusals: number };

/**
 * Reads items together, and in ever smaller parts where that fails: an item that the node refuses to run is UNANSWERED, and null is one whose answers its venue can not
 * digest; the others do not suffer for either. Throws RpcError when the fault is not an item's.
 */
async function readWhatAnswers<Item, Result>(
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
  patience: Patience,
): Promise<readonly (Result | null | typeof UNANSWERED)[]> {
  if (items.length === 0) return [];
  try {
    return await read(items);
  } catch (error) {
    if (error instanceof RpcError && error.reason !== 'refused') throw error;
    const refused = error instanceof RpcError;
    if (refused && (items.length === 1 || patience.refusals === 0)) {
      patience.refusals = Math.max(0, patience.refusals - 1);
      return items.map(() => UNANSWERED);
    }
    if (items.length === 1) return [null];
    const middle = items.length >> 1;
    const before = await readWhatAnswers(items.slice(0, middle), read, patience);
    return [...before, ...(await readWhatAnswers(items.slice(middle), read, patience))];
  }
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Pools waited for these tokens' facts, so they are to be staged again. */
function poolsWithTokens(book: PoolBook, tokens: ReadonlySet<string>): readonly string[] {
  if (tokens.size === 0) return [];
  return [...book.keys()].filter((key) => book.pool(key)?.pool.tokens.some((token) => tokens.has(token)));
}
