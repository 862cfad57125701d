import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';

const { aheadPerBlock, aheadMs, aheadNewcomersOneIn } = LIMITS.measuring;

/**
 * What of the tokens that are due is measured before anybody waits, and in which order: the hottest, and after every few of them one that nobody tried to measure yet. What is left out is the coldest, at
 * the next block again, so it is measured when somebody waits for it: taking turns would keep nothing fresh where more is hot than can be measured. `due`: the hottest first.
 */
export function chooseAhead(due: readonly Address[], wasTried: (token: Address) => boolean, places: number): readonly Address[] {
  const newcomers = due.filter((token) => !wasTried(token));
  const known = due.filter(wasTried);
  const chosen: Address[] = [];
  while (chosen.length < places && chosen.length < due.length) {
    const next = (chosen.length + 1) % aheadNewcomersOneIn === 0 ? (newcomers.shift() ?? known.shift()) : (known.shift() ?? newcomers.shift());
    if (next !== undefined) chosen.push(next);
  }
  return chosen;
}

/** How much is measured before anybody waits: so many tokens of a block, begun within so long, and no more in the time of several short blocks. Times are in milliseconds. */
export class AheadAllowance {
  #places: number = aheadPerBlock;
  #filledAt = Number.NEGATIVE_INFINITY;
  #until = 0;

  /** A block has come: how many tokens may be measured ahead of it. */
  ofBlock(now: number): number {
    this.#places = Math.min(aheadPerBlock, this.#places + ((now - this.#filledAt) / aheadMs) * aheadPerBlock);
    this.#filledAt = now;
    this.#until = now + aheadMs;
    return Math.floor(this.#places);
  }

  lasts(now: number): boolean {
    return this.#places >= 1 && now < this.#until;
  }

  spend(): void {
    this.#places--;
  }
}
