import type { BuildClock } from '../../../src/building/building.ts';
import type { DurationMs, InstantMs } from '../../../src/units/units.ts';

type Waiting = { readonly at: number; readonly call: () => void };

/** A clock that goes on when nothing is left to do at its time. */
export class VirtualTime implements BuildClock {
  #now = 0;
  readonly #waiting: Waiting[] = [];

  now(): InstantMs {
    return this.#now as InstantMs;
  }

  after(delay: DurationMs, call: () => void): () => void {
    const entry = { at: this.#now + Math.max(0, delay), call };
    this.#waiting.push(entry);
    return () => {
      const at = this.#waiting.indexOf(entry);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  sleep(delay: number): Promise<void> {
    return new Promise((resolve) => this.after(delay as DurationMs, resolve));
  }

  /** Lets time pass until the work has ended. Throws where it waits for nothing that will ever be. */
  async passUntil<Result>(work: Promise<Result>): Promise<Result> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (ended) return work;
      const next = this.#waiting.reduce<Waiting | undefined>((least, each) => (least && least.at <= each.at ? least : each), undefined);
      if (next === undefined) throw new Error('everybody waits, and nothing will come');
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#now = next.at;
      next.call();
    }
  }
}
