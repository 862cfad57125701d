/** Bounds of what is asked of others by HTTP: makers, attesters, issuers. */
export const OUTBOUND_LIMITS = {
  /** From the first byte sent to the last received: the cap of a firm-up (interface specification, Limits). */
  deadlineMs: 2_000,
  bodyBytes: 256 * 1024,
  /** Requests to one of them that are under way. */
  perSource: 16,
  /** So many failures in a row, and one that fails is left alone: for so long at first, twice as long each time, and never longer than this. */
  pauses: { failures: 3, firstMs: 1_000, longestMs: 60_000 },
  /** Indicative prices: how often a maker is asked, how long its answer holds, and how much of it is read. */
  prices: { everyMs: 1_000, holdSeconds: 5, pairs: 64, levels: 64 },
  /** What a maker is asked for has to hold so long, and orders of which it is remembered that they were given out. */
  orders: { leastSeconds: 30, remembered: 4_096 },
} as const;
