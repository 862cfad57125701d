import { instantNow } from '../units/units.ts';
import type { SnapshotBuffers } from './buffers.ts';
import { CONTROL, ROW, ROW_WORDS } from './layout.ts';

// The rows by which reader threads tell the writer what they look at. A row belongs to one thread from its claim until the main thread has seen that
// thread's exit event. Words of a row are written by its owner, except the cancel word (main thread) and the release (main thread, owner dead).

/** A pin that has been held too long. */
export type OverduePin = { readonly threadId: number; readonly heldMs: number };

/** Claims a free row for a thread and returns its first word. Throws when all rows are taken: there are twice as many as threads. */
export function claimRow(control: Int32Array, threadId: number): number {
  if (!Number.isInteger(threadId) || threadId < 0) throw new RangeError(`thread id ${threadId}`);
  for (const row of rows(control)) {
    if (Atomics.compareExchange(control, row + ROW.owner, 0, threadId + 1) === 0) return row;
  }
  throw new Error('no free reader row: rows of dead threads were not released');
}

/**
 * Pins the head for a row and returns its epoch, 0 when nothing is published yet. The writer stores a new head first and scans the rows after, so once the
 * head still is what the row says, every later scan sees the pin.
 */
export function pinRow(control: Int32Array, row: number, sinceMs: number): number {
  Atomics.store(control, row + ROW.cancel, 0);
  // Before the pin, so that whoever sees the pin sees its time and not that of an older one.
  Atomics.store(control, row + ROW.sinceMs, sinceMs);
  let epoch: number;
  do {
    epoch = Atomics.load(control, CONTROL.head);
    if (epoch === 0) return 0;
    Atomics.store(control, row + ROW.pinned, epoch);
  } while (Atomics.load(control, CONTROL.head) !== epoch);
  return epoch;
}

export function unpinRow(control: Int32Array, row: number): void {
  Atomics.store(control, row + ROW.pinned, 0);
}

/** The epochs that readers hold now, each once. */
export function pinnedEpochs(control: Int32Array): readonly number[] {
  const epochs: number[] = [];
  for (const row of rows(control)) {
    const epoch = Atomics.load(control, row + ROW.pinned);
    if (epoch !== 0 && !epochs.includes(epoch)) epochs.push(epoch);
  }
  return epochs;
}

/** Milliseconds since the snapshot was allocated, wrapped to 32 bits: differences hold for 24 days. */
export function rowClock(control: Int32Array): () => number {
  const base = new Float64Array(control.buffer)[CONTROL.baseInstantDouble] as number;
  return () => (instantNow() - base) | 0;
}

/** Asks the thread to give up what it does. Main thread. The word stays set until the thread's next pin. */
export function cancelReader(buffers: SnapshotBuffers, threadId: number): void {
  const control = new Int32Array(buffers.control);
  for (const row of rowsOf(control, threadId)) Atomics.store(control, row + ROW.cancel, 1);
}

/**
 * Frees the rows of a thread, with any pin it died with, and returns how many pins that were. Main thread, after the thread's exit event only: the memory
 * under a living reader is never taken away.
 */
export function releaseReaderRows(buffers: SnapshotBuffers, threadId: number): number {
  const control = new Int32Array(buffers.control);
  let reclaimed = 0;
  for (const row of rowsOf(control, threadId)) {
    if (Atomics.exchange(control, row + ROW.pinned, 0) !== 0) reclaimed += 1;
    Atomics.store(control, row + ROW.cancel, 0);
    Atomics.store(control, row + ROW.owner, 0);
  }
  Atomics.add(control, CONTROL.reclaimedPins, reclaimed);
  return reclaimed;
}

/** Pins held for longer than `olderThanMs`. For the watchdog, which terminates the thread. */
export function overduePins(buffers: SnapshotBuffers, olderThanMs: number): readonly OverduePin[] {
  const control = new Int32Array(buffers.control);
  const now = rowClock(control);
  const overdue: OverduePin[] = [];
  for (const row of rows(control)) {
    const owner = Atomics.load(control, row + ROW.owner);
    if (owner === 0 || Atomics.load(control, row + ROW.pinned) === 0) continue;
    const heldMs = (now() - Atomics.load(control, row + ROW.sinceMs)) | 0;
    if (heldMs > olderThanMs) overdue.push({ threadId: owner - 1, heldMs });
  }
  return overdue;
}

/** The epoch that a pin would see now; 0 before the first publish. */
export function headEpoch(buffers: SnapshotBuffers): number {
  return Atomics.load(new Int32Array(buffers.control), CONTROL.head);
}

function* rows(control: Int32Array): Generator<number> {
  for (let row = CONTROL.rows; row < control.length; row += ROW_WORDS) yield row;
}

function rowsOf(control: Int32Array, threadId: number): readonly number[] {
  return [...rows(control)].filter((row) => Atomics.load(control, row + ROW.owner) === threadId + 1);
}
