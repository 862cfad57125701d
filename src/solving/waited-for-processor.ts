import { readFileSync } from 'node:fs';

/** Milliseconds, since it began, for which a thread of this process could have run and had no processor: the second number of https://docs.kernel.org/scheduler/sched-stats.html, in ns. null where the system does not tell. */
export function waitedForProcessorMs(kernelThread: number): number | null {
  try {
    const waited = Number(readFileSync(`/proc/self/task/${kernelThread}/schedstat`, 'utf8').split(' ')[1]);
    return Number.isFinite(waited) ? waited / 1e6 : null;
  } catch {
    return null;
  }
}
