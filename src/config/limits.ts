/** Every bound of the service in one place. A bound that a user may set is in the configuration; these are the rest. */
export const LIMITS = {
  /** Requests. */
  queryBytes: 8 * 1024,
  queryPairs: 64,
  headerBytes: 16 * 1024,
  timeLimitMs: { min: 50, max: 5000, default: 5000 },
  maxHops: { min: 1, max: 7, escalation: 4 },
  feeBps: { max: 1500 },
  requestFeePartnerShareBps: 8500,
  anonymousFeeBps: 10,
  anonymousRps: 3,
  rfqCutoffMs: 300,
  /** Snapshot of one chain. */
  snapshot: { arenaBytes: 2 ** 30, pools: 131_072, tokens: 65_536, slots: 64 },
  /** Solver threads and the queue in front of them. */
  solving: {
    queue: 512,
    /** A thread that runs past its job's deadline by this much is replaced. */
    overrunMs: 150,
    /** How long a thread may take to load and answer its first probe. */
    probeMs: 15_000,
    /** How long fewer threads than configured may last before the pool is built anew. */
    missingThreadMs: 2_000,
    heapMegabytes: 1024,
    attempts: 2,
  },
} as const;
