import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, SYSTEM_CLOCK } from '../../src/indexing/clock.ts';

/** Time that passes when a test says so, and while somebody sleeps. */
export type VirtualClock = Clock & { advance(ms: number): void };

export function virtualClock(): VirtualClock {
  let now = 1_000_000;
  return {
    now: () => now,
    async sleep(ms) {
      const end = now + ms;
      await nextTurn();
      now = Math.max(now, end);
    },
    // What is given up for taking too long took it.
    after: SYSTEM_CLOCK.after,
    advance(ms) {
      now += ms;
    },
  };
}
