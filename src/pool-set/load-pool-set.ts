import { type Chain, chainById, stablecoinsOf } from '../chains/chains.ts';
import { LIMITS } from '../config/limits.ts';
import { allocateSnapshot, type BlockRef, type SnapshotBuffers, type SnapshotCapacity, SnapshotWriter } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import { type DecimalsOf, type PoolSetVenues, poolKey, takePool } from './pool-entry.ts';
import { approxUsdPrices } from './prices.ts';
import type { PoolSet } from './read-pool-set.ts';
import { isObject } from './schema.ts';
import { createTally, type Tally } from './tally.ts';

export type LoadOptions = {
  readonly venues: PoolSetVenues;
  /** Sizes of the snapshot that differ from the service's own; `readers` is twice the threads that will read. */
  readonly capacity?: Partial<SnapshotCapacity>;
};

/** A pool set in shared memory, as the indexer would have built it. */
export type LoadedPoolSet = {
  readonly chain: Chain;
  readonly wrappedNative: Address;
  readonly buffers: SnapshotBuffers;
  readonly writer: SnapshotWriter;
  readonly venues: PoolSetVenues;
  readonly set: PoolSet;
  /** Every entry with a usable id by pool key, as block deltas left it; also those left out, which a delta may mend. */
  readonly entries: Map<string, { readonly entry: Readonly<Record<string, unknown>>; readonly at: string }>;
  /** What is in the snapshot and what is left out, kept up to date by applyBlocks. */
  readonly tally: Tally;
  /** The block of the last published epoch. */
  block: BlockRef;
};

export type LoadResult = { readonly ok: true; readonly loaded: LoadedPoolSet } | { readonly ok: false; readonly message: string };

/** Builds and publishes the snapshot of a pool set, through the same facets as the indexer. A pool that can not be taken is left out and counted. */
export function loadPoolSet(set: PoolSet, { venues, capacity }: LoadOptions): LoadResult {
  const known = chainById(set.chainId);
  const wrappedNative = set.wrappedNative ?? known?.wrappedNative ?? null;
  if (wrappedNative === null)
    return { ok: false, message: `chain ${set.chainId} has no wrapped native token in the catalogue; the file has to name it: wrappedNative` };
  const chain = known ?? { chainId: set.chainId, name: `chain-${set.chainId}`, aliases: [], wrappedNative: null, minimumGasPriceWei: 0n };
  const { arenaBytes, pools, tokens, slots } = LIMITS.snapshot;
  const buffers = allocateSnapshot({ arenaBytes, pools, tokens, slots, readers: 2, ...capacity });
  const writer = new SnapshotWriter(buffers);
  const loaded: LoadedPoolSet = { chain, wrappedNative, buffers, writer, venues, set, entries: new Map(), tally: createTally(), block: set.block };
  setTokens(loaded);
  for (const [index, entry] of set.entries.entries()) loadEntry(loaded, entry, `$.pools[${index}]`);
  writer.publish(set.block);
  return { ok: true, loaded };
}

function setTokens({ set, wrappedNative, writer }: LoadedPoolSet): void {
  const usdOf = approxUsdPrices(set.tokens, wrappedNative, stablecoinsOf(set.chainId));
  for (const [address, token] of set.tokens) writer.setToken({ address, decimals: token.decimals, usd: usdOf(address) });
}

function decimalsIn({ tokens }: PoolSet): DecimalsOf {
  return (token) => tokens.get(token)?.decimals ?? null;
}

/** Takes in an entry of the file; of several with one id the first counts. */
function loadEntry(loaded: LoadedPoolSet, entry: unknown, at: string): void {
  const { entries, tally } = loaded;
  const key = isObject(entry) && typeof entry.id === 'string' ? poolKey(entry.id) : null;
  if (key === null || !isObject(entry)) {
    const taken = takePool(entry, at, loaded.venues, decimalsIn(loaded.set));
    if (!taken.ok) tally.leaveOut(null, taken.kind, taken.reason, taken.message);
    return;
  }
  if (entries.has(key)) {
    tally.leaveOut(null, String(entry.kind).slice(0, 40), 'duplicate', `${at}: the id ${key.slice(0, 66)} is taken`);
    return;
  }
  entries.set(key, { entry, at });
  putPool(loaded, key);
}

/** Brings the snapshot and the tally in line with an entry. */
export function putPool({ entries, set, tally, venues, writer }: LoadedPoolSet, key: string): void {
  const known = entries.get(key);
  if (known === undefined) return;
  const taken = takePool(known.entry, known.at, venues, decimalsIn(set));
  if (!taken.ok) {
    writer.removePool(key);
    tally.leaveOut(key, taken.kind, taken.reason, taken.message);
    return;
  }
  const put = writer.setPool(taken.facts);
  if (put.ok) tally.take(key, taken.kind, taken.facts.source);
  else tally.leaveOut(key, taken.kind, 'snapshot-full', `${known.at}: ${put.reason}`);
}
