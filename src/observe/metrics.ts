import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds, from a refusal to the longest time budget. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5];

/** Things counted in one solve. */
const COUNTS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** Shares, from rounding to a route that is another one than was modelled. */
const RATIOS = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1];

export type MetricsOptions = {
  readonly version: string;
  /** 'devnet', 'config' or 'pool-set': whether prices are those of a live chain is visible beside every figure. */
  readonly mode: string;
  /** Node's and the process's own metrics; off in tests that count series. */
  readonly defaults?: boolean;
};

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Every metric of the service: base units, `_total` for counters, and labels whose values the service itself chooses from closed sets, so that no caller
 * can add a series. No label ever holds an address, a key, an IP or an id.
 */
export function createMetrics({ version, mode, defaults = true }: MetricsOptions) {
  const registry = new Registry();
  if (defaults) collectDefaultMetrics({ register: registry, prefix: 'braid_' });
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter<Label>({ name: `braid_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge<Label>({ name: `braid_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = [], buckets: readonly number[] = SECONDS) =>
    new Histogram<Label>({ name: `braid_${name}`, help, labelNames, registers, buckets: [...buckets] });

  const metrics = {
    registry,
    httpRequests: counter('http_requests_total', 'Answers by route and status; status is "aborted" when the client left first.', ['route', 'status']),
    httpDuration: histogram('http_request_duration_seconds', 'From the arrival of a request to its answer.', ['route', 'status_class']),
    meteringDecisions: counter('metering_decisions_total', 'Rate budget: allowed, refused, and tokens given back.', ['identity', 'decision']),
    rateStoreFallbacks: counter('rate_store_fallbacks_total', 'Budget decisions made locally because the shared store was out of reach.'),
    meteredAddresses: gauge('metering_buckets', 'Rate buckets held in memory.'),
    meteredAddressesLimit: gauge('metering_buckets_limit', 'Address buckets that may be held.'),
    keys: gauge('metering_keys', 'Registered keys in force.'),
    admissionDecisions: counter('admission_decisions_total', 'Room in the solver: admitted, or why not.', ['decision']),
    estimatedWait: gauge('admission_estimated_wait_seconds', 'How long a job that came now would wait for a thread.'),
    waitLimit: gauge('admission_wait_limit_seconds', 'The longest wait that is admitted.'),
    inflightClients: gauge('admission_inflight_clients', 'Clients with a trade request in flight.'),
    eventLoopDelay: gauge('admission_event_loop_delay_seconds', '99th percentile of the event loop delay that admission judges by.'),
    eventLoopDelayLimit: gauge('admission_event_loop_delay_limit_seconds', 'Above this the event loop counts as late.'),
    solverQueueDepth: gauge('solver_queue_depth', 'Jobs waiting for a thread.'),
    solverQueueLimit: gauge('solver_queue_limit', 'Jobs that may wait.'),
    solverInflight: gauge('solver_inflight', 'Jobs on a thread.'),
    solverWorkers: gauge('solver_workers', 'Solver threads by state.', ['state']),
    solverQueueWait: histogram('solver_queue_wait_seconds', 'From arrival in the queue to a thread.'),
    solverRun: histogram('solver_run_seconds', 'Run time of a job; gas_mode is "none" without a route.', ['mode', 'gas_mode']),
    solverPhase: histogram('solver_phase_seconds', 'Time by phase of a solve.', ['phase']),
    solverStopped: counter('solver_stopped_total', 'Routes found, by why the search ended.', ['reason']),
    solverSteps: histogram('solver_steps', 'Rounds of column generation of a solve.', [], COUNTS),
    solverPaths: histogram('solver_paths', 'Single paths that a solve considered.', [], COUNTS),
    solverColumns: histogram('solver_columns', 'Columns that a solve generated.', [], COUNTS),
    solverModelError: histogram('solver_model_error_ratio', 'How far the float model of a split is from the exact amount of the route.', ['mode'], RATIOS),
    solverRestarts: counter('solver_worker_restarts_total', 'Solver threads replaced.', ['reason']),
    solverExpired: counter('solver_expired_total', 'Jobs whose budget ended in the queue.'),
    solverPoisonRefused: counter('solver_poison_refused_total', 'Jobs answered without a run, since the same job killed threads before.'),
    memoryLimit: gauge('memory_limit_bytes', 'Resident memory of the process above which the solver thread that holds most is replaced.'),
    snapshotBlock: gauge('snapshot_block_number', 'Block of the published snapshot.', ['chain']),
    snapshotAge: gauge('snapshot_age_seconds', 'Age of the published head, as freshness is judged.', ['chain']),
    snapshotAgeLimit: gauge('snapshot_age_limit_seconds', 'The freshness bound.', ['chain']),
    snapshotPublish: histogram('snapshot_publish_seconds', 'Time to publish an epoch.', ['chain']),
    snapshotUsed: gauge('snapshot_used_bytes', 'Arena bytes in use.', ['chain']),
    snapshotCapacity: gauge('snapshot_capacity_bytes', 'Arena bytes reserved.', ['chain']),
    snapshotPinned: gauge('snapshot_pinned_slots', 'Directories that a reader pins.', ['chain']),
    snapshotReclaimedPins: counter('snapshot_reclaimed_pins_total', 'Pins cleared after the exit of their thread.'),
    headLag: gauge('indexer_head_lag_seconds', 'From the timestamp of a block to its publication.', ['chain']),
    indexerLogs: counter('indexer_logs_total', 'Logs applied.', ['chain', 'venue']),
    indexerReorgs: counter('indexer_reorgs_total', 'Reorgs rolled back.', ['chain']),
    indexerReorgDepth: histogram('indexer_reorg_depth', 'Blocks rolled back by a reorg.', ['chain'], [1, 2, 4, 8, 16, 32, 64, 128, 256]),
    indexerBackfilled: counter('indexer_backfilled_blocks_total', 'Blocks read again after a gap.', ['chain']),
    indexerMismatches: counter('indexer_audit_mismatches_total', 'Pools whose state differed from the chain in the audit.', ['chain', 'venue']),
    indexerPools: gauge('indexer_pools', 'Routable pools.', ['chain', 'venue']),
    indexerIgnored: counter('indexer_ignored_total', 'What the indexer left out, by reason.', ['chain', 'reason']),
    rpcRequests: counter('rpc_requests_total', 'Calls to nodes.', ['chain', 'method', 'outcome']),
    swapWarnings: counter('swap_warnings_total', 'Warnings of answered swaps.', ['code']),
    quoteOutcomes: counter('quote_outcomes_total', 'Trade requests by what became of them.', ['endpoint', 'outcome']),
  };
  gauge('build_info', 'Always 1.', ['version', 'node', 'mode']).set({ version, node: process.version, mode }, 1);
  return metrics;
}
