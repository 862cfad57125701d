import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from './collect-garbage.ts';

const SAME = 2 ** 24;

/** Resident bytes of the process once it has given back what earlier tests left: later they would fall, and what a test lets grow would be hidden by that. */
export async function residentAtRest(): Promise<number> {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    collectGarbage();
    await setImmediate();
    const resident = process.memoryUsage.rss();
    if (resident > last - SAME) return resident;
    last = resident;
  }
}
