import { LIMITS } from '../config/limits.ts';
import { type InstantMs, instantNow } from '../units/units.ts';

/** Less is left of a second chance by the grain of timers. */
const GRAIN_MS = 2;

/**
 * Calls back when a run is still going on well after its deadline. Where this process itself is late, the answer may lie unread behind the timer: once more around the event loop before a thread is ended
 * for it. That second chance is of the thread's own time: one that had no processor has not overrun, and its answer, late as it is, comes sooner than that of a thread in its place would. `waitedMs`: for how long it
 * had none since it began, null where nobody can tell.
 */
export function watchOverrun(deadline: InstantMs, waitedMs: () => number | null, onOverrun: () => void): { stop(): void } {
  const { overrunMs, secondChanceMs, starvedMs } = LIMITS.solving;
  const giveSecondChance = (): void => {
    const since = instantNow();
    const waitedBefore = waitedMs();
    const look = (): void => {
      const passed = instantNow() - since;
      const waited = waitedBefore === null ? 0 : (waitedMs() ?? waitedBefore) - waitedBefore;
      const left = secondChanceMs - (passed - waited);
      if (left <= GRAIN_MS || passed >= starvedMs) onOverrun();
      else timer = setTimeout(look, Math.min(left, secondChanceMs));
    };
    timer = setTimeout(look, secondChanceMs);
  };
  let timer = setTimeout(giveSecondChance, Math.max(0, deadline - instantNow()) + overrunMs);
  return { stop: () => clearTimeout(timer) };
}
