import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const SAME = 2 ** 24;

/** Resident bytes of the process once it has given back what earlier tests left: later they would fall, and what a test lets grow would be hidden by that. */
export async function residentAtRest(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('no garbage collection to call');
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    collect();
    await setImmediate();
    const resident = process.memoryUsage.rss();
    if (resident > last - SAME) return resident;
    last = resident;
  }
}
