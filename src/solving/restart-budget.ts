/** How many threads may be risked on jobs that are likely to kill them: a bucket of whole restarts that refills continuously. */
export class RestartBudget {
  readonly #burst: number;
  readonly #perMs: number;
  #level: number;
  #at: number;

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#burst = burst;
    this.#perMs = perSecond / 1000;
    this.#level = burst;
    this.#at = performance.now();
  }

  /** A thread died under a job. Below zero there is nothing to owe: what already happened can not be prevented. */
  spend(): void {
    this.#level = Math.max(0, this.#refilled() - 1);
  }

  /** So many deaths turned out to be no fault of the jobs they were charged for. */
  giveBack(deaths: number): void {
    this.#level = Math.min(this.#burst, this.#refilled() + deaths);
  }

  /** Milliseconds until so many restarts can be risked one after the other; 0: now. */
  msUntil(restarts: number): number {
    return Math.max(0, (restarts - this.#refilled()) / this.#perMs);
  }

  #refilled(): number {
    const now = performance.now();
    this.#level = Math.min(this.#burst, this.#level + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#level;
  }
}
