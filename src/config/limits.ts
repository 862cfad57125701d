import { INDEXING_LIMITS } from './indexing-limits.ts';
import { MEASURING_LIMITS } from './measuring-limits.ts';
import { OUTBOUND_LIMITS } from './outbound-limits.ts';

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
  snapshot: {
    arenaBytes: 2 ** 30,
    pools: 131_072,
    tokens: 65_536,
    slots: 64,
    /** One part in so many of the arena is kept for updates of known pools: new ones are refused before those are. */
    updateReserveDivisor: 16,
    poolTokens: 32,
    keyCharacters: 66,
    /** Decoded tokens, and tokens' edges, that one reader keeps; a power of two. */
    cachedTokens: 65_536,
  },
  /** Solver threads and the queue in front of them. */
  solving: {
    queue: 512,
    /** A thread that runs past its job's deadline by the sum of these is replaced; of the second, only time in which it had a processor counts. */
    overrunMs: 120,
    secondChanceMs: 80,
    /** How long it is waited for where it has no processor: as long again as the longest budget. */
    starvedMs: 5_000,
    /** How long a thread may take to load and answer its first probe. */
    probeMs: 15_000,
    /** Where the process has had a processor for less than this meanwhile, it is waited for longer; loading takes a fifth of a second of it. */
    probeRanMs: 3_000,
    probeStarvedMs: 60_000,
    /** How long fewer threads than configured may last before the pool is built anew. */
    missingThreadMs: 2_000,
    /** How long a new thread may look around in each chain's snapshot before it calls itself ready. */
    warmUpMs: 1_000,
    heapMegabytes: 1024,
    /** Of solver threads, on a system that gives threads priorities of their own: a third of the main thread's weight where both want a processor. */
    niceness: 5,
    attempts: 2,
    /** Threads beyond those that work, loaded and warm, to take the place of one that ends, since loading one takes longer than a request should wait; and to try what may end its thread. */
    reserveThreads: 1,
    /** What a thread in reserve does over of what was answered lately: so many jobs of different pairs, so many runs of at most so long, and then one from time to time. */
    rehearsal: { jobs: 64, runs: 128, budgetMs: 1_000, everyMs: 1_000 },
    /** A job estimated to run no longer may use the thread that is kept for such jobs: half of the shortest time budget, which is what may be spent waiting. */
    shortRunMs: 25,
    /** A job whose kind has run less often may be tried on that thread, though its estimate is long; what turns out to be long takes at most such a share of it. */
    trials: { runs: 3, share: 0.1 },
    /** A run so many times its estimate, and so much longer, has what waits valued anew; not more often than so. */
    surprise: { ratio: 2, leastMs: 10, everyMs: 100 },
    /** Clients whose use of the threads, and kinds of jobs whose run times, are remembered. */
    rememberedClients: 4096,
    rememberedKinds: 8192,
    /** A job that killed so many threads is not run again for so long. */
    poison: { deaths: 2, rememberedMs: 60_000, remembered: 1024 },
    /**
     * In runs that came to their end. What a client needs to be taken for harmless, what a death under a job of its costs until the job is cleared, and what it can have at most: of what anybody
     * sends one in so many may kill, so that whatever else ends threads holds up nobody.
     */
    credit: { needed: 20, perDeath: 400, most: 1_200 },
    /** How often the memory of the process is looked at, how old a reading may be that a job is measured from, and how long after a thread was ended for it the next may be. */
    memory: { lookEveryMs: 250, readEveryMs: 20, patienceMs: 2000 },
    /** How fast threads may be risked on suspects; and under jobs of clients with credit before what never ran before is suspect whoever asks: there may be many such clients. */
    restarts: { burst: 2, perSecond: 0.5 },
    trustedRestarts: { burst: 3, perSecond: 0.1 },
    /** What the replacement of a thread takes of others' time, cold as it is, charged to the client whose job it died under. */
    restartMs: 2_000,
  },
  /** Files of the offline solver: pool sets, block deltas, requests. */
  files: { bytes: 256 * 2 ** 20, inflatedBytes: 384 * 2 ** 20, requests: 1_000_000, leftOutExamples: 20, arbitrageTrades: 200_000 },
  /** Indexing of one chain. */
  indexing: INDEXING_LIMITS,
  outbound: OUTBOUND_LIMITS,
  /** Finding in which block a contract was made: contracts that are looked for at a time, and how often, with which pause, nodes are asked that do not answer. */
  firstBlocks: { atOnce: 4, attempts: 5, pauseMs: 1000 },
  /** Asking contracts again that are priced by estimates, before a route through them is answered. */
  requoting: {
    /** How long one asking may take, and the share of what is left of a request's budget, but for this much, which an asking always has. */
    timeoutMs: 2_000,
    budgetShare: 0.5,
    leastMs: 25,
    /** Solves of one request with what was said; then the route that there is takes what is said of it, so many times; then pools that are still not settled are left out. */
    solves: 3,
    restatements: 3,
    /** Solves that leave pools out, before all that have to be asked are. */
    leftOut: 3,
    /** How many times what the last solve took has to be left for another one. */
    runsLeft: 2,
    /** What a hop may give more or less than estimated for its route to be kept, as a share: less than a tenth of a basis point changes no route. */
    negligible: 1e-5,
    /** What a last solve has where the budget has ended: a route that was not asked about is never answered. */
    graceMs: 50,
    /** Blocks whose quotes are remembered, and quotes of one. */
    knownBlocks: 4,
    knownQuotes: 4096,
    /** Requests of one chain that wait for contracts at a time: the chain is followed beside them. */
    waiting: 64,
  },
  measuring: MEASURING_LIMITS,
  /** Prices in USD. */
  market: {
    /** Tokens of more decimals have no price: a whole one is then no amount that anybody means. */
    mostDecimals: 36,
    /** How long a block that is whole waits for its price feeds. */
    feedWaitMs: 500,
    /** What a pool may count for: vaults take any amount without moving their price. */
    mostDepthUsd: 1e15,
    /** A stablecoin that tokens with a feed say to be off a dollar by more is no anchor: feeds themselves lag by up to half a percent or two. */
    pegTolerance: 0.03,
    /** For how long a feed's answer is believed whatever stablecoins say: the heartbeat of Ethereum's own, and in a market that moves they answer far more often. */
    feedAloneSeconds: 3600,
    /** So many stablecoins that are off a dollar on the same side, by an older answer, say that it is the answer that is off. */
    feedDeniedBy: 2,
  },
  switching: {
    /** Labels, and pools, that may be switched off on one chain. */
    offPerChain: 1024,
    /** Further solves of a request whose plan goes through what was switched off meanwhile: each answers a switch thrown during the one before. */
    solvesAgain: 3,
  },
  /** The HTTP edge. */
  http: {
    headers: 100,
    connections: 10_000,
    backlog: 4096,
    headersTimeoutMs: 5000,
    requestTimeoutMs: 10_000,
    connectionsCheckingIntervalMs: 1000,
    keepAliveTimeoutMs: 65_000,
    /** Requests of one connection that are read before the first of them is answered. More than one, or a client that hangs up would not be noticed. */
    requestsPerConnection: 2,
    /** Requests begun in one turn of the event loop: about a millisecond of work. */
    requestsPerTurn: 8,
    /** What is read of a connection is parsed in pieces of at least so much, up to the end of a request: no more requests than fit into one are begun beyond that. */
    pieceBytes: 512,
    /** Connections read on in one turn of the event loop once they may. */
    resumptionsPerTurn: 32,
    /** An answer that is not taken for so long ends its connection. */
    answerLeavesMs: 20_000,
    /** Connections found slow that are refused in one turn of the event loop: about a millisecond's work. */
    slowRefusalsPerTurn: 8,
    /** How long requests in flight may take to finish once the service stops, and how long an idle connection may bring another one. */
    drainMs: 5500,
    lastRequestMs: 400,
    /** How long what is connecting may go on being accepted when the service stops, until a turn of the event loop that brings nothing: milliseconds, where there is a processor for it. */
    lastConnectionsMs: 2000,
    /** For so long nothing may have come in before that: a client that has just got an answer may be about to connect again. */
    lastConnectionsQuietMs: 40,
    internalBodyBytes: 1024,
    /** How often the text of /metrics is made anew: each takes milliseconds of the thread that answers. */
    scrapes: { burst: 5, perSecond: 2 },
  },
  log: {
    /** Lines are written when they are so many bytes, or after so long. */
    gatheredBytes: 12_288,
    gatheredMs: 100,
    /** Lines beyond this are lost while what reads the log stands still: the service does not stand still with it. */
    unwrittenBytes: 64 * 2 ** 20,
    /** How long a process that ends tries to write what is left. */
    lastWriteMs: 500,
  },
  building: {
    /** Solves of one swap: the first, and those that a moved chain asks for. */
    solves: 4,
    /** What a certification may take, though the request's own budget has ended. */
    certifyMs: 250,
    /** How long ago a certification may have been begun, beside the last check of what was signed, to count as of the newest snapshot. */
    begunMs: 20,
    /** What a maker, an attester or an issuer has for its answer, at most. */
    firmUpMs: 2_000,
    /** Of a request's budget kept for what comes after a firm-up: another solve where it fails, and a certification. A solve that comes later still has as much beyond the budget. */
    afterFirmUpMs: 100,
    /** One part in so many of its amounts is all that a route may be worse, on the block that it was found on, to be handed out as it is: a tenth of a basis point changes no route. */
    asGoodWithin: 100_000,
    /** Default time until a transaction's deadline. */
    deadlineSeconds: 1200,
    /** Below this share of the input's USD value a swap is warned about. */
    highImpactRatio: 0.85,
  },
  /** What transfers of tokens may do (decision 122). */
  transfers: {
    /** The measured tax above which a token is not routed, 20%. Measuring rounds up, by a part per million at most. */
    capPpm: 200_001,
    /** Blocks around the pinned one within which a verdict serves, where the chain's configuration does not say; and of a token on its list of well-known ones. */
    verdictBlocks: 1,
    wellKnownBlocks: 100,
    /** Tokens that a solve would have routed through, had they been measured: as many are told. */
    wantedBetween: 16,
  },
  deployment: {
    rpcTimeoutMs: 20_000,
    /** How long a transaction may wait to be mined before the program gives up on it: run again, it finds what was mined meanwhile. */
    minedMs: 300_000,
  },
  metering: {
    /** Addresses whose bucket is not full at the same time. Each refills within 1.5 s. */
    addressBuckets: 100_000,
    keyFilePollMs: 400,
    keyFileBytes: 64 * 2 ** 20,
    /** Keys of a file, and the highest rate of one: schemas/key-file.schema.json. */
    keys: 100_000,
    keyRps: 1_000_000,
    /** How long a change of the key file waits for another one. */
    keyFileLockMs: 5000,
  },
  admission: {
    /** No request waits longer than this, nor longer than this share of what is left of its time budget. */
    waitMs: 500,
    /** What may kill its thread waits for one that can be risked, of which there is one every two seconds. */
    suspectWaitMs: 2000,
    waitShare: 0.5,
    /** 99th percentile of the event loop's delay, over at least this many late turns: a single long one sheds nobody. */
    eventLoopDelayMs: 200,
    eventLoopLateTurns: 3,
    eventLoopWindowMs: 5000,
    /** Trade requests in flight of one client: as many as it may send in a second, within these. */
    inflightPerClient: { least: 16, most: 1024 },
  },
  /** Venue mathematics. */
  venues: {
    /** Sqrt ratios of ticks that a thread remembers. Real pools share a few thousand: multiples of 10, 60 and 200 and word borders. */
    knownSqrtRatios: 65_536,
    /** Initialised ticks of one concentrated pool; a pool with more is not taken in. */
    ticksPerPool: 32_768,
    /** Pieces of a concentrated pool's curve in one direction, nearest price first; the capacity ends with the last one. */
    curvePieces: 512,
    /** Pieces of a sampled curve; a pool that takes more is left out of routing. */
    sampledPieces: 512,
    /** States of a venue whose sampled curves a thread remembers, for pools that are read in each block and are mostly as they were: some 10 kB each. */
    knownSampledStates: 2_048,
    /** Newton steps that a sampled curve of one direction may take, at some 2 µs each: those of crypto pools with parameters in use take 4,000, and 9,200 while the parameters move; those of Solidly's stable pools some 1,500 (decision 124). */
    sampledSteps: 16_000,
    /** Newton steps that all directions of a StableSwap pool may take together, of which eight coins have 56: as many as a crypto pool of three coins may take. Pools of four coins take fewer than 65,000 while their amplification moves. */
    sampledStepsOfPool: 96_000,
    /** Words of tick bitmaps whose places in the storage of Uniswap V4's manager the indexer remembers, at about 100 bytes each: a pool of tick spacing 1 has 6,932. */
    knownBitmapPlaces: 200_000,
    /** Tokens of one weighted or stable pool. */
    tokensPerPool: 8,
    /** Newton steps of a stable pool's invariant and balances. The contracts give up after as many. */
    newtonSteps: 255,
  },
  /** The embedded chain. */
  devnet: {
    startMs: 30_000,
    rpcTimeoutMs: 30_000,
    rpcBatchCalls: 200,
    /** Blocks in which one run of set-up transactions has to be mined. */
    setUpBlocks: 400,
    /** Past states that the node answers for: enough for replays and rollbacks, few enough to run for days. */
    keptStates: 128,
    bots: {
      swapsPerRound: 5,
      /** Positions that the bots hold; at this many they only remove. */
      positions: 24,
      /** A round not mined after this many heads is taken back. */
      patienceHeads: 5,
      /** How long switching the bots off waits for their last round before it is taken back. */
      drainMs: 2_000,
    },
  },
  /** Route search of one request. */
  routing: {
    /** Partial paths kept of a token after so many hops: where the way of one already visits the next token, the other may go on. */
    labelsPerToken: 2,
    /** Edges that a search of single paths looks at, or quotes that one of small routes asks for, before it leaves out what reference prices say can not pay: all of a small market, where an arbitrage makes prices err and looking costs nothing. */
    ungatedLooks: 256,
    /** A goal of at most so many pairs is asked what each needs, which more would not repay; of a token's pairs, column generation first reads the best so many, and so many in the end: near rest hardly one of the others pays (decision 12). */
    smallDegree: 64,
    pairsReadFirst: 16,
    pairsRead: 64,
    /** Rounds that read few: prices are then far from rest, and what pays by them may not in the end. */
    firstRounds: 4,
    /** Newton steps of one equilibration: what is not at rest by then has got stuck, and is started from far. */
    newtonSteps: 80,
    /** Stretches between price jumps into which a curve is cut; the last takes the rest. Few trades pass so many. */
    strandsPerCurve: 16,
    /** Steps in search of the input that a column of several hops takes: chords need two, halving gains a bit each. */
    columnSteps: 12,
    /** Rounds of column generation; columns found in a round, and those that join in it (with tolls: each pays for itself, but not so all together); looks at edges that were set aside as too shallow, of which a second finds next to nothing (decision 61). So many that only effort ends most searches; few enough that none of them is long. */
    columnRounds: 48,
    columnsFound: 512,
    columnsJudged: 128,
    columnsPerRound: 48,
    tolledPerRound: 20,
    secondLooks: 1,
    /** Other orders tried of a network in all, and after one that was better, and edges that one shuts out from which one starts; only networks of so many nodes and edges: in larger ones no single edge matters much, and each try takes long. */
    reorders: 3,
    ordersTried: 2,
    reorderedBy: 8,
    reorderedNodes: 20,
    reorderedEdges: 64,
    /** Edges that carry flow at the same time, the hops of a route: about as many as a transaction has gas for. */
    networkEdges: 144,
    /** Gas units of the hops of a route: a transaction may use 2^24 (EIP-7825), and some of that is not the hops'. */
    routeGas: 15_500_000,
    /** Times that gas is made dearer until a route fits (in all 80,000 times as dear), and networks brought to rest each time. */
    gasFits: 24,
    fitTrials: 8,
    /** Networks brought to rest while deciding which pools earn their gas; columns tried at a time, and looks for some; edges of a network whose exchange is tried, and how many of them: in larger ones no edge matters so much, and by duality those that come first lose least. */
    selectionTrials: 96,
    columnsTried: 6,
    candidateLooks: 4,
    exchangedEdges: 16,
    exchanges: 6,
    /** Single paths from which a lean network is grown, and networks that are rounded and priced exactly: the model's order of the best two is not always the exact one. */
    startPaths: 2,
    finalistSplits: 2,
    /** Single paths that are priced exactly; the best direct pool comes on top. */
    finalistPaths: 4,
    /** Single paths that bring less exactly than the model says, and so do not count among those: few markets have pools so deep against a trade that contracts give nothing for it. */
    brokenPaths: 16,
    /** Routes priced exactly with another pool in a hop's place, and pools of a hop's pair that are: a route of few hops has few that come near. */
    exactExchanges: 64,
    exchangedPools: 3,
    /** Routes priced exactly where units count: every move of every hop of most routes. */
    unitTrials: 256,
    /** The same where some hops of a larger trade are of few units: most of what there is to gain, at a few milliseconds. */
    fewUnitTrials: 96,
    /** Roundings tried of one split, where what leads to a pool that refuses is held back: what is looked for to a ten-thousandth takes some fourteen. */
    heldTries: 24,
    /** Networks tried again without a pool that refused its hop: a market where more of them do has little to give. */
    repairs: 8,
    /** Sales at rest in search of the least one that gives what a buy asks for: chords and halving by turns close a bracket of seven digits in fewer. */
    saleSteps: 24,
    /** Sales priced exactly in search of the least one that gives it, to five digits. */
    exactSales: 20,
    /** Rates of the native token that a thread keeps for a block: some hundred kilobytes. */
    nativeRates: 4096,
    /** Sizes, each a 4,096th of the one before, of which the first that the market takes tells the rate. */
    nativeParts: 8,
    /** Exact simulations of one exact-out search: a secant takes a handful, and halving 256 bits twice as many as bits. */
    exactOutSteps: 600,
    /** Below this many base units in a hop floats can misorder, since a unit is then a hundredth of a basis point; and this many exact quotes are then made, about as many as effort allows. */
    smallHop: 1_000_000,
    /** Base units of a hop of which one is a basis point. */
    fewUnits: 10_000,
    smallQuotes: 16_384,
    /** What one search for the rate of the native token may look at: some 6 ms, which the first request of a block that measures in a token waits for. */
    rateEffort: 15_000,
    /** Edges looked at in one solve, each of some 0.4 to 0.5 µs; one coming to rest may run past it by a sixth. So no solve takes a tenth of a second on a free processor. Ordinary ones need a tenth of that. */
    effort: 160_000,
  },
} as const;
