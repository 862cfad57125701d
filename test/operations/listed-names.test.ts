import { expect } from 'chai';
import { createMetrics } from '../../src/observe/observe.ts';
import { filesOf } from './dashboard-files.ts';

/** What those who run the service are promised, without the prefix: each metric, and the labels that it has at least. Dashboards, alerts and machines of theirs go by these names. */
const LISTED_METRICS: Readonly<Record<string, readonly string[]>> = {
  http_requests_total: ['route', 'status'],
  http_request_duration_seconds: ['route', 'status_class'],
  metering_decisions_total: ['identity', 'decision'],
  rate_store_fallbacks_total: [],
  admission_decisions_total: ['decision'],
  admission_estimated_wait_seconds: [],
  admission_wait_limit_seconds: [],
  solver_queue_depth: [],
  solver_queue_limit: [],
  solver_inflight: [],
  solver_workers: ['state'],
  solver_queue_wait_seconds: [],
  solver_run_seconds: ['mode', 'gas_mode'],
  solver_phase_seconds: ['phase'],
  solver_worker_restarts_total: ['reason'],
  solver_expired_total: [],
  snapshot_block_number: ['chain'],
  snapshot_age_seconds: ['chain'],
  snapshot_publish_seconds: ['chain'],
  snapshot_used_bytes: ['chain'],
  snapshot_capacity_bytes: ['chain'],
  snapshot_pinned_slots: ['chain'],
  snapshot_reclaimed_pins_total: [],
  indexer_head_lag_seconds: ['chain'],
  indexer_logs_total: ['chain', 'venue'],
  indexer_reorgs_total: ['chain'],
  indexer_reorg_depth: ['chain'],
  indexer_backfilled_blocks_total: ['chain'],
  indexer_audit_mismatches_total: ['chain', 'venue'],
  indexer_pools: ['chain', 'venue'],
  rpc_requests_total: ['chain', 'method', 'outcome'],
  quote_outcomes_total: ['endpoint', 'outcome'],
  swap_warnings_total: ['code'],
  rfq_firmup_seconds: ['maker', 'outcome'],
  maker_throttled: ['maker'],
  token_verdicts: ['chain', 'verdict'],
  build_info: [],
};

const LISTED_ALERTS = [
  'ErrorBudgetBurnFast',
  'ErrorBudgetBurnSlow',
  'SnapshotStale',
  'SolverWorkersMissing',
  'SolverSaturated',
  'ShedRatioHigh',
  'EventLoopBlocked',
  'SnapshotNearCapacity',
  'PinsReclaimed',
  'MakerFailing',
  'RateStoreFallback',
  'AuditMismatch',
  'ReorgDeep',
];

describe('what those who run the service are promised by name', () => {
  it('every listed metric is there with our prefix, and has the listed labels', () => {
    const { registry } = createMetrics({ version: '0', mode: 'test' });
    for (const [name, labels] of Object.entries(LISTED_METRICS)) {
      const metric = registry.getSingleMetric(`braid_${name}`);
      expect(metric, name).not.to.equal(undefined);
      expect(Reflect.get(metric ?? {}, 'labelNames'), name).to.include.members([...labels]);
    }
  });

  it('every listed alert is there', () => {
    const rules = filesOf('grafana/prometheus/rules', '.yml').map(({ text }) => text);
    const alerts = rules.flatMap((text) => [...text.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name));
    expect(alerts).to.include.members(LISTED_ALERTS);
  });
});
