import { LIMITS } from '../config/limits.ts';
import { instantNow } from '../units/units.ts';

/** How often it is looked at again. */
const LOOK_MS = 500;

/**
 * Calls back when threads have had the time to load and to answer their probe, and `besidesMs` more. Whose machine is starved has had less than the clock says: it is waited for until this process had a processor for
 * `probeRanMs`, since a thread that is ended and begun anew there would be no sooner; but not for ever. Which part of it a thread had that does not answer yet nobody can tell, and the others' is no less.
 * `ranMs`: for how long this process has had a processor, all of its threads together.
 */
export function watchProbe(onOverdue: () => void, besidesMs = 0, ranMs: () => number = processRanMs): { stop(): void } {
  const { probeMs, probeRanMs, probeStarvedMs } = LIMITS.solving;
  const [since, before] = [instantNow(), ranMs()];
  const look = (): void => {
    const isStarved = ranMs() - before < probeRanMs && instantNow() - since < probeStarvedMs + besidesMs;
    if (isStarved) timer = setTimeout(look, LOOK_MS);
    else onOverdue();
  };
  let timer = setTimeout(look, probeMs + besidesMs);
  return { stop: () => clearTimeout(timer) };
}

function processRanMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
