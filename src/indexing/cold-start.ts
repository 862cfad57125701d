import { LIMITS } from '../config/limits.ts';
import type { IndexerVenues, VenueDeployment } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import type { BookState } from './checkpoint/checkpoint.ts';
import type { ChainHeader } from './header.ts';
import { PoolBook } from './pool-book.ts';
import type { FoundPools, PoolSearch } from './pool-search.ts';
import type { BlockInterpreter } from './read-block.ts';
import type { Refusals } from './refusals.ts';
import { RpcError } from './rpc/rpc-error.ts';
import { type Settled, settleBook } from './settle.ts';

/** What a cold start needs to know of the chain. */
export type ColdStart = {
  readonly reader: ChainReader;
  readonly interpreter: BlockInterpreter;
  readonly venues: IndexerVenues;
  readonly deployments: readonly VenueDeployment[];
  /** How far below the head the states are read. */
  readonly startDepthBlocks: number;
};

/**
 * A book built from the chain alone, a few blocks below the head: pools from the factories' logs and registries, then every state at that one block, as far as the node could be asked. From there the logs lead
 * to the head block by block, and a reorg of those blocks can be undone. Returns the head too, which is a later one where the search took long. Throws RpcError; what the search found by then it keeps.
 * `known`: which pools there were at a block that the search begins after; their states are read like those of the others.
 */
export async function buildBook(
  start: ColdStart,
  shown: ChainHeader,
  search: Pick<PoolSearch, 'upTo'>,
  refusals: Refusals,
  known: BookState | null = null,
  onStates?: (done: number, total: number) => void,
): Promise<BuiltBook> {
  const { head, base, there } = await discover(start, shown, search);
  const book = new PoolBook(base, LIMITS.indexing.journalBlocks);
  // Logs of a range are asked by number: they hold for this base only if it is still there.
  const again = await start.reader.headerAt(base.number);
  if (again?.hash !== base.hash) throw new RpcError('block-gone', `block ${base.number} changed during discovery`);
  const found = there.logs.map((log) => start.interpreter.discover(log)).filter((one) => one !== null);
  const pools = found.flatMap((one) => (one.kind === 'pool' ? [one.tracked] : []));
  const toDescribe = found.flatMap((one) => (one.kind === 'announcement' ? [one.announced] : []));
  book.describe([], [...(known?.pools ?? []), ...there.pools, ...pools], [...start.interpreter.listed(), ...(known?.announced ?? []), ...toDescribe]);
  if (known !== null) book.settle(new Map(), known.tokens);
  return { head, book, settled: await settleBook(book, start.venues, start.reader.readAt(base.hash), refusals, onStates) };
}

/** A book of what was known at a block: it goes on from there as if it had never stopped, but for what it could go back to. */
export function resumeBook({ block, pools, announced, tokens }: BookState): PoolBook {
  const book = new PoolBook(block, LIMITS.indexing.journalBlocks);
  book.settle(new Map(pools.map((tracked) => [tracked.pool.key, tracked])), tokens);
  book.describe([], [], announced);
  return book;
}

export type BuiltBook = { readonly head: ChainHeader; readonly book: PoolBook; readonly settled: Settled };

type Discovered = { readonly head: ChainHeader; readonly base: ChainHeader; readonly there: FoundPools };

/** Goes on until the block that it leads to is near the head: nodes keep the states of the last blocks only, and of a whole chain it takes longer than those. */
async function discover(start: ColdStart, shown: ChainHeader, search: Pick<PoolSearch, 'upTo'>): Promise<Discovered> {
  for (let head = shown; ; ) {
    const base = await blockBelow(start, head);
    const there = await search.upTo(start.reader, base);
    const now = await start.reader.latest();
    if (now.number - head.number <= LIMITS.indexing.startBehindBlocks) return { head, base, there };
    head = now;
  }
}

async function blockBelow({ reader, startDepthBlocks }: ColdStart, head: ChainHeader): Promise<ChainHeader> {
  const number = Math.max(0, head.number - startDepthBlocks);
  if (number === head.number) return head;
  const header = await reader.headerAt(number);
  if (header === null) throw new RpcError('block-gone', `block ${number} is not known`);
  return header;
}
