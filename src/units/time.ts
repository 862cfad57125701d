/** Unix seconds, as block timestamps and deadlines are. */
export type EpochSeconds = number & { readonly unit: 'EpochSeconds' };

/** A span in milliseconds. */
export type DurationMs = number & { readonly unit: 'DurationMs' };

/** Milliseconds since the Unix epoch, from the monotonic clock: comparable between the threads of one process. */
export type InstantMs = number & { readonly unit: 'InstantMs' };

/** The instant now. Monotonic within a thread; agrees between threads to well under a millisecond. */
export function instantNow(): InstantMs {
  return (performance.timeOrigin + performance.now()) as InstantMs;
}
