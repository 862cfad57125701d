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
  /** What issuers indicate of their assets: how often they are asked, and how often while all is refused, how many assets at once, how long an answer holds, and sizes of one side. */
  issuers: { everyMs: 2_000, closedEveryMs: 5_000, atOnce: 4, holdSeconds: 10, levels: 16 },
  /**
   * What a maker is asked for has to hold so long, or to the swap's deadline where that is sooner, and so long in any case; a maker that was cut off sooner than after `fairMs` had no fair time; an offer worse than planned by more
   * than this part is a failure, where it is of so many base units at least, since of fewer a rounding is as much; orders of which it is remembered that they were given out, and users of whom it is remembered that makers do not sign for them.
   */
  orders: { leastSeconds: 30, shortestSeconds: 5, fairMs: 1_000, worseBy: 0.01, leastUnits: 1_000, remembered: 4_096, users: 4_096 },
  /** Blocks that are attested for a swap, which is what it carries at most; those that are attested in each block whether anybody swaps or not; how many blocks an attester may be ahead of our node or behind it. */
  attestations: { blocks: 5, polled: 3, apart: 2 },
  /**
   * What a registry on the chain says of makers: of so many entries, of addresses no longer than this. It is read again in the block after it changed, and after so many blocks in any case; where it can not be read, what it said last
   * holds so long.
   */
  registry: { entries: 128, urlBytes: 256, everyBlocks: 100, holdMs: 300_000 },
} as const;
