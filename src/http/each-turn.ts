import Queue from 'yocto-queue';

/**
 * Begins so many things a turn of the event loop at most, the rest in the turns after it, in order. Between turns everything else gets its turn: answers of solver threads, timers, other listeners. Without
 * it, whatever a thousand connections have sent is begun in one go, and a thread that is done waits for all of it before it gets its next job.
 */
export class EachTurn {
  readonly #most: number;
  /** Linked: shifting a long array moves all of it, and one that is read through by a place keeps all that was in it for as long as somebody waits. */
  readonly #waiting = new Queue<() => void>();
  /** In this turn. */
  #begun = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** At once where this turn has room and nobody waits. */
  begin(run: () => void): void {
    if (this.#begun >= this.#most || this.#waiting.size > 0) {
      this.#waiting.enqueue(run);
      return;
    }
    if (this.#begun++ === 0) setImmediate(() => this.#nextTurn());
    run();
  }

  #nextTurn(): void {
    this.#begun = Math.min(this.#most, this.#waiting.size);
    if (this.#begun > 0) setImmediate(() => this.#nextTurn());
    for (let at = 0; at < this.#begun; at++) this.#waiting.dequeue()?.();
  }
}
