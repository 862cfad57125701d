import { performance } from 'node:perf_hooks';

/** A turn that brings nothing takes some 50 µs. One that took longer than this was interrupted by other processes, which may have sent something after the kernel was asked. */
const TURN_MS = 0.2;

/**
 * Calls back in a turn of the event loop in which nothing came in: no connection to accept, nothing to read. The kernel was asked just before, so what `then` closes holds nothing that this process
 * has not seen, but for what came in the microseconds since. For the first half of `limitMs` nothing may have come for `quietMs` either: whoever has just got an answer may be about to send something. Calls
 * back after `limitMs` in any case. Between its looks it sleeps: who has just slept is not the one whose time is up.
 */
export function inQuietTurn(limitMs: number, then: () => void, quietMs = 0): void {
  const startedAt = performance.now();
  let [seen, quietSince] = [comeIn(), startedAt];
  const look = () => {
    const turnAt = performance.now();
    const before = comeIn();
    if (before !== seen) [seen, quietSince] = [before, turnAt];
    // Between a timer and an immediate the kernel is asked what has come in, without waiting for it.
    setImmediate(() => {
      const now = performance.now();
      const isQuiet = comeIn() === before && now - turnAt <= TURN_MS;
      const wasQuiet = now - quietSince >= quietMs || now - startedAt >= limitMs / 2;
      if ((isQuiet && wasQuiet) || now - startedAt >= limitMs) then();
      else setTimeout(look, 1);
    });
  };
  setTimeout(look, 1);
}

/** How often the kernel has had something to tell so far. */
function comeIn(): number {
  return performance.nodeTiming.uvMetricsInfo.events;
}
