import { LIMITS } from '../config/limits.ts';
import { type InstantMs, instantNow } from '../units/units.ts';

/** Calls back when a run is still going on well after its deadline. Where this process itself is late, the answer may lie unread behind the timer: once more around the event loop before a thread is ended for it. */
export function watchOverrun(deadline: InstantMs, onOverrun: () => void): { stop(): void } {
  const { overrunMs, secondChanceMs } = LIMITS.solving;
  let timer = setTimeout(
    () => {
      timer = setTimeout(onOverrun, secondChanceMs);
    },
    Math.max(0, deadline - instantNow()) + overrunMs,
  );
  return { stop: () => clearTimeout(timer) };
}
