import type { IndexerReport } from '../indexing/indexing.ts';
import type { Plan } from '../routing/routing.ts';
import type { SolveOutcome, SolvingEvent } from '../solving/solving.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What is known of a request when it is answered. Times in ms. */
export type RequestFacts = {
  readonly reqId: string;
  /** A name out of the closed set of routes, never the caller's path. */
  readonly route: string;
  /** null: the client left before the answer. */
  readonly status: number | null;
  readonly outcome: string;
  readonly totalMs: number;
  readonly quoteId: string | null;
  readonly chainId: number | null;
  readonly queueMs: number | null;
  readonly solveMs: number | null;
  readonly buildMs: number | null;
  readonly block: number | null;
};

export type Observer = ReturnType<typeof createObserver>;

/** One function per event. */
export function createObserver(log: Log, metrics: Metrics) {
  // By chain: a venue whose last pool is gone reports nothing, and its gauge must say 0.
  const venuesSeen = new Map<string, Set<string>>();
  return {
    /** An answer left, or its client did. Probes of /healthz are counted, not logged. */
    requestAnswered(facts: RequestFacts): void {
      const status = facts.status === null ? 'aborted' : String(facts.status);
      metrics.httpRequests.inc({ route: facts.route, status });
      metrics.httpDuration.observe({ route: facts.route, status_class: facts.status === null ? 'aborted' : `${status[0]}xx` }, facts.totalMs / 1000);
      if (facts.route === 'quote' || facts.route === 'swap') metrics.quoteOutcomes.inc({ endpoint: facts.route, outcome: facts.outcome });
      if (facts.route === 'healthz') return;
      const { totalMs, ...rest } = facts;
      log.info({ ...rest, ms: round(totalMs), queueMs: round(facts.queueMs), solveMs: round(facts.solveMs), buildMs: round(facts.buildMs) }, 'request');
    },
    /** Bytes that were no request of HTTP, or not in time. */
    connectionRefused(status: number): void {
      metrics.httpRequests.inc({ route: 'none', status: String(status) });
    },
    /** A swap left with a warning; `code` out of the closed set of the interface specification. */
    swapWarned(code: string): void {
      metrics.swapWarnings.inc({ code });
    },
    budgetDecided(identity: 'ip' | 'key', decision: 'allowed' | 'refused' | 'refunded'): void {
      metrics.meteringDecisions.inc({ identity, decision });
    },
    admissionDecided(decision: string): void {
      metrics.admissionDecisions.inc({ decision });
    },
    solveEnded(mode: 'sell' | 'buy', { result, queueMs, runMs }: SolveOutcome): void {
      metrics.solverQueueWait.observe(queueMs / 1000);
      if (!result.ok && result.reason !== 'no-route') return;
      metrics.solverRun.observe({ mode, gas_mode: result.ok ? result.plan.gasMode : 'none' }, runMs / 1000);
      if (result.ok) observeFacts(metrics, mode, result.plan);
    },
    solvingEvent(event: SolvingEvent): void {
      if (event.kind === 'restart') metrics.solverRestarts.inc({ reason: event.reason });
      else if (event.kind === 'expired') metrics.solverExpired.inc();
      else if (event.kind === 'pins-reclaimed') metrics.snapshotReclaimedPins.inc(event.count);
      else if (event.kind === 'poison-refused') metrics.solverPoisonRefused.inc();
      else log.error({ detail: shortened(event.message) }, 'solver thread failed');
    },
    /** `chain` is the hosted chain's canonical name. */
    indexerReported(chain: string, report: IndexerReport): void {
      if (report.kind === 'published') observePools(metrics, chain, report.pools, venuesSeen);
      observeReport(log, metrics, chain, report);
    },
    keysReloaded(outcome: { readonly ok: true; readonly keys: number } | { readonly ok: false; readonly message: string }): void {
      if (outcome.ok) log.info({ keys: outcome.keys }, 'key file read again');
      else log.error({ detail: shortened(outcome.message) }, 'key file not usable: the keys stay as they were');
    },
    /** A bug, or a part that broke: the only thing that is logged with a stack. */
    failed(reqId: string | null, error: unknown): void {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error({ reqId, detail: detail.slice(0, 4000) }, 'internal failure');
    },
  };
}

function observeFacts(metrics: Metrics, mode: 'sell' | 'buy', { facts, sellAmount, grossAmount }: Plan): void {
  for (const [phase, ms] of Object.entries(facts.phases)) metrics.solverPhase.observe({ phase }, ms / 1000);
  metrics.solverStopped.inc({ reason: facts.stopped });
  metrics.solverSteps.observe(facts.steps);
  metrics.solverPaths.observe(facts.pathsConsidered);
  metrics.solverColumns.observe(facts.columnsGenerated);
  // 0: nothing was split, so nothing was modelled.
  const exact = Number(mode === 'sell' ? grossAmount : sellAmount);
  if (facts.approxOutput > 0) metrics.solverModelError.observe({ mode }, Math.abs(facts.approxOutput - exact) / exact);
}

function observePools(metrics: Metrics, chain: string, pools: Readonly<Record<string, number>>, venuesSeen: Map<string, Set<string>>): void {
  const seen = venuesSeen.get(chain) ?? new Set();
  venuesSeen.set(chain, seen);
  for (const venue of Object.keys(pools)) seen.add(venue);
  for (const venue of seen) metrics.indexerPools.set({ chain, venue }, pools[venue] ?? 0);
}

function observeReport(log: Log, metrics: Metrics, chain: string, report: IndexerReport): void {
  switch (report.kind) {
    case 'published': {
      metrics.snapshotBlock.set({ chain }, report.block.number);
      metrics.snapshotPublish.observe({ chain }, report.publish / 1000);
      metrics.snapshotUsed.set({ chain }, report.arenaUsedBytes);
      metrics.snapshotCapacity.set({ chain }, report.arenaCapacityBytes);
      metrics.snapshotPinned.set({ chain }, report.pinnedSlots);
      metrics.headLag.set({ chain }, Math.max(0, Date.now() / 1000 - report.block.timestamp));
      return;
    }
    case 'reorg':
      metrics.indexerReorgs.inc({ chain });
      metrics.indexerReorgDepth.observe({ chain }, report.depth);
      log.warn({ chain, depth: report.depth }, 'reorg rolled back');
      return;
    case 'logs':
      metrics.indexerLogs.inc({ chain, venue: report.venue }, report.count);
      return;
    case 'backfilled':
      metrics.indexerBackfilled.inc({ chain }, report.blocks);
      return;
    case 'rpc':
      metrics.rpcRequests.inc({ chain, method: report.method, outcome: report.outcome }, report.count);
      return;
    case 'ignored':
      metrics.indexerIgnored.inc({ chain, reason: report.what }, report.count);
      return;
    case 'audit-mismatch':
      metrics.indexerMismatches.inc({ chain, venue: report.venue }, report.count);
      return;
    case 'log':
      log[report.level]({ chain, detail: shortened(report.message) }, 'indexer');
      return;
    default:
      throw new TypeError(`unknown report ${JSON.stringify(report satisfies never)}`);
  }
}

function shortened(message: string): string {
  return message.length <= 1000 ? message : `${message.slice(0, 1000)} …`;
}

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
