import type { PoolFacts, PoolView, SnapshotBuffers, SnapshotView } from '../../src/snapshot/snapshot.ts';
import { sampleAddress } from './sample-facts.ts';

// Pools whose whole content follows from the block in which they last changed, and that block follows from the epoch's block: so one look at a pool tells
// whether it is of this epoch, and whole.

export const TORN_POOLS = 64;
const CHANGED_EVERY = 4;

/** What a reader thread is given. `pins: false`: it reads as if pinning were not needed, to show that this test can fail. */
export type TornReaderData = {
  readonly buffers: SnapshotBuffers;
  readonly reads: number;
  readonly pins: boolean;
  /** Pin once and read that epoch until terminated. */
  readonly holds: boolean;
};

export type TornReaderReport = { readonly kind: 'holding' } | { readonly kind: 'done'; readonly reads: number; readonly torn: number; readonly epochs: number };

/** The last block up to `block` in which the pool changed. */
export function lastChange(pool: number, block: number): number {
  return Math.max(0, block - ((block + pool) % CHANGED_EVERY));
}

export function changesIn(pool: number, block: number): boolean {
  return block === 0 || lastChange(pool, block) === block;
}

export function tornPool(pool: number, block: number): PoolFacts {
  const stamp = stampOf(pool, block);
  return {
    key: `pool-${pool}`,
    address: sampleAddress(pool),
    hook: null,
    protocol: 'family',
    source: 'family',
    venue: 'folder',
    tokens: [sampleAddress(500 + (pool % 7)), sampleAddress(600)],
    // Sizes move between classes, so that records of different pools and lengths take each other's place.
    words: new BigUint64Array(3 + (stamp % 57)).fill(BigInt(stamp)),
    curves: [
      {
        slotIn: 0,
        slotOut: 1,
        curve: {
          kind: 'segments',
          keep: stamp,
          capacity: stamp,
          gas: stamp,
          gasPerPiece: stamp,
          gasPerLogPrice: stamp,
          columns: new Float64Array(4 * (1 + (stamp % 11))).fill(stamp),
        },
      },
    ],
  };
}

/** How many of the pools of a view are not whole, or not of its block. A view that leads to something undecodable is torn too. */
export function countTorn(view: SnapshotView): number {
  let torn = 0;
  for (let id = 0; id < view.poolCount; id++) {
    try {
      const pool = view.pool(id);
      if (pool === undefined || !isWhole(pool, id, view.block.number)) torn += 1;
    } catch {
      torn += 1;
    }
  }
  return torn;
}

function isWhole(pool: PoolView, id: number, block: number): boolean {
  const stamp = stampOf(id, lastChange(id, block));
  const curve = pool.curve(0, 1);
  if (pool.key !== `pool-${id}` || pool.words.length !== 3 + (stamp % 57) || curve?.kind !== 'segments') return false;
  if (curve.keep !== stamp || curve.gasPerPiece !== stamp || curve.gasPerLogPrice !== stamp || curve.columns.length !== 4 * (1 + (stamp % 11))) return false;
  const word = BigInt(stamp);
  return pool.words.every((value) => value === word) && curve.columns.every((value) => value === stamp);
}

function stampOf(pool: number, block: number): number {
  return block * 1024 + pool;
}
