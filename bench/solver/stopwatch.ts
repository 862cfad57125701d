/**
 * Starts a watch; what it returns tells the milliseconds since. Of the time that passed and the time that processors worked for this process the lesser: each is an upper limit of what the work takes where nothing else runs. On an
 * idle machine that is the time that passed; where others keep the processors busy, their turns do not count.
 */
export function startStopwatch(): () => number {
  const started = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const passed = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    return Math.min(passed, (user + system) / 1000);
  };
}

/** Milliseconds that a clock may be old, as time passes. */
const OLD_MS = 0.5;

/** A stopwatch for those that ask thousands of times, as a search asks whether its time is over: what a processor worked takes microseconds to tell, so that is asked anew only where some of a millisecond has passed. */
export function startClock(): () => number {
  const watch = startStopwatch();
  let told = watch();
  let toldAt = performance.now();
  return () => {
    const at = performance.now();
    if (at - toldAt >= OLD_MS) [told, toldAt] = [watch(), at];
    return told;
  };
}
