import { LIMITS } from '../config/limits.ts';
import { readTokenFacts } from '../market/market.ts';
import type { IndexerVenues, PinnedReader } from '../venues/venues.ts';
import { mapBounded } from './map-bounded.ts';
import type { PoolBook, TrackedPool } from './pool-book.ts';
import { RpcError } from './rpc/rpc-error.ts';

/**
 * Reads from the chain, at the book's tip, what the book can not derive: states of stale pools, facts of tokens that are new. Everything comes from the one
 * block that the reader is pinned to. Returns the keys of the pools that changed. Throws RpcError, and then the book is as it was. Must not run beside
 * anything else that changes the book.
 */
export async function settleBook(book: PoolBook, venues: IndexerVenues, read: PinnedReader): Promise<readonly string[]> {
  const stale = book.stalePools();
  const wanted = book.wantedTokens();
  const tokens = wanted.length === 0 ? [] : await readTokenFacts(wanted, read);
  const pools = new Map<string, TrackedPool>();
  for (const [venue, { track }] of venues) {
    const ours = stale.filter((tracked) => tracked.venue === venue);
    const loaded = await mapBounded(chunksOf(ours, LIMITS.indexing.poolsPerLoad), LIMITS.indexing.loadsAtOnce, (chunk) => loadStates(chunk, track.load, read));
    for (const [at, state] of loaded.flat().entries()) {
      const tracked = ours[at] as TrackedPool;
      pools.set(tracked.pool.key, { ...tracked, state, stale: false, read: book.tip });
    }
  }
  book.settle(pools, tokens);
  return [...pools.keys(), ...poolsWithTokens(book, new Set(wanted))];
}

type Load = IndexerVenues extends ReadonlyMap<string, { readonly track: { readonly load: infer L } }> ? L : never;

/** States of some pools of one venue. A pool whose answers the venue can not digest is not routable; the others do not suffer for it. */
async function loadStates(chunk: readonly TrackedPool[], load: Load, read: PinnedReader): Promise<readonly unknown[]> {
  try {
    return await load(
      chunk.map(({ pool }) => pool),
      read,
    );
  } catch (error) {
    if (error instanceof RpcError) throw error;
    if (chunk.length === 1) return [null];
    const states: unknown[] = [];
    for (const tracked of chunk) states.push(...(await loadStates([tracked], load, read)));
    return states;
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
