import { type LoadedPoolSet, loadPoolSet, type PoolSet, readPoolSet } from '../../src/pool-set/pool-set.ts';
import { createSolver } from '../../src/routing/routing.ts';
import { SnapshotReader } from '../../src/snapshot/snapshot.ts';
import { instantNow } from '../../src/units/units.ts';
import { sharedData } from '../pool-set/shared-data.ts';
import { venues, type World } from './world.ts';

const ARENA_BYTES = 2 ** 27;

export async function recordedSet(name: string): Promise<PoolSet> {
  const read = await readPoolSet(sharedData(`${name}.snapshot.json.gz`));
  if (!read.ok) throw new Error(read.message);
  return read.set;
}

/** A recorded set of Ethereum, published and pinned, with a solver for it. `beforehand`: what is done to it before it is pinned. */
export async function recordedWorld(set: PoolSet, beforehand: (loaded: LoadedPoolSet) => Promise<unknown> = async () => undefined): Promise<World> {
  const loading = loadPoolSet(set, { venues, capacity: { arenaBytes: ARENA_BYTES } });
  if (!loading.ok) throw new Error(loading.message);
  const { loaded } = loading;
  await beforehand(loaded);
  const view = SnapshotReader.claim(loaded.buffers, 0).pin();
  if (view === null) throw new Error('nothing is published');
  const chain = { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 1n };
  const { solve } = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
  const pools = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).filter((pool) => pool !== undefined);
  return { view, solve, pools };
}
