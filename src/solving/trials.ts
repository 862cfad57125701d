import { LIMITS } from '../config/limits.ts';

/**
 * Jobs whose kind has hardly run, tried on the thread that is kept for short ones, although what is like them takes long: where a client's heavy jobs fill all other places, its cheap ones
 * of a new kind would be taken for heavy, be shed for the wait, and never run to show that they are not. One at a time, and those that did take long together no more than a share of that thread.
 */
export class Trials {
  #underWay = false;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** Whether a job may be tried whose kind has run so often. */
  mayTry(runs: number): boolean {
    return runs < LIMITS.solving.trials.runs && !this.#underWay && performance.now() >= this.#nextAt;
  }

  begun(): void {
    this.#underWay = true;
  }

  /** `ranMs`: 0 when it never ran. */
  ended(ranMs: number): void {
    this.#underWay = false;
    if (ranMs > LIMITS.solving.shortRunMs) this.#nextAt = performance.now() + ranMs * (1 / LIMITS.solving.trials.share - 1);
  }
}
