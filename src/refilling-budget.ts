/** How often something may be done: so many times at once, and going on as often as the budget refills, which it does continuously. */
export class RefillingBudget {
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

  /** It was done once. Below zero there is nothing to owe: what already happened can not be prevented. Returns how much of the budget that took, 1 at most. */
  spend(): number {
    const taken = Math.min(1, this.#refilled());
    this.#level -= taken;
    return taken;
  }

  /** What was taken turned out not to count. */
  giveBack(taken: number): void {
    this.#level = Math.min(this.#burst, this.#refilled() + taken);
  }

  /** Milliseconds until it may be done so many times one after the other; 0: now. */
  msUntil(times: number): number {
    return Math.max(0, (times - this.#refilled()) / this.#perMs);
  }

  #refilled(): number {
    const now = performance.now();
    this.#level = Math.min(this.#burst, this.#level + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#level;
  }
}
