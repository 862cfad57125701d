import { type LoadedPoolSet, loadPoolSet, type PoolSetVenues, parsePoolSet, readPoolSet } from '../../src/pool-set/pool-set.ts';
import { releaseReaderRows, type SnapshotCapacity, SnapshotReader, type SnapshotView } from '../../src/snapshot/snapshot.ts';

/** Small sizes: the tests load many sets. */
const CAPACITY: Partial<SnapshotCapacity> = { arenaBytes: 64 * 2 ** 20, pools: 4096, tokens: 4096, slots: 16 };

/** Loads a document or a file, which has to be a pool set. */
export async function loaded(source: string | object, venues: PoolSetVenues, capacity = CAPACITY): Promise<LoadedPoolSet> {
  const read = typeof source === 'string' ? await readPoolSet(source) : parsePoolSet(source);
  if (!read.ok) throw new Error(read.message);
  const result = loadPoolSet(read.set, { venues, capacity });
  if (!result.ok) throw new Error(result.message);
  return result.loaded;
}

/** Shows what readers of the set see now. */
export function pinned<T>({ buffers }: LoadedPoolSet, look: (view: SnapshotView) => T): T {
  const reader = SnapshotReader.claim(buffers, 0);
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  try {
    return look(view);
  } finally {
    reader.unpin();
    releaseReaderRows(buffers, 0);
  }
}

export function poolKeys(view: SnapshotView): readonly string[] {
  return Array.from({ length: view.poolCount }, (_, id) => view.pool(id)?.key).filter((key) => key !== undefined);
}

export function poolOf(view: SnapshotView, key: string) {
  for (let id = 0; id < view.poolCount; id++) {
    const pool = view.pool(id);
    if (pool?.key === key) return pool;
  }
  return undefined;
}
