import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';

/** When a token was asked for last, and how hot it was then: each time counts one, and half as much after each half-life. */
type Heat = { readonly at: number; readonly heat: number };

const BOUNDS = LIMITS.measuring;

/**
 * Which tokens are asked for, how often and how lately in one number (Lee et al. 2001, "LRFU"): by the last time alone whatever was asked for once would displace what is asked for all the time, and by
 * their number alone what was asked for in the morning would stay. Times are in milliseconds.
 */
export class HotTokens {
  /** Those asked for longest ago first. */
  readonly #asked = new Map<Address, Heat>();

  has(token: Address): boolean {
    return this.#asked.has(token);
  }

  keys(): IterableIterator<Address> {
    return this.#asked.keys();
  }

  asked(token: Address, now: number): void {
    const before = this.#asked.get(token);
    this.#asked.delete(token);
    this.#asked.set(token, { at: now, heat: 1 + (before === undefined ? 0 : cooled(before, now)) });
  }

  forget(token: Address): void {
    this.#asked.delete(token);
  }

  /** Forgets what nobody asked for lately, and the coldest of more than may be kept; names them. */
  forgetCold(now: number): readonly Address[] {
    const cold: Address[] = [];
    for (const [token, { at }] of this.#asked) {
      if (at >= now - BOUNDS.hotMs) break;
      cold.push(token);
    }
    for (const token of cold) this.#asked.delete(token);
    const coldest = this.#asked.size <= BOUNDS.hotTokens ? [] : this.hottest(now).slice(BOUNDS.hotTokens);
    for (const token of coldest) this.#asked.delete(token);
    return [...cold, ...coldest];
  }

  /** All of them. */
  hottest(now: number): readonly Address[] {
    const heats = [...this.#asked].map(([token, heat]) => [token, cooled(heat, now)] as const);
    return heats.sort(([, one], [, other]) => other - one).map(([token]) => token);
  }
}

function cooled({ at, heat }: Heat, now: number): number {
  return heat * 2 ** ((at - now) / BOUNDS.heatHalfLifeMs);
}
