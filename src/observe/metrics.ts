import { collectDefaultMetrics, Registry } from 'prom-client';
import * as values from './label-values.ts';
import { metricFactory } from './metric-factory.ts';

// Buckets, in seconds, lie where the values do.
/** From a refusal to the longest time budget. */
const ANSWER_SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5];
/** An idle thread takes a job up in microseconds; nobody waits longer than the admission limit. */
const WAIT_SECONDS = [0.00001, 0.000025, 0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** From a pair without a route to the longest time budget. */
const SOLVE_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const PHASE_SECONDS = [0.00001, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5];
const PUBLISH_SECONDS = [0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25];
/** From a node on the same machine to the timeout of a call. */
const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 5];
/** At once where a thread is in reserve; else a thread has to load. */
const REFILL_SECONDS = [0.0001, 0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
/** Things counted in one solve. */
const COUNTS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** Shares, from rounding to a route that is another one than was modelled. */
const RATIOS = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];
/** From what the plan says to what the largest slippage tolerance would let pass unnoticed. */
const SHORTFALLS = [0, 0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05];
const REORG_BLOCKS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Gauges of the default metrics that are named like counters, which Prometheus' own linter refuses; what they say, nodejs_active_resources says by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export type MetricsOptions = {
  readonly version: string;
  /** 'devnet', 'config' or 'pool-set': whether prices are those of a live chain is visible beside every figure. */
  readonly mode: string;
  /** The hosted chains; left out by tests that look at no chain. */
  readonly chains?: readonly MetricsChain[];
  /** Venue folders. */
  readonly venues?: readonly string[];
  /** Node's and the process's own metrics, under their usual names; off in tests that count series. */
  readonly defaults?: boolean;
};

/** `name` is the canonical one; `rpcEndpoints` their number, 0 for a chain that is no live one; `makers`, `attesters`: names of those that configuration names, none where it is absent; `listedMakers`: those of them whom a registry lists or does not. */
export type MetricsChain = {
  readonly chainId: number;
  readonly name: string;
  readonly rpcEndpoints: number;
  readonly makers?: readonly string[];
  readonly attesters?: readonly string[];
  readonly listedMakers?: readonly string[];
};

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Every metric of the service: base units, `_total` for counters, and labels whose values the service itself chooses from closed sets, so that no caller
 * can add a series. No label ever holds an address, a key, an IP or an id. Whatever concerns one chain has the label `chain`.
 */
export function createMetrics({ version, mode, chains = [], venues = [], defaults = true }: MetricsOptions) {
  const registry = new Registry();
  if (defaults) {
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
  }
  const factory = metricFactory(registry);
  const names = chains.map(({ name }) => name);
  const metrics = {
    registry,
    chainNames: new Map(chains.map(({ chainId, name }) => [chainId, name])),
    venueNames: venues,
    makerNames: new Map(chains.map(({ name, makers = [] }) => [name, makers])),
    attesterNames: new Map(chains.map(({ name, attesters = [] }) => [name, attesters])),
    listedMakerNames: new Map(chains.map(({ name, listedMakers = [] }) => [name, listedMakers])),
    ...makerMetrics(factory, chains),
    ...attesterMetrics(factory, chains),
    ...edgeMetrics(factory, [...names, values.NO_CHAIN]),
    ...solverMetrics(factory, names),
    ...chainMetrics(factory, names, venues),
    ...checkpointMetrics(factory, names),
    ...nodeMetrics(factory, chains),
  };
  factory.gauge('build_info', 'Always 1.', 'version', 'node', 'mode').set({ version, node: process.version, mode }, 1);
  return metrics;
}

type Factory = ReturnType<typeof metricFactory>;

/** Requests on their way in and out. */
function edgeMetrics({ counter, gauge, histogram }: Factory, chain: readonly string[]) {
  const { CHAIN_ROUTES, OTHER_ROUTES, NO_CHAIN, STATUSES: status, STATUS_CLASSES: status_class } = values;
  const some = { route: CHAIN_ROUTES, chain };
  const none = { route: OTHER_ROUTES, chain: [NO_CHAIN] };
  return {
    httpRequests: counter('http_requests_total', 'Answers; status is "aborted" when the client left first.', { ...some, status }, { ...none, status }),
    httpDuration: histogram(
      'http_request_duration_seconds',
      'From the arrival of a request to its answer.',
      ANSWER_SECONDS,
      { ...some, status_class },
      { ...none, status_class },
    ),
    httpConnections: gauge('http_connections', 'Open connections of the public listener.'),
    httpConnectionsLimit: gauge('http_connections_limit', 'Connections that the public listener takes.'),
    httpConnectionsDropped: counter('http_connections_dropped_total', 'Connections closed at once because the limit was reached.'),
    quoteOutcomes: counter('quote_outcomes_total', 'Trade requests by what became of them.', {
      endpoint: values.TRADE_ENDPOINTS,
      chain,
      outcome: values.OUTCOMES,
    }),
    swapWarnings: counter('swap_warnings_total', 'Warnings of answered swaps.', { chain, code: values.WARNING_CODES }),
    tokenRefusals: counter('token_refusals_total', 'Trade requests that were refused for what transfers of a token do, by cause.', {
      chain,
      cause: values.TOKEN_CAUSES,
    }),
    meteringDecisions: counter('metering_decisions_total', 'Rate budget: allowed, refused, and tokens given back.', {
      identity: values.IDENTITIES,
      decision: values.BUDGET_DECISIONS,
    }),
    rateStoreFallbacks: counter('rate_store_fallbacks_total', 'Budget decisions made locally because the shared store was out of reach.'),
    meteredAddresses: gauge('metering_buckets', 'Rate buckets held in memory.'),
    meteredAddressesLimit: gauge('metering_buckets_limit', 'Address buckets that may be held.'),
    keys: gauge('metering_keys', 'Registered keys in force.'),
    keysReloadSuccessful: gauge('metering_keys_last_reload_successful', '1 when the key file was usable when it was last read, else 0.'),
    keysReloadTime: gauge('metering_keys_last_reload_success_timestamp_seconds', 'When the keys in force were read.'),
    admissionDecisions: counter('admission_decisions_total', 'Room in the solver: admitted, or why not.', { decision: values.ADMISSION_DECISIONS }),
    estimatedWait: gauge('admission_estimated_wait_seconds', 'How long all that waits now will take to reach a thread: the wait of whoever is last.'),
    waitLimit: gauge('admission_wait_limit_seconds', 'The longest wait that is admitted.'),
    inflightClients: gauge('admission_inflight_clients', 'Clients with a trade request in flight.'),
    inflightClientsLimit: gauge('admission_inflight_clients_limit', 'Clients that may have one.'),
    eventLoopDelay: gauge('admission_event_loop_delay_seconds', '99th percentile of the event loop delay that admission judges by.'),
    eventLoopDelayLimit: gauge('admission_event_loop_delay_limit_seconds', 'Above this the event loop counts as late.'),
    ready: gauge('ready', '1 when /readyz says so: threads live, a first snapshot of every chain, not stopping.'),
    logLinesLost: counter('log_lines_lost_total', 'Log lines dropped because standard output was not read.'),
  };
}

function solverMetrics({ counter, gauge, histogram }: Factory, chain: readonly string[]) {
  const { MODES: mode, GAS_MODES, NO_GAS_MODE, SOLVE_FAILURES } = values;
  return {
    solverQueueDepth: gauge('solver_queue_depth', 'Jobs waiting for a thread.'),
    solverQueueLimit: gauge('solver_queue_limit', 'Jobs that may wait.'),
    solverInflight: gauge('solver_inflight', 'Jobs on a thread.'),
    solverWorkers: gauge('solver_workers', 'Solver threads by state.', 'state'),
    solverWorkersConfigured: gauge('solver_workers_configured', 'Solver threads that there should be.'),
    solverHeap: gauge('solver_worker_heap_bytes', 'Heap of the solver thread that uses most, after its last job.'),
    solverHeapLimit: gauge('solver_worker_heap_limit_bytes', 'Heap at which a solver thread is ended.'),
    solverQueueWait: histogram('solver_queue_wait_seconds', 'From arrival in the queue to a thread, or to the end of the wait.', WAIT_SECONDS, { chain }),
    solverRun: histogram(
      'solver_run_seconds',
      'Run time of solves by how they ended; gas_mode is "none" without a route.',
      SOLVE_SECONDS,
      { chain, mode, outcome: ['ok'], gas_mode: GAS_MODES },
      { chain, mode, outcome: SOLVE_FAILURES, gas_mode: [NO_GAS_MODE] },
    ),
    solverBusy: counter('solver_busy_seconds_total', 'Thread time by what it went to: work, and how the run ended.', {
      chain,
      work: values.WORK,
      outcome: values.RUN_ENDS,
    }),
    solverLongPlaces: gauge('solver_long_places', 'Threads that jobs which are not short may hold together.'),
    solverLongBusy: counter('solver_long_busy_seconds_total', 'Thread time in which jobs that are not short held their places.', { chain }),
    solverBlock: gauge('solver_block_number', 'Block that the last solve went by.', 'chain'),
    solverPhase: histogram('solver_phase_seconds', 'Time by phase of a solve.', PHASE_SECONDS, { chain, phase: values.PHASES }),
    solverStopped: counter('solver_stopped_total', 'Routes found, by why the search ended.', { chain, reason: values.STOPPED }),
    solverSteps: histogram('solver_steps', 'Rounds of column generation of a solve.', COUNTS, { chain }),
    solverPaths: histogram('solver_paths', 'Single paths that a solve considered.', COUNTS, { chain }),
    solverColumns: histogram('solver_columns', 'Columns that a solve generated.', COUNTS, { chain }),
    solverModelError: histogram('solver_model_error_ratio', 'How far the float model of a split is from the exact amount of the route.', RATIOS, {
      chain,
      mode,
    }),
    solverRestarts: counter('solver_worker_restarts_total', 'Solver threads replaced.', { reason: values.RESTART_REASONS }),
    solverRefill: histogram('solver_refill_seconds', 'From the end of a solver thread to a loaded one in its place.', REFILL_SECONDS, {}),
    solverRehearsal: counter('solver_rehearsal_seconds_total', 'Time in which threads in reserve did over what was answered lately.', { chain }),
    solverExpired: counter('solver_expired_total', 'Jobs whose budget ended in the queue.', { chain }),
    requotes: counter('requotes_total', 'Hops of routes whose contracts were asked what they give, by what they said next to the estimate.', {
      chain,
      outcome: values.REQUOTE_OUTCOMES,
    }),
    requoteDuration: histogram('requote_duration_seconds', 'Time to ask contracts what they give for the hops of one route.', CALL_SECONDS, { chain }),
    solverPoisonRefused: counter('solver_poison_refused_total', 'Jobs answered without a run, since the same job killed threads before.', { chain }),
    memoryLimit: gauge('memory_limit_bytes', 'Resident memory of the process above which the solver thread that holds most is replaced.'),
  };
}

/** The chain's state on its way from the node to the readers. */
function chainMetrics({ counter, gauge, histogram }: Factory, chain: readonly string[], venue: readonly string[]) {
  return {
    snapshotBlock: gauge('snapshot_block_number', 'Block of the published snapshot.', 'chain'),
    snapshotAge: gauge('snapshot_age_seconds', 'Age of the published head, as freshness is judged.', 'chain'),
    snapshotAgeLimit: gauge('snapshot_age_limit_seconds', 'The freshness bound.', 'chain'),
    snapshotOrphaned: gauge('snapshot_orphaned', '1 while the published block has left the chain and what takes its place is read.', 'chain'),
    snapshotPublish: histogram('snapshot_publish_seconds', 'Time to publish an epoch.', PUBLISH_SECONDS, { chain }),
    snapshotUsed: gauge('snapshot_used_bytes', 'Arena bytes in use.', 'chain'),
    snapshotCapacity: gauge('snapshot_capacity_bytes', 'Arena bytes reserved.', 'chain'),
    snapshotPinned: gauge('snapshot_pinned_slots', 'Directories that a reader pins.', 'chain'),
    snapshotSlots: gauge('snapshot_slots_limit', 'Directories that there are.', 'chain'),
    snapshotReclaimedPins: counter('snapshot_reclaimed_pins_total', 'Pins cleared after the exit of their thread.'),
    headBlock: gauge('indexer_head_block_number', "Head of the chain's node, as it showed it last.", 'chain'),
    indexedBlock: gauge('indexer_block_number', 'Block up to which all is taken in, published or not.', 'chain'),
    headLag: gauge(
      'indexer_head_lag_seconds',
      'From the timestamp of a block to its publication, by the wall clock: below 0 where that is behind the chain.',
      'chain',
    ),
    indexerLogs: counter('indexer_logs_total', 'Logs applied.', { chain, venue }),
    indexerReorgs: counter('indexer_reorgs_total', 'Reorgs rolled back.', { chain }),
    indexerReorgDepth: histogram('indexer_reorg_depth', 'Blocks rolled back by a reorg.', REORG_BLOCKS, { chain }),
    indexerRebuilds: counter('indexer_rebuilds_total', 'Chains read anew because their blocks were replaced further back than can be undone.', { chain }),
    indexerWaiting: gauge('indexer_waiting', 'What the node could not be asked about yet, by what it is; such pools are absent.', 'chain', 'what'),
    indexerUnaudited: gauge('indexer_unaudited_blocks', 'Blocks since the oldest change of a pool that was not compared with the chain yet.', 'chain'),
    indexerUnreadBlock: gauge(
      'indexer_unread_block_seconds',
      'For how long the logs of the block after the tip could not be read; 0 while they can be.',
      'chain',
    ),
    indexerUnplaced: gauge('indexer_unplaced_pools', 'Pools that the snapshot has no room for.', 'chain'),
    indexerTooSmall: gauge('indexer_small_pools', 'Pools that are followed and not solved with, since they hold less than minimumLiquidity.', 'chain'),
    indexerBackfilled: counter('indexer_backfilled_blocks_total', 'Blocks read again after a gap.', { chain }),
    indexerMismatches: counter('indexer_audit_mismatches_total', 'Pools whose state differed from the chain in the audit.', { chain, venue }),
    indexerPools: gauge('indexer_pools', 'Routable pools.', 'chain', 'venue'),
    indexerFollowed: gauge('indexer_followed_pools', 'Pools that are followed, routable or not.', 'chain', 'venue'),
    indexerPoolsLimit: gauge('indexer_pools_limit', 'Pools of a chain that have room.', 'chain'),
    indexerIgnored: counter('indexer_ignored_total', 'What the indexer left out, by reason.', { chain, reason: values.IGNORED }),
    pricedTokens: gauge('priced_tokens', 'Tokens that have a price in USD.', 'chain'),
    priceFeeds: gauge('price_feeds', 'Price feeds by what became of their last answers: used, stale, refused, or unread.', 'chain', 'state'),
    priceFeedAge: gauge('price_feed_age_seconds', 'Age of the oldest answer of a price feed that is used, by the time of the block; 0 when none is.', 'chain'),
    priceStablecoins: gauge('price_stablecoins', 'Stablecoins without a feed: held to be a dollar, or lost since pools say otherwise.', 'chain', 'state'),
    pricingTokens: gauge('pricing_tokens', 'Tokens by which others are priced: used, or barred for what was found of their transfers.', 'chain', 'state'),
    pricingDuration: histogram('pricing_seconds', 'Time to price the tokens of an epoch.', PUBLISH_SECONDS, { chain }),
    switchedOff: gauge('switched_off', 'What the operator has switched off: venue labels, and pools.', 'chain', 'kind'),
    switchedOffLimit: gauge('switched_off_limit', 'Labels, and pools, that may be switched off.', 'chain'),
    measuring: counter('measuring_total', 'Tokens whose transfers were measured, by what was found and for whom.', {
      chain,
      outcome: values.MEASURING_OUTCOMES,
      for: values.MEASURED_FOR,
    }),
    measuringPools: counter(
      'measuring_pools_total',
      'Pools of the tokens that were measured, by whether they were measured at, or left out, where routes do not take them.',
      {
        chain,
        pools: values.MEASURED_POOLS,
      },
    ),
    measuringDuration: histogram('measuring_duration_seconds', 'Time to measure the transfers of one token.', CALL_SECONDS, { chain }),
    tokenVerdicts: gauge(
      'token_verdicts',
      'Tokens whose verdict on transfers is kept, by its kind, or "partial" where it holds at some pools alone.',
      'chain',
      'verdict',
    ),
    tokenVerdictsOldest: gauge('token_verdicts_oldest_blocks', 'Age of the oldest verdict that is to be fresh, in blocks.', 'chain'),
    hotTokens: gauge('hot_tokens', 'Tokens asked for in the last minute, by whether their verdict was fresh when the block came.', 'chain', 'verdict'),
    measuringWaiting: gauge('measuring_waiting', 'Places that are taken to wait for a token to be measured.', 'chain'),
    measuringWaitingLimit: gauge('measuring_waiting_limit', 'Places there are to wait for a token to be measured.', 'chain'),
    measuringRefused: counter('measuring_refused_total', 'Requests that found no place to wait for a token to be measured at: answered overloaded.', { chain }),
    indexerProgress: gauge(
      'indexer_start_progress_ratio',
      'How far the last cold start is, by phase: first blocks of contracts, logs of ranges, pairs of tokens, states of pools.',
      'chain',
      'phase',
    ),
    indexerRestarts: counter('indexer_restarts_total', 'Indexer threads started again after they died.', { chain }),
  };
}

/** What indexers keep over a restart. */
function checkpointMetrics({ counter, gauge }: Factory, chain: readonly string[]) {
  return {
    checkpointWrites: counter('checkpoint_writes_total', 'Checkpoints by what became of them: written, or not for the disk or their size.', {
      chain,
      outcome: values.CHECKPOINT_WRITES,
    }),
    checkpointDuration: gauge('checkpoint_last_write_seconds', 'Time that the last checkpoint took, beside the following.', 'chain'),
    checkpointPart: gauge('checkpoint_last_part_seconds', 'Longest time of the last checkpoint in which the thread did nothing else.', 'chain'),
    checkpointBlock: gauge('checkpoint_block_number', 'Block of the last checkpoint.', 'chain'),
    checkpointTime: gauge('checkpoint_written_timestamp_seconds', 'When the last checkpoint was written.', 'chain'),
    checkpointBytes: gauge('checkpoint_bytes', 'Size of the last checkpoint.', 'chain'),
    checkpointBytesLimit: gauge('checkpoint_bytes_limit', 'Size above which none is written.', 'chain'),
    checkpointReads: counter('checkpoint_reads_total', 'Starts by what became of the checkpoint that was there.', { chain, outcome: values.CHECKPOINT_READS }),
  };
}

/** `endpoint` is the place of a node's URL in the chain's list, from 0. */
function nodeMetrics({ counter, gauge, histogram }: Factory, chains: readonly MetricsChain[]) {
  const groups = chains.map(({ name, rpcEndpoints }) => ({
    chain: [name],
    endpoint: Array.from({ length: rpcEndpoints }, (_, index) => String(index)),
    method: values.RPC_METHODS,
  }));
  const labels = groups.length > 0 ? groups : [{ chain: [], endpoint: [], method: values.RPC_METHODS }];
  return {
    rpcRequests: counter('rpc_requests_total', 'Calls to nodes.', ...labels.map((group) => ({ ...group, outcome: values.RPC_OUTCOMES }))),
    rpcFollowed: gauge('rpc_endpoint_followed', '1 for the endpoint whose head is followed.', 'chain', 'endpoint'),
    rpcSubscribed: gauge('rpc_endpoint_subscribed', '1 while an endpoint announces heads over its socket.', 'chain', 'endpoint'),
    rpcAnnounced: counter(
      'rpc_heads_announced_total',
      'Heads that an endpoint announced over its socket.',
      ...labels.map(({ chain, endpoint }) => ({ chain, endpoint })),
    ),
    rpcLeft: gauge('rpc_endpoint_left', '1 while an endpoint is not followed, by why.', 'chain', 'endpoint', 'reason'),
    rpcDuration: histogram('rpc_request_duration_seconds', 'Time of calls to nodes, however they ended.', CALL_SECONDS, ...labels),
  };
}

/** `attester` is a name that the configuration gives. */
function attesterMetrics({ counter, gauge, histogram }: Factory, chains: readonly MetricsChain[]) {
  const attested = chains.map(({ name, attesters = [] }) => ({ chain: [name], attester: attesters, outcome: values.FIRM_OUTCOMES }));
  const groups = attested.length > 0 ? attested : [{ chain: [], attester: [], outcome: [] }];
  return {
    attestation: histogram(
      'attestation_seconds',
      'Time to have the next blocks attested for a hop, and the attestations checked, by what came of it.',
      CALL_SECONDS,
      ...groups,
    ),
    attestationPolls: counter('attestation_polls_total', 'Times that an attester was asked in a new block, without a swap, by what came of it.', ...groups),
    attesterThrottled: gauge('attester_throttled', '1 while an attester is left alone, since it was busy or failed too often.', 'chain', 'attester'),
  };
}

/** `maker` is a name that the configuration gives. */
function makerMetrics({ counter, gauge, histogram }: Factory, chains: readonly MetricsChain[]) {
  const groups = chains.map(({ name, makers = [] }) => ({ chain: [name], maker: makers }));
  const labels = groups.length > 0 ? groups : [{ chain: [], maker: [] }];
  const prices = labels.map((group) => ({ ...group, outcome: values.PRICE_OUTCOMES }));
  const registries = [{ chain: chains.map(({ name }) => name), outcome: values.REGISTRY_READS }];
  return {
    makerPrices: counter('maker_prices_total', 'Times that a maker was asked what it prices, by what came of it.', ...prices),
    makerMalformed: counter('maker_malformed_pairs_total', 'Pairs in the answers of a maker that are none, and were left out.', ...labels),
    makerListed: gauge('maker_listed', '1 while a maker is served: always, or where the registry is to say so, while that lists it.', 'chain', 'maker'),
    registryEntries: gauge('maker_registry_entries', 'Entries of the registry that were read, by what became of them.', 'chain', 'outcome'),
    registryReads: counter('maker_registry_reads_total', 'Times that the registry was read, by whether it could be.', ...registries),
    makerThrottled: gauge('maker_throttled', '1 while a maker is left alone, since it was busy or failed too often.', 'chain', 'maker'),
    firmUp: histogram(
      'rfq_firmup_seconds',
      'Time to have a hop signed by its maker, and the order checked, by what came of it.',
      CALL_SECONDS,
      ...labels.map((group) => ({ ...group, outcome: values.FIRM_OUTCOMES })),
    ),
    firmUpShortfall: histogram(
      'rfq_firmup_shortfall_ratio',
      'By which part of the planned amount what a maker offered was worse, taken or not; in the lowest bucket it was no worse.',
      SHORTFALLS,
      ...labels,
    ),
  };
}
