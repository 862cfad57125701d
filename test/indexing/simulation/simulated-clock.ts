import type { Clock } from '../../../src/indexing/clock.ts';

/** Time that passes from one thing that is due to the next, as soon as nothing is left to be done before it. */
export type SimulatedClock = Clock & {
  /** So much time passes, with all that is due in it and all that follows from that. Throws nothing: what is due answers for itself. */
  pass(ms: number): Promise<void>;
};

type Due = { readonly at: number; readonly act: () => void };

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Reading and writing of files is no part of the simulation: time stands still meanwhile, and while one is closed. */
const isBusy = (): boolean => process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq') || kind.startsWith('FileHandle') || kind === 'CloseReq');

/** `hasFiles`: whether files are read and written beside the simulation. */
export function simulatedClock({ hasFiles = false }: { readonly hasFiles?: boolean } = {}): SimulatedClock {
  let now = 1_000_000;
  /** Ascending; of the same time, the first that was asked for first. */
  const due: Due[] = [];

  const after: Clock['after'] = (ms, act) => {
    const entry: Due = { at: now + ms, act };
    let place = due.length;
    while (place > 0 && (due[place - 1] as Due).at > entry.at) place--;
    due.splice(place, 0, entry);
    return () => {
      const at = due.indexOf(entry);
      if (at >= 0) due.splice(at, 1);
    };
  };
  /** All that follows from what was due: promises, and what is put off by a turn. */
  const quiet = async (): Promise<void> => {
    do {
      await nextTurn();
      await nextTurn();
    } while (hasFiles && isBusy());
  };
  return {
    now: () => now,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        const end = (): void => {
          cancel();
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const cancel = after(ms, end);
        signal?.addEventListener('abort', end, { once: true });
      }),
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        await quiet();
        const [next] = due;
        if (next === undefined || next.at > end) break;
        due.shift();
        now = next.at;
        next.act();
      }
      now = end;
    },
  };
}
