/** The bounds of following one chain: LIMITS.indexing. */
export const INDEXING_LIMITS = {
  rpc: {
    inFlight: 16,
    waiting: 8192,
    bodyBytes: 16 * 2 ** 20,
    timeoutMs: 5000,
    /** Small answers, of an endpoint that is not known to be slow: a hung connection is noticed before a block is missed twice. */
    headTimeoutMs: 1500,
    attempts: 4,
    backoffMs: { first: 50, longest: 1000 },
    /** How long an endpoint is not asked that says that it is limited, and not for how long: doubles each time, up to `leaveMs.longest`, or this where there is no other. */
    limitedPauseMs: { first: 1000, longestAlone: 2000 },
    /** How long an endpoint that failed is not followed, where there is another: doubles with each fault, until it was without any for the longest of these. */
    leaveMs: { first: 1000, longest: 60_000 },
    /** How long an endpoint may lack a block that others have; and, once it did for so long, what it may still lack when it counts as up with them. */
    behindMs: { left: 1500, back: 500 },
    /** What an endpoint may take for a head, in the middle of so many, by the quickest of the others, and whatever those take; and the same once it took longer; and how many times that middle one it is waited for. */
    slow: { heads: 5, patience: 3, left: { leastMs: 300, ratio: 3 }, back: { leastMs: 200, ratio: 2 } },
    headsRemembered: 64,
    /** How long a head that was shown speaks for the chain that an endpoint is on. */
    witnessMs: 5000,
    /** How many announcements of heads a connection is listened to for, and for how long it is not where there are more. */
    announcements: { perSecond: 100, deafMs: 60_000 },
    /** How long an endpoint shows lower heads only before its higher ones are forgotten. */
    setBackMs: 15_000,
    /** Pause between two looks at the heads of endpoints that are not followed. */
    watchMs: 1000,
    /** How often a request is made that is refused without a reason that is known. */
    refusedAttempts: 2,
    /** How often in a row an endpoint has to have nothing of the chain's anchor before it is believed that it has pruned it. */
    anchorSilences: 6,
  },
  /** Contract calls in one eth_call: bounds of the init code that carries them, of what it may return, of the gas of each, and of the slots of storage that they suppose. */
  multicall: { codeBytes: 40_000, answerBytes: 24_000, defaultAnswerBytes: 256, gasPerCall: 1_000_000, supposedSlots: 500 },
  /** Blocks that can be rolled back exactly; a deeper reorg rebuilds from the chain. */
  journalBlocks: 256,
  /** How far below the head a cold start reads its states, so that a reorg right after it can be rolled back. */
  startDepthBlocks: 8,
  /** How far the head may move while pools are looked for before a later block is taken to read their states at: nodes keep the states of some 128. */
  startBehindBlocks: 64,
  /** A gap wider than this is a cold start again. */
  catchUpBlocks: 4096,
  /** Blocks whose headers and logs are held at a time while catching up. */
  batchBlocks: 64,
  /**
   * Where the middle one of the last so many heads took longer than `slowMs`, and than a share of the time between two of the last so many blocks, `asksAtOnce` are under way at a time, at most `mostAtOnce`,
   * each beside the logs since the tip. So many that nobody looked at yet are the most that are asked for. The last block of so many logs is not believed to be whole: a node that cuts off at a number of
   * logs has one no lower.
   */
  ahead: { heads: 3, slowMs: 300, shareOfBlock: 0.25, blocks: 16, asksAtOnce: 4, mostAtOnce: 6, unseen: 8, logs: 1000 },
  /** Blocks of one ranged log query: halves when the node does not answer, doubles when it does, but not for so many ranges after one that was not answered. */
  logRangeBlocks: { first: 2000, widest: 50_000, narrowFor: 16 },
  /** Ranges that a start is worth: where a node gives so narrow ones only that there would be more, pools are found by pairs of listed tokens. */
  mostLogRanges: 100_000,
  /** Pairs of tokens that one factory is asked for together, and tokens of a list: their pairs grow by the square. */
  pairsPerRead: 512,
  listedTokens: 1000,
  poolsPerLoad: 128,
  /** Pools without room that are put in again with one block, as long as there is room. */
  placedAgain: 256,
  /** Pools that are judged again with one block where a price moved by which they are too small or not. */
  judgedAgain: 512,
  /** How deep announcements may lead to further ones (a list, then each of its entries) before the rest waits for the next reading. */
  describeRounds: 3,
  /** Pause before what the node refused to be asked about is asked again, whatever blocks come; doubles with each refusal of the same. */
  askAgainMs: { first: 1000, longest: 8000 },
  /** Refusals of a node that are traced to the pool or token they are about, in one round of reading; beyond that whole parts are asked about again later. */
  refusalsPerRead: 16,
  loadsAtOnce: 4,
  /** Pools that are compared with the chain in each block beside those that it changed: so many, drawn among so many that come next. */
  auditOthers: { perBlock: 4, among: 1024 },
  /** A block that changed pools waits, but not for long, once an audit has not ended this many blocks after what it compares. */
  auditWithinBlocks: 2,
  auditWaitMs: 500,
  /** After how long pools that differ are compared once more. */
  auditAgainMs: 100,
  /** How long, and how often, nothing but blocks below the tip has to be shown before the chain is believed to have been set back: a lagging backend looks the same. */
  retreatMs: 30_000,
  retreatPolls: 3,
  /** The same of heads that no known block leads to: an endpoint that serves another chain looks the same. */
  lostMs: 3000,
  lostPolls: 3,
  /** For how long it is remembered that such a head was shown, while nothing leads on from what is known. */
  doubtKeptMs: 90_000,
  /** How long most of the endpoints that answer have to be on another branch, and go on there, before it is the one that counts. */
  outvotedMs: 3000,
  /** How long a block is asked for whose logs can not be read before the chain is read anew from above it; doubles while none is taken in. */
  unreadBlockMs: { first: 60_000, longest: 3_600_000 },
  /** How far below the head lies the block by which the chain is told from others of its id. No reorg reaches it. */
  anchorDepthBlocks: 4096,
  /** How often it is asked for, one time after the other, where a node says nothing of it. */
  anchorAttempts: 3,
  /** Above this share of the pools that are followed, those that could not be read for the freshness bound make the chain's view stale. */
  unreadShare: 0.25,
  restartBackoffMs: { first: 100, longest: 10_000 },
  stopMs: 3000,
  /** Failures that no node is to blame for, without a block published between them, before the thread gives up. */
  bugsPerThread: 5,
  /** How often counts of calls go to the main thread. */
  flushMs: 1000,
  bloomItems: 65_536,
  checkpoint: {
    /** Pause between two, and how many times longer than writing one took it is at least. */
    everyMs: 60_000,
    pauseRatio: 50,
    /** How far below the tip: no less than reorgs that are to be undone exactly after a restart. */
    depthBlocks: 64,
    /** What is made into bytes without a pause. */
    poolsPerPart: 32,
    tokensPerPart: 1024,
    bytes: 2 ** 30,
    /** How old an unfinished one is before it counts as left by a process that was killed. */
    unfinishedMs: 600_000,
  },
} as const;
