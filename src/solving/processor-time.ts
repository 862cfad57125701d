import { readFileSync } from 'node:fs';

/** Milliseconds that a thread of this process has had a processor for since it began: the first number of https://docs.kernel.org/scheduler/sched-stats.html, in ns. null where the system does not tell. */
export function processorTimeMs(kernelThread: number): number | null {
  try {
    const ran = Number(readFileSync(`/proc/self/task/${kernelThread}/schedstat`, 'utf8').split(' ')[0]);
    return Number.isFinite(ran) ? ran / 1e6 : null;
  } catch {
    return null;
  }
}
