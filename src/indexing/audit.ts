import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../config/limits.ts';
import { type IndexerVenues, momentOf } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import type { PoolBook } from './pool-book.ts';
import type { TrackedPool } from './tracked-pool.ts';

/** Pools whose followed state differs from what the chain says. */
export type AuditFinding = { readonly key: string; readonly venue: string };

/** Pools that were touched lately come first: a log that neither bloom nor numbering miss was emitted by one of them. The others follow in turn. */
export function pickForAudit(touched: ReadonlySet<string>, all: readonly string[], turn: number): readonly string[] {
  const { touched: most, inTurn } = LIMITS.indexing.auditPoolsPerBlock;
  const picked = new Set([...touched].slice(0, most));
  for (let i = 0; i < Math.min(inTurn, all.length); i++) picked.add(all[(turn + i) % all.length] as string);
  return [...picked];
}

/**
 * Compares pools with the chain at the book's tip: following logs is only right as long as a venue's logs tell everything and the node tells all of them
 * (complaint 14). Throws RpcError when the chain can not be asked.
 */
export async function auditPools(book: PoolBook, keys: readonly string[], venues: IndexerVenues, reader: ChainReader): Promise<readonly AuditFinding[]> {
  const picked: readonly TrackedPool[] = keys
    .map((key) => book.pool(key))
    .filter((tracked) => tracked !== undefined)
    // What drifts with time is meant to differ.
    .filter(({ stale, rereading }) => !stale && rereading.kind !== 'age');
  const read = reader.readAt(book.tip.hash);
  const at = momentOf(book.tip);
  const findings: AuditFinding[] = [];
  for (const [venue, { track }] of venues) {
    const ours = picked.filter((tracked) => tracked.venue === venue);
    if (ours.length === 0) continue;
    const states = await track.load(
      ours.map(({ pool }) => pool),
      read,
      at,
    );
    for (const [index, tracked] of ours.entries()) if (!isDeepStrictEqual(states[index], tracked.state)) findings.push({ key: tracked.pool.key, venue });
  }
  return findings;
}
