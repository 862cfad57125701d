import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the indexer thread sees it: tests and simulations bring their own. */
export type Clock = {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Resolves after a pause, or when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after a pause, unless what it returns was called before. Keeps no process running. */
  after(ms: number, act: () => void): () => void;
};

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};
