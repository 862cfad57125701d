/** Lets callers through a few at a time, so that many who come at once do not hold up the event loop for everybody else. */
export class Turnstile {
  readonly #perTurn: number;
  #waiting: (() => void)[] = [];

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Resolves in one of the next turns of the event loop, first come first served. */
  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#open());
    });
  }

  #open(): void {
    for (const resolve of this.#waiting.splice(0, this.#perTurn)) resolve();
    if (this.#waiting.length > 0) setImmediate(() => this.#open());
  }
}
