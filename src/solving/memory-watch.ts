import { LIMITS } from '../config/limits.ts';

export type MemoryWatchOptions = {
  /** Resident memory of the process above which a thread has to go. */
  readonly limitBytes: number;
  /** What a thread is to be ended for. */
  readonly onCulprit: (threadId: number) => void;
  readonly residentBytes?: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
};

/**
 * Watches the memory of the process. A heap limit ends a thread by itself, but bounds nothing outside of the heap, and what grows there ends the whole process. Threads tell after each job
 * what they hold; what the process has grown by since a job began counts as that job's, since a thread that runs can tell nothing.
 */
export class MemoryWatch {
  readonly #options: Required<MemoryWatchOptions>;
  readonly #held = new Map<number, number>();
  readonly #residentAtStart = new Map<number, number>();
  readonly #look: NodeJS.Timeout | null;
  #looksAgainAt = 0;
  #resident = { bytes: 0, at: Number.NEGATIVE_INFINITY };

  constructor(options: MemoryWatchOptions) {
    this.#options = { residentBytes: process.memoryUsage.rss, now: () => performance.now(), ...options };
    this.#look = Number.isFinite(options.limitBytes) ? setInterval(() => this.look(), LIMITS.solving.memory.lookEveryMs) : null;
    this.#look?.unref();
  }

  jobStarted(threadId: number): void {
    if (this.#look === null) return;
    // The system adds it up over all threads each time, which takes as long as a short job's way to its thread.
    if (this.#options.now() - this.#resident.at >= LIMITS.solving.memory.readEveryMs) this.#read();
    this.#residentAtStart.set(threadId, this.#resident.bytes);
  }

  /** `heldBytes`: heap and external memory of the thread after the job. */
  jobEnded(threadId: number, heldBytes: number): void {
    this.#residentAtStart.delete(threadId);
    this.#held.set(threadId, heldBytes);
  }

  threadEnded(threadId: number): void {
    this.#residentAtStart.delete(threadId);
    this.#held.delete(threadId);
  }

  look(): void {
    const { limitBytes, now, onCulprit } = this.#options;
    const resident = this.#read();
    if (resident <= limitBytes || now() < this.#looksAgainAt) return;
    let culprit: number | null = null;
    let most = 0;
    for (const threadId of new Set([...this.#held.keys(), ...this.#residentAtStart.keys()])) {
      const grown = Math.max(0, resident - (this.#residentAtStart.get(threadId) ?? resident));
      const bytes = (this.#held.get(threadId) ?? 0) + grown;
      if (bytes > most) [culprit, most] = [threadId, bytes];
    }
    if (culprit === null) return;
    // What it held is given back only after it has ended.
    this.#looksAgainAt = now() + LIMITS.solving.memory.patienceMs;
    onCulprit(culprit);
  }

  #read(): number {
    this.#resident = { bytes: this.#options.residentBytes(), at: this.#options.now() };
    return this.#resident.bytes;
  }

  close(): void {
    if (this.#look !== null) clearInterval(this.#look);
  }
}
