import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DurationMs } from '../units/units.ts';

/** Readings of a histogram of delays, in nanoseconds: what node:perf_hooks gives, or a test. */
export type DelayHistogram = { readonly count: number; percentile(percentile: number): number; reset(): void };

export type EventLoopDelayOptions = {
  /** Above this 99th percentile the loop counts as late, ms. */
  readonly boundMs: number;
  /** Fewer late turns than this say nothing: one long collection must not shed anybody. */
  readonly leastLateTurns: number;
  readonly windowMs: number;
  readonly histogram?: DelayHistogram;
};

export type EventLoopDelay = {
  /**
   * 0, or when the loop is so late that taking on more work would only make everybody wait: for how long at most this look at it stands if nothing more is
   * late, ms.
   */
  lateFor(): DurationMs;
  /** 99th percentile of the current window, ms. */
  p99Ms(): number;
  close(): void;
};

/** A look costs microseconds, a request should not pay it each time. */
const LOOK_EVERY_MS = 100;
const RESOLUTION_MS = 10;

/** Watches how late the event loop runs its timers, in windows. */
export function watchEventLoopDelay(options: EventLoopDelayOptions): EventLoopDelay {
  const monitor = options.histogram === undefined ? monitorEventLoopDelay({ resolution: RESOLUTION_MS }) : null;
  monitor?.enable();
  const histogram = options.histogram ?? monitor;
  if (histogram === null || histogram === undefined) throw new TypeError('no histogram');
  let windowEnds = performance.now() + options.windowMs;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let late = false;
  let standsUntil = 0;

  // A sample is the time between two runs of a timer, so an idle loop shows the resolution itself.
  const delayMs = (percentile: number) => (histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(percentile) / 1e6 - RESOLUTION_MS));

  function look(): void {
    // With few samples the 99th percentile is the worst one: the rank is lowered until enough turns lie above it.
    const rank = histogram === null || histogram === undefined ? 0 : Math.min(99, 100 * (1 - options.leastLateTurns / histogram.count));
    late = rank > 0 && delayMs(rank) > options.boundMs;
  }

  return {
    lateFor() {
      const instant = performance.now();
      if (instant - lookedAt >= LOOK_EVERY_MS) {
        lookedAt = instant;
        // Nobody asked when the window ended, so nobody was refused: what it gathered is over.
        if (instant >= windowEnds + LOOK_EVERY_MS) histogram.reset();
        look();
        if (instant >= windowEnds) {
          windowEnds = instant + options.windowMs;
          histogram.reset();
          standsUntil = instant + LOOK_EVERY_MS;
        } else standsUntil = windowEnds + LOOK_EVERY_MS;
      }
      return (late ? Math.max(1, standsUntil - instant) : 0) as DurationMs;
    },
    p99Ms: () => delayMs(99),
    close: () => void monitor?.disable(),
  };
}
