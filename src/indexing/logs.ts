import { asAddress } from '../units/units.ts';
import type { ChainLog } from '../venues/venues.ts';
import type { ChainHeader } from './header.ts';
import type { BloomCheck } from './logs-bloom.ts';
import { decodeHex, decodeObject, decodeQuantity } from './rpc/decode.ts';
import { garbage } from './rpc/rpc-error.ts';

/** How the logs of a block are proven complete. */
export type LogsCheck = { readonly bloom: BloomCheck };

/**
 * The logs of one block, sorted by index, each once. Throws garbage when one belongs to another block, two differ under one index, the numbering has a hole,
 * or the header's bloom names an address or topic that no log carries: then the node left logs out (faults A17, A19).
 */
export function decodeBlockLogs(value: unknown, header: ChainHeader, check: LogsCheck): readonly ChainLog[] {
  return completeLogs(sortedUnique(decodeLogs(value)), header, check);
}

/** Logs of whatever blocks there were when the node looked: by the hash of their block, sorted, each once; how many, and of which block the last are. */
export type LogsByBlock = { readonly byBlock: ReadonlyMap<string, readonly ChainLog[]>; readonly count: number; readonly highest: number };

/** Logs from a block on. Nothing says that they are all of a block, before `completeLogs` does. */
export function decodeLogsByBlock(value: unknown): LogsByBlock {
  const logs = decodeLogs(value);
  const byBlock = new Map<string, ChainLog[]>();
  for (const log of logs) {
    const same = byBlock.get(log.blockHash);
    if (same === undefined) byBlock.set(log.blockHash, [log]);
    else same.push(log);
  }
  const highest = logs.reduce((most, { blockNumber }) => Math.max(most, blockNumber), 0);
  return { byBlock: new Map([...byBlock].map(([hash, some]) => [hash, sortedUnique(some)])), count: logs.length, highest };
}

/** The same logs, sorted and each once, if they are all of that block. Throws garbage as `decodeBlockLogs`. */
export function completeLogs(logs: readonly ChainLog[], header: ChainHeader, check: LogsCheck): readonly ChainLog[] {
  for (const [index, log] of logs.entries()) {
    if (log.blockHash !== header.hash || log.blockNumber !== header.number) throw garbage('a log of another block');
    if (log.logIndex !== index) throw garbage(`logs of block ${header.number} are missing: the numbering has a hole at ${index}`);
  }
  if (!check.bloom(header.logsBloom, logs)) throw garbage(`logs of block ${header.number} are missing: the bloom names more`);
  return logs;
}

/** Logs of a range of blocks, in the chain's order, each once. Throws garbage when one lies outside. */
export function decodeRangeLogs(value: unknown, fromBlock: number, toBlock: number): readonly ChainLog[] {
  const logs = sortedUnique(decodeLogs(value));
  for (const log of logs) {
    if (log.blockNumber < fromBlock || log.blockNumber > toBlock) throw garbage('a log outside the range');
  }
  return logs;
}

function decodeLogs(value: unknown): ChainLog[] {
  if (!Array.isArray(value)) throw garbage('logs are not a list');
  return value.map(decodeLog);
}

function decodeLog(value: unknown): ChainLog {
  const log = decodeObject(value);
  if (log.removed === true) throw garbage('a removed log');
  if (!Array.isArray(log.topics) || log.topics.length > 4) throw garbage('topics are not a short list');
  return {
    address: asAddress(decodeHex(log.address, 20)),
    topics: log.topics.map((topic: unknown) => decodeHex(topic, 32)),
    data: decodeHex(log.data),
    blockHash: decodeHex(log.blockHash, 32),
    blockNumber: decodeQuantity(log.blockNumber),
    logIndex: decodeQuantity(log.logIndex),
  };
}

function sortedUnique(logs: ChainLog[]): ChainLog[] {
  logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  return logs.filter((log, at) => {
    const before = logs[at - 1];
    if (before === undefined || before.blockNumber !== log.blockNumber || before.logIndex !== log.logIndex) return true;
    if (JSON.stringify(before) !== JSON.stringify(log)) throw garbage('two logs under one index');
    return false;
  });
}
