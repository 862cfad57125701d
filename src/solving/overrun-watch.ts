import { LIMITS } from '../config/limits.ts';
import { type InstantMs, instantNow } from '../units/units.ts';

/** So much less may be seen of a second chance: timers and the system's account have a grain. */
const GRAIN_MS = 4;

/**
 * Calls back when a run is still going on well after its deadline. Where this process itself is late, the answer may lie unread behind the timer: once more around the event loop before a thread is ended
 * for it. That second chance is of processor time: a thread that had none, or that waits for the collector's threads, which had none, has not overrun, and its answer, late as it is, comes sooner than that of a thread in its place
 * would. `ranMs`: for how long it has had a processor since it began, null where nobody can tell.
 */
export function watchOverrun(deadline: InstantMs, ranMs: () => number | null, onOverrun: () => void): { stop(): void } {
  const { overrunMs, secondChanceMs, starvedMs } = LIMITS.solving;
  const giveSecondChance = (): void => {
    const since = instantNow();
    const before = ranMs();
    const look = (): void => {
      const passed = instantNow() - since;
      const now = ranMs();
      const left = secondChanceMs - (before === null || now === null ? passed : now - before);
      if (left <= GRAIN_MS || passed >= starvedMs) onOverrun();
      else timer = setTimeout(look, left);
    };
    timer = setTimeout(look, secondChanceMs);
  };
  let timer = setTimeout(giveSecondChance, Math.max(0, deadline - instantNow()) + overrunMs);
  return { stop: () => clearTimeout(timer) };
}
