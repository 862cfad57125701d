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
