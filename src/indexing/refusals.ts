import { LIMITS } from '../config/limits.ts';
import type { Clock } from './clock.ts';

/**
 * What the node would not be asked about: each is asked about again after a pause of its own, which doubles while it is refused. So what is new with a block is asked about at once, and a chain of
 * four blocks a second does not fall behind for the sake of a few pools that its node can not run.
 */
export class Refusals {
  readonly #clock: Clock;
  readonly #paused = new Map<string, { readonly until: number; readonly pauseMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mayAsk(key: string): boolean {
    const paused = this.#paused.get(key);
    return paused === undefined || this.#clock.now() >= paused.until;
  }

  /** The node was asked about these, and would not answer about some of them. */
  note(asked: Iterable<string>, refused: ReadonlySet<string>): void {
    const { first, longest } = LIMITS.indexing.askAgainMs;
    for (const key of asked) {
      const before = this.#paused.get(key);
      this.#paused.delete(key);
      if (!refused.has(key)) continue;
      const pauseMs = before === undefined ? first : Math.min(longest, 2 * before.pauseMs);
      this.#paused.set(key, { until: this.#clock.now() + pauseMs, pauseMs });
    }
  }

  /** Nothing waits to be asked about any more: what was refused is gone, or was answered. */
  clear(): void {
    this.#paused.clear();
  }
}
