// Exact arithmetic of one continuous token bucket: pure, no clock of its own.
//
// A token is a million parts, time is whole microseconds and rates are whole tokens per second, so `micros × rps` is the refill in parts with no
// rounding at all. Every value stays below 2^53: the level never passes (rps + 20) million parts, and no refill is computed over more than 1.5 s.

/** Microseconds of a monotonic clock, an integer. */
export type InstantMicros = number & { readonly unit: 'InstantMicros' };

/** What is left in a bucket, and since when that is true. */
export type Bucket = {
  /** Parts of a token: 1,000,000 are one. */
  level: number;
  at: InstantMicros;
};

export const PARTS_PER_TOKEN = 1_000_000;

/** No reservoir takes longer to fill from empty: it holds at most 1.5 seconds of its rate. */
const LONGEST_REFILL_MICROS = 1_500_000;

/** Microseconds now, from the clock that never goes back. */
export function microsNow(): InstantMicros {
  return Math.floor(performance.now() * 1000) as InstantMicros;
}

/** The burst reservoir in parts: min(rps × 1.5, rps + 20) tokens (interface specification, Limits). */
export function capacityOf(rps: number): number {
  return Math.min(rps * 1_500_000, (rps + 20) * PARTS_PER_TOKEN);
}

export function fullBucket(rps: number, now: InstantMicros): Bucket {
  return { level: capacityOf(rps), at: now };
}

/** Adds what has flowed in since the last look. A clock that goes back adds nothing and takes nothing. */
export function refill(bucket: Bucket, rps: number, now: InstantMicros): void {
  const elapsed = now - bucket.at;
  if (elapsed <= 0) return;
  bucket.level = Math.min(capacityOf(rps), bucket.level + Math.min(elapsed, LONGEST_REFILL_MICROS) * rps);
  bucket.at = now;
}

/** Takes one token from a refilled bucket, if there is a whole one. */
export function takeToken(bucket: Bucket): boolean {
  if (bucket.level < PARTS_PER_TOKEN) return false;
  bucket.level -= PARTS_PER_TOKEN;
  return true;
}

/** Gives one token back, never above the reservoir. */
export function returnToken(bucket: Bucket, rps: number): void {
  bucket.level = Math.min(capacityOf(rps), bucket.level + PARTS_PER_TOKEN);
}

export function wholeTokens(bucket: Bucket): number {
  return Math.floor(bucket.level / PARTS_PER_TOKEN);
}

/** Seconds until a whole token is there: an integer, at least 1. */
export function secondsToToken(bucket: Bucket, rps: number): number {
  return Math.max(1, Math.ceil((PARTS_PER_TOKEN - bucket.level) / (rps * 1_000_000)));
}
