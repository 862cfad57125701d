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
} as const;
