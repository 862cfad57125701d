import type { PoolSetBlocks } from '../../schemas/pool-set.gen.ts';
import type { EpochSeconds } from '../units/units.ts';
import { readJsonFile } from './json-file.ts';
import { type LoadedPoolSet, putPool } from './load-pool-set.ts';
import { poolKey } from './pool-entry.ts';
import { checkBlocks } from './schema.ts';

export type AppliedBlocks =
  | { readonly ok: true; readonly blocks: number; readonly changed: number; readonly removed: number }
  | { readonly ok: false; readonly message: string };

/** Applies a file of block deltas (design/pool-set) later than the one described, up to and with block `upto`; publishes an epoch per block. */
export async function applyBlocks(loaded: LoadedPoolSet, path: string, upto = Number.MAX_SAFE_INTEGER): Promise<AppliedBlocks> {
  const file = await readJsonFile(path);
  if (!file.ok) return file;
  const checked = checkBlocks(file.value);
  if (!checked.ok) return { ok: false, message: `${path} holds no block deltas: ${checked.message}` };
  const blocks = checked.value.blocks.filter(({ block }) => block > loaded.block.number && block <= upto);
  const counts = blocks.map((block) => applyBlock(loaded, block));
  const sum = (of: (count: { changed: number; removed: number }) => number) => counts.reduce((total, count) => total + of(count), 0);
  return { ok: true, blocks: blocks.length, changed: sum(({ changed }) => changed), removed: sum(({ removed }) => removed) };
}

/**
 * Applies one block and publishes it. A changed pool that the set does not hold is taken in when the delta describes it whole; one that the change
 * corrupts is left out, and comes back with the change that mends it.
 */
export function applyBlock(loaded: LoadedPoolSet, delta: PoolSetBlocks['blocks'][number]): { readonly changed: number; readonly removed: number } {
  const { entries, tally, writer } = loaded;
  const removed = new Set((delta.removed ?? []).map(poolKey).filter((key) => entries.has(key)));
  for (const key of removed) {
    entries.delete(key);
    tally.drop(key);
    writer.removePool(key);
  }
  const changed = Object.entries(delta.changed);
  for (const [id, fields] of changed) {
    const key = poolKey(id);
    const known = entries.get(key);
    const at = known?.at ?? `block ${delta.block}: ${JSON.stringify(id.slice(0, 66))}`;
    entries.set(key, { entry: { ...known?.entry, ...fields, id: known?.entry.id ?? id }, at });
    putPool(loaded, key);
  }
  loaded.block = {
    number: delta.block,
    hash: (delta.hash?.toLowerCase() ?? `0x${'0'.repeat(64)}`) as `0x${string}`,
    timestamp: (delta.timestamp ?? loaded.block.timestamp) as EpochSeconds,
    baseFeePerGas: loaded.block.baseFeePerGas,
  };
  writer.publish(loaded.block);
  return { changed: changed.length, removed: removed.size };
}
