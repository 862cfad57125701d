/**
 * A bounded first-in-first-out queue in front of the thread pool. Piscina's own queue is kept empty, so this depth is exact: it is what sheds load.
 * Entries can leave from the middle (a client that hung up, a budget that ended).
 */
export class JobQueue<Entry> {
  readonly limit: number;
  // A Set keeps insertion order and removes from anywhere in constant time.
  #entries = new Set<Entry>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get depth(): number {
    return this.#entries.size;
  }

  /** False when the queue is full: the entry was not taken. */
  push(entry: Entry): boolean {
    if (this.#entries.size >= this.limit) return false;
    this.#entries.add(entry);
    return true;
  }

  /** Puts an entry in front of all others, above the limit if need be: for work that a thread had already started. */
  pushFront(entry: Entry): void {
    this.#entries = new Set([entry, ...this.#entries]);
  }

  shift(): Entry | undefined {
    for (const entry of this.#entries) {
      this.#entries.delete(entry);
      return entry;
    }
    return undefined;
  }

  /** True when the entry was still waiting. */
  remove(entry: Entry): boolean {
    return this.#entries.delete(entry);
  }
}
