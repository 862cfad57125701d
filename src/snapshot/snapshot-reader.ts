import type { SnapshotBuffers } from './buffers.ts';
import { ROW } from './layout.ts';
import { openMemory, type SnapshotMemory } from './memory.ts';
import { PinnedView } from './pinned-view.ts';
import { claimRow, pinRow, rowClock, unpinRow } from './reader-rows.ts';
import { RecordCache } from './record-cache.ts';
import type { SnapshotView } from './view.ts';

/** One thread's way into the snapshot of one chain. Used in that thread only; holds one pin at a time, within one synchronous piece of work. */
export class SnapshotReader {
  readonly #memory: SnapshotMemory;
  readonly #row: number;
  readonly #clock: () => number;
  readonly #cache: RecordCache;
  #view: PinnedView | undefined;
  #pinned = false;

  private constructor(memory: SnapshotMemory, row: number, clock: () => number) {
    this.#memory = memory;
    this.#row = row;
    this.#clock = clock;
    this.#cache = new RecordCache(memory);
  }

  /**
   * Claims a reader row for a thread (`threadId` of node:worker_threads). The row is given back by releaseReaderRows after the thread's exit event.
   * Throws when every row is taken.
   */
  static claim(buffers: SnapshotBuffers, threadId: number): SnapshotReader {
    const memory = openMemory(buffers);
    return new SnapshotReader(memory, claimRow(memory.control, threadId), rowClock(memory.control));
  }

  /** Pins the newest epoch; unpin in `finally`. Null when nothing is published yet. Clears an earlier cancel. Throws when already pinned. */
  pin(): SnapshotView | null {
    if (this.#pinned) throw new Error('this reader holds a pin already');
    const epoch = pinRow(this.#memory.control, this.#row, this.#clock());
    if (epoch === 0) return null;
    this.#pinned = true;
    if (this.#view?.epoch === epoch) this.#view.reopen();
    else this.#view = new PinnedView(this.#memory, this.#cache, epoch);
    return this.#view;
  }

  /** Gives the pin up. Nothing happens without one. */
  unpin(): void {
    if (!this.#pinned) return;
    this.#pinned = false;
    this.#view?.close();
    unpinRow(this.#memory.control, this.#row);
  }

  /** Whether the main thread asked this thread to stop what it does, since the last pin. */
  cancelled(): boolean {
    return Atomics.load(this.#memory.control, this.#row + ROW.cancel) !== 0;
  }
}
