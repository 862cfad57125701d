import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import sinon from 'sinon';
import { ERRORS, RETRY_LATER } from '../../src/http/errors.ts';
import type { IndexerReport } from '../../src/indexing/indexing.ts';
import { OUTCOMES, STATUSES, WARNING_CODES } from '../../src/observe/label-values.ts';
import { createMetrics, createObserver } from '../../src/observe/observe.ts';
import { decodeRow } from '../../src/offline/offline.ts';
import { asAddress, type DurationMs, type EpochSeconds } from '../../src/units/units.ts';
import { planFor } from '../quoting/fixtures.ts';
import { captured, FACTS, quietMetrics } from './observing.ts';

function tradeRequest(mode: 'sell' | 'buy') {
  const row = { mode, sellToken: `0x${'1'.repeat(40)}`, buyToken: `0x${'2'.repeat(40)}`, sellAmount: '1000', buyAmount: '1000' };
  const decoded = decodeRow(row, 0, { chainId: 1, defaults: {} });
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.request;
}

describe('the metrics', () => {
  it('are our own with the prefix, in base units, and the default ones under their usual names', async () => {
    const text = readFileSync(new URL('../../src/observe/metrics.ts', import.meta.url), 'utf8');
    const metrics = createMetrics({ version: '1.2.3', mode: 'devnet' });
    const names = metrics.registry.getMetricsAsArray().map(({ name }) => name);
    expect(names.filter((name) => !/^(braid|process|nodejs)_/.test(name))).to.deep.equal([]);
    expect(names.filter((name) => /milli|_ms$|_ms_/.test(name))).to.deep.equal([]);
    expect(names).to.include.members(['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']);
    expect(await metrics.registry.getSingleMetricAsString('braid_build_info')).to.include(`version="1.2.3",node="${process.version}",mode="devnet"`);
    // Counters say so in their name, and nothing else does.
    const declared = (kind: string) => [...text.matchAll(new RegExp(`\\b${kind}\\(\\s*'([a-z_]+)'`, 'g'))].map(([, name = '']) => name);
    expect(declared('counter').length).to.be.at.least(20);
    expect(declared('counter').filter((name) => !name.endsWith('_total'))).to.deep.equal([]);
    expect([...declared('gauge'), ...declared('histogram')].filter((name) => name.endsWith('_total'))).to.deep.equal([]);
  });

  it('have every series of a labelled counter at 0 from the start, so that its first event counts', async () => {
    const text = await quietMetrics().registry.metrics();
    const declared = await quietMetrics().registry.getMetricsAsJSON();
    const counters = declared.filter(({ type }) => String(type) === 'counter');
    expect(counters.length).to.be.at.least(20);
    expect(counters.filter(({ values }) => values.length === 0 || values.some(({ value }) => value !== 0)).map(({ name }) => name)).to.deep.equal([]);
    for (const line of [
      'braid_http_requests_total{route="quote",chain="ethereum",status="503"} 0',
      'braid_quote_outcomes_total{endpoint="swap",chain="none",outcome="rate-limited"} 0',
      'braid_solver_worker_restarts_total{reason="overrun"} 0',
      'braid_attestation_polls_total{chain="ethereum",attester="lighthouse",outcome="busy"} 0',
    ]) {
      expect(text.split('\n')).to.include(line);
    }
  });

  it('know every outcome and status of the error table, every decision, and every warning', () => {
    const refusals = { ...ERRORS, ...RETRY_LATER };
    // What no trade route answers: other paths, and bytes that were no request.
    const elsewhere = ['unknown-path', 'too-slow'];
    expect(Object.keys(refusals).filter((name) => !elsewhere.includes(name) && !OUTCOMES.some((outcome) => outcome === name))).to.deep.equal([]);
    expect(Object.values(refusals).filter(({ status }) => !STATUSES.some((known) => known === String(status)))).to.deep.equal([]);
    const { enum: codes } = JSON.parse(readFileSync(new URL('../../schemas/swap-warning.schema.json', import.meta.url), 'utf8')).properties.code;
    expect([...WARNING_CODES].sort()).to.deep.equal([...codes].sort());
  });

  it('give what is of no hosted chain, or outside of a closed set, a fixed value', async () => {
    const metrics = quietMetrics();
    const observer = createObserver(captured().log, metrics);
    for (const route of ['quote', '/v1/../canary', 'healthz']) observer.requestAnswered({ ...FACTS, route, chainId: 999, status: 418, outcome: 'canary' });
    observer.indexerReported('ethereum', { kind: 'logs', chainId: 1, venue: 'canary', count: 1 });
    observer.indexerReported('ethereum', { kind: 'rpc', chainId: 1, endpoint: 0, method: 'canary', outcome: 'ok', durations: [1] });
    observer.swapWarned(999, 'canary');
    const text = await metrics.registry.metrics();
    expect(text).not.to.include('canary').and.not.include('999');
    expect(text).to.include('braid_http_requests_total{route="quote",chain="none",status="other"} 1');
    expect(text).to.include('braid_http_requests_total{route="other",chain="none",status="other"} 1');
  });

  it('whom a registry lists is told by the names of configuration, its entries by what became of them, and nothing else of it', async () => {
    const chains = [{ chainId: 1, name: 'ethereum', rpcEndpoints: 1, makers: ['harbour', 'quay'], listedMakers: ['quay'] }];
    const metrics = createMetrics({ version: '0', mode: 'test', chains, venues: [], defaults: false });
    const { lines, log } = captured();
    const observer = createObserver(log, metrics);
    const at = async (line: string) => (await metrics.registry.metrics()).includes(`${line}\n`);
    expect(await at('braid_maker_listed{chain="ethereum",maker="quay"} 0')).to.equal(true);
    const address = asAddress(`0x${'12'.repeat(20)}`);
    const sourceOf = (name: string) => ({ name, origin: 'https://canary.example', path: '/canary', contract: address, signer: address });
    const listed = { kind: 'listed', chainId: 1, venue: 'airswap' } as const;
    const entries = { served: 1, foreign: 7, malformed: 2, contested: 0, beyond: 0 };
    for (let time = 0; time < 2; time++)
      observer.indexerReported('ethereum', { ...listed, sources: [sourceOf('quay'), sourceOf('canary')], entries, unread: 0 });
    for (const line of [
      'braid_maker_listed{chain="ethereum",maker="quay"} 1',
      'braid_maker_registry_entries{chain="ethereum",outcome="foreign"} 7',
      'braid_maker_registry_reads_total{chain="ethereum",outcome="ok"} 2',
      'braid_maker_registry_reads_total{chain="ethereum",outcome="failed"} 0',
    ])
      expect(await at(line), line).to.equal(true);
    observer.indexerReported('ethereum', { ...listed, sources: [], entries: null, unread: 1 });
    for (const line of [
      'braid_maker_listed{chain="ethereum",maker="quay"} 0',
      'braid_maker_registry_entries{chain="ethereum",outcome="foreign"} 7',
      'braid_maker_registry_reads_total{chain="ethereum",outcome="failed"} 1',
    ])
      expect(await at(line), line).to.equal(true);
    expect(await metrics.registry.metrics())
      .to.not.include('canary')
      .and.not.include('maker="harbour",outcome="served"');
    expect(lines.map((line) => JSON.parse(line).makers)).to.deep.equal([['quay'], []]);
    expect(lines.join('')).to.not.include('canary');
  });

  it('whoever is left alone is told so until the last of its pauses is over, whichever came last', async () => {
    const clock = sinon.useFakeTimers();
    try {
      const metrics = quietMetrics();
      const observer = createObserver(captured().log, metrics);
      const told = async () => {
        const text = await metrics.registry.metrics();
        return ['maker_throttled{chain="ethereum",maker="harbour"}', 'attester_throttled{chain="ethereum",attester="lighthouse"}'].map((name) =>
          text.includes(`braid_${name} 1\n`),
        );
      };
      expect(await told()).to.deep.equal([false, false]);
      for (const millis of [60_000, 2_000]) {
        observer.makerPaused(1, 'harbour', millis);
        observer.attesterPaused(1, 'lighthouse', millis);
      }
      clock.tick(59_999);
      expect(await told()).to.deep.equal([true, true]);
      clock.tick(2);
      expect(await told()).to.deep.equal([false, false]);
    } finally {
      clock.restore();
    }
  });

  it('firm-ups are counted by the names of configuration, how much worse they were in its bucket, and whoever else is told of is “other”', async () => {
    const metrics = quietMetrics();
    const { lines, log } = captured('debug');
    const observer = createObserver(log, metrics);
    const firmed = { chainId: 1, source: 'harbour', signs: 'order', outcome: 'ok', millis: 20, shortfall: null } as const;
    for (const shortfall of [0, -0.5, 0.0007, 0.02, null]) observer.firmed({ ...firmed, shortfall });
    observer.firmed({ ...firmed, outcome: 'worse', millis: 3_000, shortfall: 0.06 });
    observer.firmed({ ...firmed, source: 'canary\n', outcome: 'canary' as 'busy' });
    observer.firmed({ ...firmed, source: 'lighthouse', signs: 'attestation', outcome: 'invalid', millis: 400 });
    observer.firmed({ ...firmed, source: '{canary}', signs: 'attestation' });
    observer.attesterPolled({ chainId: 1, source: 'canary', outcome: 'canary' as 'busy' });
    observer.makerPaused(1, 'canary', 1_000);
    observer.attesterPaused(1, 'canary', 1_000);
    for (const chainId of [999, -1]) observer.firmed({ ...firmed, chainId });
    const text = await metrics.registry.metrics();
    const harbour = 'chain="ethereum",maker="harbour"';
    const other = 'chain="ethereum",maker="other"';
    for (const line of [
      `braid_rfq_firmup_seconds_count{${harbour},outcome="ok"} 5`,
      `braid_rfq_firmup_seconds_sum{${harbour},outcome="ok"} 0.1`,
      `braid_rfq_firmup_seconds_bucket{le="0.01",${harbour},outcome="ok"} 0`,
      `braid_rfq_firmup_seconds_bucket{le="0.025",${harbour},outcome="ok"} 5`,
      `braid_rfq_firmup_seconds_bucket{le="1.5",${harbour},outcome="worse"} 0`,
      `braid_rfq_firmup_seconds_bucket{le="5",${harbour},outcome="worse"} 1`,
      `braid_rfq_firmup_seconds_count{${harbour},outcome="refused"} 0`,
      `braid_rfq_firmup_seconds_count{${other},outcome="other"} 1`,
      `braid_rfq_firmup_shortfall_ratio_bucket{le="0",${harbour}} 2`,
      `braid_rfq_firmup_shortfall_ratio_bucket{le="0.0005",${harbour}} 2`,
      `braid_rfq_firmup_shortfall_ratio_bucket{le="0.001",${harbour}} 3`,
      `braid_rfq_firmup_shortfall_ratio_bucket{le="0.01",${harbour}} 3`,
      `braid_rfq_firmup_shortfall_ratio_bucket{le="0.05",${harbour}} 4`,
      `braid_rfq_firmup_shortfall_ratio_bucket{le="+Inf",${harbour}} 5`,
      'braid_attestation_seconds_count{chain="ethereum",attester="lighthouse",outcome="invalid"} 1',
      'braid_attestation_seconds_bucket{le="0.25",chain="ethereum",attester="lighthouse",outcome="invalid"} 0',
      'braid_attestation_seconds_bucket{le="0.5",chain="ethereum",attester="lighthouse",outcome="invalid"} 1',
      'braid_attestation_seconds_count{chain="ethereum",attester="other",outcome="ok"} 1',
      'braid_attestation_polls_total{chain="ethereum",attester="other",outcome="other"} 1',
      `braid_maker_throttled{${other}} 1`,
      'braid_attester_throttled{chain="ethereum",attester="other"} 1',
    ])
      expect(text, line).to.include(`${line}\n`);
    // A hop that nobody signed for an amount has none that could be worse.
    expect(text).to.not.match(/shortfall_ratio_count\{[^}]*other/);
    expect(text + lines.join('')).to.not.include('canary');
    const told = lines.map((line) => JSON.parse(line)).map(({ maker, attester, outcome, millis, msg }) => [maker ?? attester, outcome, millis, msg]);
    expect(told).to.deep.equal([
      ['harbour', 'worse', 3_000, 'a maker did not sign'],
      ['other', 'other', 20, 'a maker did not sign'],
      ['lighthouse', 'invalid', 400, 'no attestation of the next blocks'],
      ['other', undefined, 1_000, 'a maker is left alone for a while'],
      ['other', undefined, 1_000, 'an attester is left alone for a while'],
    ]);
  });

  it('what a solve says about itself reaches its metrics, and a job without a route adds nothing to them', async () => {
    const metrics = quietMetrics();
    const observer = createObserver(captured().log, metrics);
    const plan = planFor(tradeRequest('sell'), 1000n, {
      facts: {
        steps: 3,
        pathsConsidered: 40,
        columnsGenerated: 7,
        phases: { subgraph: 1, path: 0, columns: 0, gas: 0, exact: 0 },
        approxOutput: 1001,
        stopped: 'limit',
      },
    });
    observer.solveEnded(1, 'sell', { result: { ok: true, plan }, queueMs: 1, runMs: 2 });
    // In buy the model's amount is an input: 12,345 of planFor's own.
    const bought = planFor(tradeRequest('buy'), 1000n, { facts: { ...plan.facts, approxOutput: 12_345, stopped: 'converged' } });
    observer.solveEnded(1, 'buy', { result: { ok: true, plan: bought }, queueMs: 1, runMs: 2 });
    observer.solveEnded(1, 'sell', { result: { ok: true, plan: { ...plan, facts: { ...plan.facts, approxOutput: 0 } } }, queueMs: 1, runMs: 2 });
    observer.solveEnded(1, 'sell', { result: { ok: false, reason: 'no-route', maxHops: 2, block: plan.block }, queueMs: 1, runMs: 2 });
    observer.solveEnded(1, 'sell', { result: { ok: false, reason: 'cancelled' }, queueMs: 1, runMs: 70 });
    observer.solveEnded(1, 'sell', { result: { ok: false, reason: 'expired' }, queueMs: 50, runMs: 0 });
    observer.solvingEvent({ kind: 'ran', chainId: 1, work: 'certify', end: 'lost', runMs: 250, longMs: 225 });
    const text = await metrics.registry.metrics();
    for (const line of [
      `braid_solver_block_number{chain="ethereum"} ${plan.block.number}`,
      'braid_solver_stopped_total{chain="ethereum",reason="limit"} 2',
      'braid_solver_stopped_total{chain="ethereum",reason="converged"} 1',
      'braid_solver_steps_sum{chain="ethereum"} 9',
      'braid_solver_steps_count{chain="ethereum"} 3',
      'braid_solver_paths_sum{chain="ethereum"} 120',
      'braid_solver_columns_sum{chain="ethereum"} 21',
      'braid_solver_columns_bucket{le="5",chain="ethereum"} 0',
      'braid_solver_columns_bucket{le="10",chain="ethereum"} 3',
      'braid_solver_model_error_ratio_count{chain="ethereum",mode="sell"} 1',
      'braid_solver_model_error_ratio_sum{chain="ethereum",mode="sell"} 0.001',
      'braid_solver_model_error_ratio_bucket{le="1e-9",chain="ethereum",mode="buy"} 1',
      'braid_solver_run_seconds_sum{chain="ethereum",mode="sell",outcome="cancelled",gas_mode="none"} 0.07',
      'braid_solver_run_seconds_count{chain="ethereum",mode="sell",outcome="expired",gas_mode="none"} 0',
      'braid_solver_run_seconds_count{chain="ethereum",mode="sell",outcome="no-route",gas_mode="none"} 1',
      'braid_solver_busy_seconds_total{chain="ethereum",work="certify",outcome="lost"} 0.25',
      'braid_solver_long_busy_seconds_total{chain="ethereum"} 0.225',
      'braid_solver_phase_seconds_count{chain="ethereum",phase="subgraph"} 3',
    ]) {
      expect(text).to.include(line);
    }
  });

  it('a report of the indexer reaches its metrics, and a venue whose last pool is gone shows 0', async () => {
    const { log, lines } = captured();
    const metrics = quietMetrics();
    const observer = createObserver(log, metrics);
    const block = { number: 12, hash: '0x12', timestamp: 1 as EpochSeconds, baseFeePerGas: null } as const;
    const sizes = { arenaUsedBytes: 5, arenaCapacityBytes: 9, pinnedSlots: 1 };
    const base = { kind: 'published', chainId: 1, epoch: 1, block, labels: [], publish: 2 as DurationMs, ...sizes } as const;
    const reports: IndexerReport[] = [
      { ...base, pools: { uniswap_v2: 3, uniswap_v3: 1 } },
      { ...base, pools: { uniswap_v2: 4 } },
      { kind: 'followed', chainId: 1, pools: { uniswap_v2: 6 } },
      {
        kind: 'priced',
        chainId: 1,
        pricing: {
          priced: 40,
          feeds: { used: 2, stale: 1, refused: 0, unread: 0 },
          oldestSeconds: 61,
          stablecoins: { held: 2, lost: 1 },
          pricedBy: { used: 4, barred: 1 },
          millis: 3,
        },
      },
      { kind: 'reorg', chainId: 1, depth: 3 },
      { kind: 'logs', chainId: 1, venue: 'uniswap_v2', count: 7 },
      { kind: 'backfilled', chainId: 1, blocks: 2 },
      { kind: 'rpc', chainId: 1, endpoint: 1, method: 'eth_call', outcome: 'timeout', durations: [1500] },
      { kind: 'ignored', chainId: 1, what: 'corrupt-pool', count: 2 },
      { kind: 'waiting', chainId: 1, pools: 2, tokens: 1, announcements: 0, absent: 5 },
      { kind: 'orphaned', chainId: 1, orphaned: true },
      { kind: 'audited', chainId: 1, unaudited: 4 },
      { kind: 'unread-block', chainId: 1, millis: 1500 },
      { kind: 'measuring', chainId: 1, outcome: 'clean', ahead: true, millis: 20, pools: { measured: 8, leftOut: 3 } },
      { kind: 'verdicts', chainId: 1, byKind: { clean: 12, taxed: 2 }, oldest: 3, hot: { fresh: 5, old: 1 } },
      { kind: 'head', chainId: 1, block: 15 },
      { kind: 'indexed', chainId: 1, block: 14 },
      { kind: 'unplaced', chainId: 1, pools: 6 },
      { kind: 'too-small', chainId: 1, pools: 9 },
      { kind: 'announced', chainId: 1, heads: [null, 3] },
      { kind: 'endpoints', chainId: 1, followed: 1, left: ['behind', null] },
      { kind: 'log', chainId: 1, level: 'warn', message: 'x'.repeat(5000) },
    ];
    for (const report of reports) observer.indexerReported('ethereum', report);
    const text = await metrics.registry.metrics();
    for (const line of [
      'braid_snapshot_block_number{chain="ethereum"} 12',
      'braid_snapshot_used_bytes{chain="ethereum"} 5',
      'braid_indexer_pools{chain="ethereum",venue="uniswap_v2"} 4',
      'braid_indexer_pools{chain="ethereum",venue="uniswap_v3"} 0',
      'braid_indexer_followed_pools{chain="ethereum",venue="uniswap_v2"} 6',
      'braid_priced_tokens{chain="ethereum"} 40',
      'braid_price_feeds{chain="ethereum",state="used"} 2',
      'braid_price_feeds{chain="ethereum",state="stale"} 1',
      'braid_price_feed_age_seconds{chain="ethereum"} 61',
      'braid_price_stablecoins{chain="ethereum",state="lost"} 1',
      'braid_pricing_tokens{chain="ethereum",state="barred"} 1',
      'braid_pricing_seconds_bucket{le="0.005",chain="ethereum"} 1',
      'braid_indexer_reorgs_total{chain="ethereum"} 1',
      'braid_indexer_waiting{chain="ethereum",what="pool"} 5',
      'braid_indexer_waiting{chain="ethereum",what="token"} 1',
      'braid_snapshot_orphaned{chain="ethereum"} 1',
      'braid_indexer_rebuilds_total{chain="ethereum"} 1',
      'braid_indexer_unaudited_blocks{chain="ethereum"} 4',
      'braid_indexer_unread_block_seconds{chain="ethereum"} 1.5',
      'braid_measuring_pools_total{chain="ethereum",pools="left-out"} 3',
      'braid_token_verdicts{chain="ethereum",verdict="clean"} 12',
      'braid_token_verdicts{chain="ethereum",verdict="gated"} 0',
      'braid_token_verdicts_oldest_blocks{chain="ethereum"} 3',
      'braid_indexer_head_block_number{chain="ethereum"} 15',
      'braid_indexer_block_number{chain="ethereum"} 14',
      'braid_indexer_unplaced_pools{chain="ethereum"} 6',
      'braid_indexer_small_pools{chain="ethereum"} 9',
      'braid_rpc_endpoint_subscribed{chain="ethereum",endpoint="0"} 0',
      'braid_rpc_endpoint_subscribed{chain="ethereum",endpoint="1"} 1',
      'braid_rpc_heads_announced_total{chain="ethereum",endpoint="0"} 0',
      'braid_rpc_heads_announced_total{chain="ethereum",endpoint="1"} 3',
      'braid_rpc_endpoint_followed{chain="ethereum",endpoint="0"} 0',
      'braid_rpc_endpoint_followed{chain="ethereum",endpoint="1"} 1',
      'braid_rpc_endpoint_left{chain="ethereum",endpoint="0",reason="behind"} 1',
      'braid_rpc_endpoint_left{chain="ethereum",endpoint="0",reason="fault"} 0',
      'braid_rpc_endpoint_left{chain="ethereum",endpoint="1",reason="behind"} 0',
      'braid_indexer_logs_total{chain="ethereum",venue="uniswap_v2"} 7',
      'braid_indexer_backfilled_blocks_total{chain="ethereum"} 2',
      'braid_rpc_requests_total{chain="ethereum",endpoint="1",method="eth_call",outcome="timeout"} 1',
      'braid_rpc_requests_total{chain="ethereum",endpoint="0",method="eth_call",outcome="ok"} 0',
      'braid_rpc_request_duration_seconds_bucket{le="1.5",chain="ethereum",endpoint="1",method="eth_call"} 1',
      'braid_indexer_reorgs_total{chain="bsc"} 0',
      'braid_indexer_ignored_total{chain="ethereum",reason="corrupt-pool"} 2',
    ]) {
      expect(text).to.include(line);
    }
    expect(lines.at(-1)?.length).to.be.below(1200);
  });
});
