import { LIMITS } from '../config/limits.ts';
import type { Ahead } from './ahead.ts';
import type { ChainReader } from './chain-reader.ts';
import type { ChainHeader } from './header.ts';
import type { PoolBook } from './pool-book.ts';
import { RpcError } from './rpc/rpc-error.ts';

/** How the node's head relates to what the book knows. */
export type Branch =
  /** Go back to `ancestor` (the tip itself when nothing is undone), then forward through `headers`. */
  | { readonly kind: 'branch'; readonly ancestor: `0x${string}`; readonly headers: readonly ChainHeader[] }
  /** The two have no block in common that can be rolled back to, or lie too far apart: build anew. */
  | { readonly kind: 'lost' };

/** Walks from a head to a block of the book's journal. Throws RpcError 'block-gone' when the chain changes under the walk. */
export async function findBranch(reader: ChainReader, book: PoolBook, head: ChainHeader, ahead: Ahead): Promise<Branch> {
  if (book.depthOf(head.hash) !== null) return { kind: 'branch', ancestor: head.hash, headers: [] };
  if (head.number - book.tip.number > LIMITS.indexing.catchUpBlocks) return { kind: 'lost' };
  const descending = [head, ...(await ahead.linkedBelow(reader, head, book.tip.number))];
  for (;;) {
    const lowest = descending.at(-1) as ChainHeader;
    if (book.depthOf(lowest.parentHash) !== null) return { kind: 'branch', ancestor: lowest.parentHash, headers: descending.reverse() };
    if (lowest.number <= book.base.number || lowest.number === 0) return { kind: 'lost' };
    const parent = await ahead.header(reader, lowest.parentHash);
    if (parent?.number !== lowest.number - 1) ahead.doubt(parent === null ? [lowest] : [lowest, parent]);
    if (parent === null) throw new RpcError('block-gone', `the parent of block ${lowest.number} is not known`);
    if (parent.number !== lowest.number - 1) throw new RpcError('garbage', `the parent of block ${lowest.number} has number ${parent.number}`);
    descending.push(parent);
  }
}
