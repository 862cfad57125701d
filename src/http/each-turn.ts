/**
 * Begins so many things a turn of the event loop at most, the rest in the turns after it, in order. Between turns everything else gets its turn: answers of solver threads, timers, other listeners. Without
 * it, whatever a thousand connections have sent is begun in one go, and a thread that is done waits for all of it before it gets its next job.
 */
export class EachTurn {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  /** Where the first that waits is: shifting a long array moves all of it. */
  #head = 0;
  /** In this turn. */
  #begun = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** At once where this turn has room and nobody waits. */
  begin(run: () => void): void {
    if (this.#begun >= this.#most || this.#head < this.#waiting.length) {
      this.#waiting.push(run);
      return;
    }
    if (this.#begun++ === 0) setImmediate(() => this.#nextTurn());
    run();
  }

  #nextTurn(): void {
    this.#begun = Math.min(this.#most, this.#waiting.length - this.#head);
    if (this.#begun > 0) setImmediate(() => this.#nextTurn());
    for (let at = 0; at < this.#begun; at++) this.#waiting[this.#head++]?.();
    if (this.#head < this.#waiting.length) return;
    this.#waiting.length = 0;
    this.#head = 0;
  }
}
