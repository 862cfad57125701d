import { isDeepStrictEqual } from 'node:util';
import type { IndexerVenues } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import type { PoolBook, TrackedPool } from './pool-book.ts';

/** Pools whose followed state differs from what the chain says. */
export type AuditFinding = { readonly key: string; readonly venue: string };

/**
 * Compares a few pools, in turn, with the chain at the book's tip: following logs is only right as long as a venue's logs tell everything (complaint 14).
 * `turn` counts the pools audited so far. Throws RpcError when the chain can not be asked.
 */
export async function auditPools(
  book: PoolBook,
  keys: readonly string[],
  turn: number,
  count: number,
  venues: IndexerVenues,
  reader: ChainReader,
): Promise<readonly AuditFinding[]> {
  const picked = pick(book, keys, turn, count);
  const read = reader.readAt(book.tip.hash);
  const findings: AuditFinding[] = [];
  for (const [venue, { track }] of venues) {
    const ours = picked.filter((tracked) => tracked.venue === venue);
    if (ours.length === 0) continue;
    const states = await track.load(
      ours.map(({ pool }) => pool),
      read,
    );
    for (const [at, tracked] of ours.entries()) if (!isDeepStrictEqual(states[at], tracked.state)) findings.push({ key: tracked.pool.key, venue });
  }
  return findings;
}

function pick(book: PoolBook, keys: readonly string[], turn: number, count: number): readonly TrackedPool[] {
  const picked: TrackedPool[] = [];
  for (let i = 0; i < Math.min(count, keys.length); i++) {
    const tracked = book.pool(keys[(turn + i) % keys.length] as string);
    if (tracked !== undefined && !tracked.stale) picked.push(tracked);
  }
  return picked;
}
