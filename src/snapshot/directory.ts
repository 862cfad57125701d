import type { EpochSeconds } from '../units/units.ts';
import type { BlockRef } from './facts.ts';
import { DIRECTORY, PRICES_PER_RECORD, VERDICTS_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';

/** The columns of a directory as the writer keeps them: what the next epoch will show. */
export type DirectoryColumns = {
  /** Unit of each group of prices; 0: nothing is known of its tokens. */
  readonly prices: Int32Array;
  /** Unit of each group of verdicts; 0: none of its tokens was measured. */
  readonly verdicts: Int32Array;
  /** Unit of each token's edge record; 0: no edge. */
  readonly edges: Int32Array;
  /** Unit of each pool's state; with the absence mark: the unit of its identity. */
  readonly pools: Int32Array;
};

/** First word of the directory of an epoch. */
export function directoryWord(memory: SnapshotMemory, epoch: number): number {
  return (epoch % memory.layout.slots) * memory.layout.slotWords;
}

/** Writes the root of an epoch into its slot. Nobody sees it before the head names the epoch. */
export function writeDirectory(memory: SnapshotMemory, epoch: number, block: BlockRef, columns: DirectoryColumns, tokenCount: number, poolCount: number): void {
  const { layout, directoryWords: words } = memory;
  const at = directoryWord(memory, epoch);
  words[at + DIRECTORY.epoch] = epoch;
  words[at + DIRECTORY.tokenCount] = tokenCount;
  words[at + DIRECTORY.poolCount] = poolCount;
  writeBlock(memory, at, block);
  words.set(columns.prices.subarray(0, Math.ceil(tokenCount / PRICES_PER_RECORD)), at + layout.pricesWord);
  words.set(columns.verdicts.subarray(0, Math.ceil(tokenCount / VERDICTS_PER_RECORD)), at + layout.verdictsWord);
  words.set(columns.edges.subarray(0, tokenCount), at + layout.edgesWord);
  words.set(columns.pools.subarray(0, poolCount), at + layout.poolsWord);
}

/** Reads the block that a directory describes. */
export function readBlock(memory: SnapshotMemory, at: number): BlockRef {
  const hashBytes = memory.directoryWords[at + DIRECTORY.hashBytes] as number;
  const hash = Buffer.from(memory.directories, at * 4 + DIRECTORY.hashByte, hashBytes).toString('hex');
  let baseFee = 0n;
  for (let i = DIRECTORY.baseFeeLimbs - 1; i >= 0; i--) baseFee = (baseFee << 64n) | (memory.directoryLimbs[at / 2 + DIRECTORY.baseFeeLimb + i] as bigint);
  return {
    number: memory.directoryDoubles[at / 2 + DIRECTORY.blockNumberDouble] as number,
    hash: `0x${hash}`,
    timestamp: memory.directoryDoubles[at / 2 + DIRECTORY.timestampDouble] as EpochSeconds,
    baseFeePerGas: memory.directoryWords[at + DIRECTORY.hasBaseFee] === 0 ? null : baseFee,
  };
}

/** Throws TypeError on a block that a directory can not hold. */
export function assertBlock(block: BlockRef): void {
  if (!Number.isSafeInteger(block.number) || block.number < 0) throw new TypeError(`block number ${block.number}`);
  if (!HASH.test(block.hash)) throw new TypeError(`block hash ${block.hash.slice(0, 80)}`);
  const fee = block.baseFeePerGas;
  if (fee !== null && (fee < 0n || fee >> 256n !== 0n)) throw new TypeError(`base fee ${fee}`);
}

function writeBlock(memory: SnapshotMemory, at: number, block: BlockRef): void {
  const hash = Buffer.from(block.hash.slice(2), 'hex');
  new Uint8Array(memory.directories, at * 4 + DIRECTORY.hashByte, hash.length).set(hash);
  memory.directoryWords[at + DIRECTORY.hashBytes] = hash.length;
  memory.directoryDoubles[at / 2 + DIRECTORY.blockNumberDouble] = block.number;
  memory.directoryDoubles[at / 2 + DIRECTORY.timestampDouble] = block.timestamp;
  memory.directoryWords[at + DIRECTORY.hasBaseFee] = block.baseFeePerGas === null ? 0 : 1;
  let rest = block.baseFeePerGas ?? 0n;
  for (let i = 0; i < DIRECTORY.baseFeeLimbs; i++, rest >>= 64n) memory.directoryLimbs[at / 2 + DIRECTORY.baseFeeLimb + i] = BigInt.asUintN(64, rest);
}

// A chain's hash has 32 bytes; a frozen pool set may carry a shorter one, or none.
const HASH = /^0x(?:[0-9a-fA-F]{2}){0,32}$/;
