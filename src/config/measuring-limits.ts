/** Bounds of measuring what transfers of tokens do. */
export const MEASURING_LIMITS = {
  /** Places of one chain at which clients wait for a token to be measured; a client may hold as many as it leaves free. */
  waitedFor: 256,
  /** Tokens that the indexer is handed of those at a time: as many again as it measures at once, so that it never waits for the next. */
  handedOver: 4,
  /** How often the indexer thread hears which tokens were asked for, and how many it hears of at a time. */
  wantedEveryMs: 200,
  wantedAtOnce: 512,
  /** Tokens whose verdicts are kept fresh, and how long after they were last asked for. */
  hotTokens: 512,
  hotMs: 60_000,
  /** A time that a token was asked for counts half as much after so long. */
  heatHalfLifeMs: 15_000,
  /** Tokens measured at the same time, each at up to `pools.atOnce` pools: with both, fewer calls than the node may have in flight, so that the chain is followed beside them. */
  atOnce: 2,
  /** What is measured of a block before anybody waits for it: so many tokens, begun within so long; as many in that time where blocks come faster. */
  aheadPerBlock: 16,
  aheadMs: 1_000,
  /** Of those one in so many is a token that was never measured, though others are hotter. */
  aheadNewcomersOneIn: 4,
  /** Probes that one solve waits for: each serves where no more than a block came meanwhile. */
  probesPerSolve: 3,
  /** Tokens that a request without a route waits for, of those that one might lead through: the best by reference prices. */
  betweenAtOnce: 4,
  /** Blocks that are tried where one leaves the chain while it is measured at. */
  blocksTried: 3,
  /** One call that measures a token at one pool (decision 119). */
  probe: {
    /** Below what nodes give a call; all that a probe may spend, whatever the token does. */
    gas: 25_000_000n,
    /** What is bought, in millionths of what the pool has: the most, a tenth up and down, and so many sizes below it. At least so many base units: fewer would hide a hundredth of a percent in rounding. */
    sizes: { leastPpm: 10, mostPpm: 430_000, below: 3 },
    leastAmount: 1_100_000n,
    /** Of each call of the token: what a swap's transaction has left, and what it has left where a wallet estimated it tightly. */
    gasOfCall: { least: 500_000n, most: 800_000n },
    thriftyGasOfCall: { least: 90_000n, most: 140_000n },
    /** What is paid for gas above what the block asks for: up to that once more, or so many wei, or so many times the chain's minimum, whichever is most, and down to so many times half of it. */
    tips: { reachWei: 3_000_000_000n, minimums: 4n, doublings: 12 },
    /** Wei that the sender has, neither nothing nor a fortune: at most so many, and down to so many times half of it; and to wrap for true swaps, gone before the token is called. */
    ownedWei: { most: 60n * 10n ** 18n, halvings: 16n },
    wrappedWei: 2n ** 90n,
    /** Gas of the transactions of a sale in a later block, all of them together no more than `gas`: most of it is what a token may burn. */
    laterSale: { noting: 1_250_000n, opening: 9_200_000n, approving: 1_000_000n, closing: 11_000_000n, reading: 150_000n, sending: 700_000n },
    timeoutMs: 3_000,
  },
  /** At every second size a pool has no more than so many USD of a token for that: its maker can put any amount of it there. */
  reachUsd: 1_000_000,
  /** Base units that rounding may take from a movement: balances kept as shares. */
  roundingUnits: 2n,
  /** The largest movement has to be of so many base units, or a tax of a hundredth of a percent could not be told from none. */
  tellingUnits: 10_000n,
  /**
   * Pools whose balances of a token are looked at, those of them that it is measured at, and so traded at (as many as a verdict names), of which so many are the deepest in USD and the others the largest, and the least share of
   * the deepest's USD, or of the largest's balance, that one has to have. So many are measured at the same time.
   */
  pools: { lookedAt: 64, measuredAt: 8, deepestFirst: 6, leastShare: 1_000, atOnce: 4 },
  /** Codes of pools that are remembered, up to some 50 kB each, and for how many blocks. */
  codes: { remembered: 256, blocks: 300 },
  /** Holders of what a token is traded against, of which one at random pays for true swaps. */
  lenders: 3,
} as const;
