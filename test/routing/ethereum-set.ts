import { applyBlocks, isObject, loadPoolSet, readJsonFile, readPoolSet } from '../../src/pool-set/pool-set.ts';
import { createSolver } from '../../src/routing/routing.ts';
import { SnapshotReader } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress, instantNow } from '../../src/units/units.ts';
import { sharedData } from '../pool-set/shared-data.ts';
import { venues, type World } from './world.ts';

const SET = 'snapshots/tycho-ethereum-24693611';

export type RecordedRequest = { readonly sell: Address; readonly buy: Address; readonly amount: bigint };
/** The Ethereum set of March 2026 at its last block, pinned, with the requests recorded for it. */
export type EthereumSet = { readonly world: World; readonly wrappedNative: Address; readonly requests: readonly RecordedRequest[] };

export async function openEthereumSet(): Promise<EthereumSet> {
  const read = await readPoolSet(sharedData(`${SET}.snapshot.json.gz`));
  if (!read.ok) throw new Error(read.message);
  const loading = loadPoolSet(read.set, { venues, capacity: { arenaBytes: 2 ** 27 } });
  if (!loading.ok) throw new Error(loading.message);
  const { loaded } = loading;
  const applied = await applyBlocks(loaded, sharedData(`${SET}.blocks.json.gz`));
  if (!applied.ok) throw new Error(applied.message);
  const view = SnapshotReader.claim(loaded.buffers, 0).pin();
  if (view === null) throw new Error('nothing is published');
  const chain = { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 1n };
  const { solve } = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
  const pools = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).filter((pool) => pool !== undefined);
  const file = await readJsonFile(sharedData('requests/fynd-1k-requests.json.gz'));
  if (!file.ok || !isObject(file.value) || !Array.isArray(file.value.requests)) throw new Error('requests are expected');
  const requests = file.value.requests.map(([sell, buy, amount]) => ({ sell: asAddress(sell), buy: asAddress(buy), amount: BigInt(amount) }));
  return { world: { view, solve, pools }, wrappedNative: loaded.wrappedNative, requests };
}
