import { RECORD, RECORD_KIND, UNIT_BYTES, UNIT_WORDS } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';

export type RecordKind = Exclude<keyof typeof RECORD_KIND, 'free' | 'unwritten'>;

export function unitsHolding(bytes: number): number {
  return Math.ceil(bytes / UNIT_BYTES);
}

/** Names what a block holds. The block keeps epoch 0 until it is published. `id` is that of the pool, the token or the group of prices or verdicts. */
export function headRecord(memory: SnapshotMemory, unit: number, kind: RecordKind, id: number): void {
  memory.arenaWords[unit * UNIT_WORDS + RECORD.kind] = RECORD_KIND[kind];
  memory.arenaWords[unit * UNIT_WORDS + RECORD.id] = id;
}

export function stampEpoch(memory: SnapshotMemory, unit: number, epoch: number): void {
  memory.arenaWords[unit * UNIT_WORDS + RECORD.epoch] = epoch;
}

/** The epoch that first held the record; 0 while it is staged. */
export function recordEpoch(memory: SnapshotMemory, unit: number): number {
  return memory.arenaWords[unit * UNIT_WORDS + RECORD.epoch] as number;
}

export function recordUnits(memory: SnapshotMemory, unit: number): number {
  return memory.arenaWords[unit * UNIT_WORDS + RECORD.units] as number;
}

/** Throws when a directory led to something else than it should: that is memory read outside a pin, or a bug of the writer. */
export function assertRecord(memory: SnapshotMemory, unit: number, kind: RecordKind, id: number): void {
  const at = unit * UNIT_WORDS;
  if (memory.arenaWords[at + RECORD.kind] !== RECORD_KIND[kind] || memory.arenaWords[at + RECORD.id] !== id) {
    throw new Error(`snapshot unit ${unit} does not hold the ${kind} of ${id}`);
  }
}
