import { performance } from 'node:perf_hooks';

/** A turn that brings nothing takes some 50 µs. One that took longer than this was interrupted by other processes, which may have sent something after the kernel was asked. */
const TURN_MS = 0.2;

/**
 * Calls back in a turn of the event loop in which nothing came in: no connection to accept, nothing to read. The kernel was asked just before, so what `then` closes holds nothing that this process
 * has not seen, but for what came in the microseconds since. Calls back after `limitMs` in any case. Between its looks it sleeps: who has just slept is not the one whose time is up.
 */
export function inQuietTurn(limitMs: number, then: () => void): void {
  const giveUpAt = performance.now() + limitMs;
  const look = () => {
    const before = performance.nodeTiming.uvMetricsInfo.events;
    const startedAt = performance.now();
    // Between a timer and an immediate the kernel is asked what has come in, without waiting for it.
    setImmediate(() => {
      const { events } = performance.nodeTiming.uvMetricsInfo;
      const now = performance.now();
      if ((events === before && now - startedAt <= TURN_MS) || now >= giveUpAt) then();
      else setTimeout(look, 1);
    });
  };
  setTimeout(look, 1);
}
