import { LIMITS } from '../config/limits.ts';
import { RefillingBudget } from '../refilling-budget.ts';
import { PoisonRecord } from './poison-record.ts';
import type { SolverWork } from './solver-thread.ts';

/** A piece of work and whose it is. The same object through all its runs. */
export type Asked = { readonly client: string; readonly work: SolverWork };

/** Which work is likely to kill the thread that it runs on, and how fast threads may be risked on such work. */
export class Suspicion {
  readonly #record = new PoisonRecord();
  /** How many threads may be risked on what never ran before. */
  readonly #restarts = new RefillingBudget(LIMITS.solving.restarts);
  /** Of deaths under work of trusted clients: whoever has many clients may have each of them earn trust first. */
  readonly #trusting = new RefillingBudget(LIMITS.solving.trustedRestarts);

  /** Whether the work is not to be run for its client. */
  isPoison({ client, work }: Asked): boolean {
    return this.#record.isPoison(client, work);
  }

  /** `proven`: work of its kind ran to its end before. `allThere`: no thread that died is still to be replaced. */
  isSuspect({ client, work }: Asked, proven: boolean, allThere: boolean): boolean {
    if (this.#record.isSuspect(client, work, proven)) return true;
    // Threads die faster than they may, or than others take their places: what never ran before is suspect then, but for clients that are trusted, while there is trust.
    if (proven || (this.#record.isTrusted(client) && this.#trusting.msUntil(1) === 0)) return false;
    return !allThere || this.msUntilRisk() > 0;
  }

  /** Whether the client has credit left. */
  isTrusted(client: string): boolean {
    return this.#record.isTrusted(client);
  }

  /** Milliseconds until a thread may be risked; 0: now. */
  msUntilRisk(): number {
    return this.#restarts.msUntil(1);
  }

  /** A thread died under the work. */
  died({ client, work }: Asked): void {
    const risk = this.#restarts.spend();
    const trust = this.#record.isTrusted(client) ? this.#trusting.spend() : 0;
    this.#record.died(client, work, { risk, trust });
  }

  /** A thread died under what was nobody's work. */
  diedRehearsing(): void {
    this.#restarts.spend();
  }

  /** The work ran to its end. Returns how many deaths under it turned out to be no fault of its own: innocent work would wait for ever if those used up what may be risked. */
  survived({ client, work }: Asked): number {
    const cleared = this.#record.survived(client, work);
    if (cleared === null) return 0;
    this.#restarts.giveBack(cleared.spent.risk);
    this.#trusting.giveBack(cleared.spent.trust);
    return cleared.deaths;
  }
}
