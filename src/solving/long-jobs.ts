import { LIMITS } from '../config/limits.ts';
import type { Lane } from './fair-queue.ts';

/** Threads that jobs which are not short may hold together: all but one, which is kept for short jobs, and all of one. `live`: of so many; the last one that lives is kept too, until another is there. */
export function longPlacesOf(threads: number, live = threads): number {
  return threads === 1 ? 1 : Math.max(0, Math.min(threads, live) - 1);
}

/** For how much of its run, ms, a job counted as a long one. What was expected to be short counts from when it turned out not to be; suspects run in reserve and hold no place of long jobs. */
export function longMsOf(lane: Lane, ranMs: number): number {
  if (lane === 'suspect') return 0;
  return lane === 'short' ? Math.max(0, ranMs - LIMITS.solving.shortRunMs) : ranMs;
}
