import type { SnapshotCapacity } from './buffers.ts';

// Every offset of the shared memory, in one place. Words are 32 bits, units are 16 bytes.

export const UNIT_BYTES = 16;
export const UNIT_WORDS = UNIT_BYTES / 4;

/** Words of the control buffer. Line 0 is fixed at allocation, line 1 is the writer's and the main thread's, then one line per reader row. */
export const CONTROL = {
  magic: 0,
  slots: 1,
  pools: 2,
  tokens: 3,
  readers: 4,
  arenaUnits: 5,
  /** Float64 (index in doubles): the instant of allocation; rows tell time in milliseconds since then. */
  baseInstantDouble: 4,
  head: 16,
  reclaimedPins: 17,
  rows: 32,
} as const;

/** A reader row is one cache line, so that readers do not slow each other. */
export const ROW_WORDS = 16;

/** Words of a reader row. `pinned` 0: no pin. `owner` 0: free, else thread id + 1 (the main thread's id is 0). */
export const ROW = { pinned: 0, owner: 1, sinceMs: 2, cancel: 3 } as const;

/** Words of a directory's header; the columns follow it. */
export const DIRECTORY = {
  epoch: 0,
  tokenCount: 1,
  poolCount: 2,
  hashBytes: 3,
  hasBaseFee: 4,
  /** Index in doubles. */
  blockNumberDouble: 3,
  timestampDouble: 4,
  /** Index in 64-bit limbs; four of them. */
  baseFeeLimb: 5,
  baseFeeLimbs: 4,
  /** Index in bytes; 32 of them. */
  hashByte: 72,
  hashBytesMax: 32,
  headerBytes: 128,
} as const;

/** Words of a record's header. `epoch` 0: staged, not yet published. */
export const RECORD = { epoch: 0, units: 1, kind: 2, id: 3, headerBytes: 16 } as const;

/** What a record is. `free` is a block on the writer's lists, `unwritten` one that was handed out and has no content yet. */
export const RECORD_KIND = { free: 0, poolState: 1, poolIdentity: 2, edges: 3, prices: 4, unwritten: 5, verdicts: 6 } as const;

/** Tokens per price record. */
export const PRICES_PER_RECORD = 64;

/** Tokens per record of verdicts. */
export const VERDICTS_PER_RECORD = 64;

export const ADDRESS_BYTES = 20;

/** Set in a directory's pool column when the pool is gone; the rest is then the unit of its identity record, which keeps the id its own until all are taken. */
export const ABSENT = 0x8000_0000 | 0;
export const UNIT_MASK = 0x7fff_ffff;

const MAGIC = 0x42524431;
const CACHE_LINE_BYTES = 64;
const BOUNDS = { pools: 2 ** 24, tokens: 2 ** 24, readers: 1024, slots: 4096, arenaUnits: 2 ** 29 } as const;

export type SnapshotLayout = {
  readonly slots: number;
  readonly pools: number;
  readonly tokens: number;
  readonly readers: number;
  readonly arenaUnits: number;
  readonly priceRecords: number;
  readonly verdictRecords: number;
  /** Words of one directory, and where its columns start within it. */
  readonly slotWords: number;
  readonly pricesWord: number;
  readonly verdictsWord: number;
  readonly edgesWord: number;
  readonly poolsWord: number;
  /** Token addresses by id, behind the ring: assigned once, so that no epoch needs its own. */
  readonly addressesByte: number;
  readonly controlBytes: number;
  readonly directoriesBytes: number;
  readonly arenaBytes: number;
};

/** Lays out a capacity. Throws RangeError on sizes that can not be addressed. */
export function layOut(capacity: SnapshotCapacity): SnapshotLayout {
  const { slots, pools, tokens, readers, arenaBytes } = capacity;
  const arenaUnits = Math.floor(arenaBytes / UNIT_BYTES);
  assertBetween('pools', pools, 1, BOUNDS.pools);
  assertBetween('tokens', tokens, 2, BOUNDS.tokens);
  assertBetween('readers', readers, 1, BOUNDS.readers);
  assertBetween('slots', slots, 2, BOUNDS.slots);
  assertBetween('arena units', arenaUnits, 64, BOUNDS.arenaUnits);
  const priceRecords = Math.ceil(tokens / PRICES_PER_RECORD);
  const verdictRecords = Math.ceil(tokens / VERDICTS_PER_RECORD);
  const pricesWord = DIRECTORY.headerBytes / 4;
  const verdictsWord = pricesWord + priceRecords;
  const edgesWord = verdictsWord + verdictRecords;
  const poolsWord = edgesWord + tokens;
  const slotWords = roundUp((poolsWord + pools) * 4, CACHE_LINE_BYTES) / 4;
  const addressesByte = slots * slotWords * 4;
  return {
    slots,
    pools,
    tokens,
    readers,
    arenaUnits,
    priceRecords,
    verdictRecords,
    slotWords,
    pricesWord,
    verdictsWord,
    edgesWord,
    poolsWord,
    addressesByte,
    controlBytes: (CONTROL.rows + readers * ROW_WORDS) * 4,
    directoriesBytes: roundUp(addressesByte + tokens * ADDRESS_BYTES, CACHE_LINE_BYTES),
    arenaBytes: arenaUnits * UNIT_BYTES,
  };
}

/** Stamps a fresh control buffer with its layout. */
export function stampLayout(control: Int32Array, layout: SnapshotLayout): void {
  control[CONTROL.magic] = MAGIC;
  control[CONTROL.slots] = layout.slots;
  control[CONTROL.pools] = layout.pools;
  control[CONTROL.tokens] = layout.tokens;
  control[CONTROL.readers] = layout.readers;
  control[CONTROL.arenaUnits] = layout.arenaUnits;
}

/** Reads the layout back in another thread. Throws when the buffers are not those of one snapshot, or this code lays out differently. */
export function readLayout(buffers: {
  readonly control: SharedArrayBuffer;
  readonly directories: SharedArrayBuffer;
  readonly arena: SharedArrayBuffer;
}): SnapshotLayout {
  const control = new Int32Array(buffers.control);
  if (control[CONTROL.magic] !== MAGIC) throw new Error('not the control buffer of a snapshot');
  const word = (at: number): number => control[at] as number;
  const layout = layOut({
    slots: word(CONTROL.slots),
    pools: word(CONTROL.pools),
    tokens: word(CONTROL.tokens),
    readers: word(CONTROL.readers),
    arenaBytes: word(CONTROL.arenaUnits) * UNIT_BYTES,
  });
  const sizes = [buffers.control.byteLength, buffers.directories.byteLength, buffers.arena.byteLength];
  const expected = [layout.controlBytes, layout.directoriesBytes, layout.arenaBytes];
  if (sizes.join() !== expected.join()) throw new Error(`snapshot buffers of ${sizes} bytes, expected ${expected}`);
  return layout;
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

function assertBetween(what: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) throw new RangeError(`snapshot ${what}: ${value} is not an integer ${min} … ${max}`);
}

/** The overlaps that would corrupt silently: typed arrays ignore writes out of range. Runs once, when the module is loaded. */
function assertLayoutConstants(): void {
  const facts: readonly (readonly [string, boolean])[] = [
    ['rows start on a cache line', (CONTROL.rows * 4) % CACHE_LINE_BYTES === 0 && ROW_WORDS * 4 === CACHE_LINE_BYTES],
    ['the fixed words end before the base instant', CONTROL.arenaUnits * 4 < CONTROL.baseInstantDouble * 8],
    ['the base instant ends before the head', (CONTROL.baseInstantDouble + 1) * 8 <= CONTROL.head * 4],
    ['the head ends before the rows', CONTROL.reclaimedPins < CONTROL.rows],
    ['directory words end before the doubles', (DIRECTORY.hasBaseFee + 1) * 4 <= DIRECTORY.blockNumberDouble * 8],
    ['doubles end before the base fee', (DIRECTORY.timestampDouble + 1) * 8 <= DIRECTORY.baseFeeLimb * 8],
    ['the base fee ends before the hash', (DIRECTORY.baseFeeLimb + DIRECTORY.baseFeeLimbs) * 8 <= DIRECTORY.hashByte],
    ['the hash ends before the columns', DIRECTORY.hashByte + DIRECTORY.hashBytesMax <= DIRECTORY.headerBytes],
    ['a record header is one unit', RECORD.headerBytes === UNIT_BYTES && RECORD.id < UNIT_WORDS],
    ['units fit beside the absence mark', BOUNDS.arenaUnits <= UNIT_MASK],
  ];
  for (const [what, holds] of facts) if (!holds) throw new Error(`snapshot layout: ${what} does not hold`);
}

assertLayoutConstants();
