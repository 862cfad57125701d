import type { IndexerReport } from '../indexing/indexing.ts';
import type { PricingReport } from '../market/market.ts';
import type { Plan } from '../routing/routing.ts';
import type { RequoteFacts, SolveOutcome, SolvingEvent } from '../solving/solving.ts';
import type { SwitchedOff } from '../venues/venues.ts';
import {
  ABORTED,
  type AdmissionDecisionLabel,
  CHAIN_ROUTES,
  IGNORED,
  LEFT_BECAUSE,
  MEASURING_OUTCOMES,
  NO_CHAIN,
  NO_GAS_MODE,
  OTHER_ROUTES,
  OUTCOMES,
  RPC_METHODS,
  STATUSES,
  STOPPED,
  type TokenCause,
  VERDICT_KINDS,
  WARNING_CODES,
  within,
} from './label-values.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { observeCheckpoint } from './observe-checkpoint.ts';
import { observeMakers } from './observe-makers.ts';

/** What is known of a request when it is answered. Times in ms. */
export type RequestFacts = {
  readonly reqId: string;
  /** A name out of the closed set of routes, never the caller's path. */
  readonly route: string;
  /** null: the client left before the answer. */
  readonly status: number | null;
  readonly outcome: string;
  /** The 8 characters of the caller's key; null for an anonymous caller. */
  readonly keyId: string | null;
  /** The body of a refusal: for the debug level. */
  readonly refusal: string | null;
  readonly totalMs: number;
  readonly quoteId: string | null;
  readonly chainId: number | null;
  readonly queueMs: number | null;
  readonly solveMs: number | null;
  readonly measureMs: number | null;
  readonly requoteMs: number | null;
  readonly firmMs: number | null;
  readonly buildMs: number | null;
  readonly block: number | null;
};

export type Observer = ReturnType<typeof createObserver>;

const ROUTES: readonly string[] = [...CHAIN_ROUTES, ...OTHER_ROUTES];

/** One function per event. */
export function createObserver(log: Log, metrics: Metrics) {
  // By chain: a venue whose last pool is gone reports nothing, and its gauge must say 0.
  const venuesSeen = new Map<string, Set<string>>();
  const makers = observeMakers(log, metrics);
  const chainOf = (chainId: number | null): string | null => (chainId === null ? null : (metrics.chainNames.get(chainId) ?? null));
  // No request makes a series: it is there before the first solve, which gives it a number.
  for (const chain of metrics.chainNames.values()) metrics.solverBlock.set({ chain }, Number.NaN);
  return {
    /** An answer left, or its client did. Probes of /healthz are counted, not logged. */
    requestAnswered(facts: RequestFacts): void {
      const { totalMs, refusal, status, outcome, ...rest } = facts;
      const route = within(ROUTES, facts.route);
      const name = chainOf(facts.chainId);
      const chain = name ?? NO_CHAIN;
      metrics.httpRequests.inc({ route, chain, status: status === null ? ABORTED : within(STATUSES, String(status)) });
      metrics.httpDuration.observe({ route, chain, status_class: status === null ? ABORTED : `${String(status)[0]}xx` }, totalMs / 1000);
      if (route === 'quote' || route === 'swap') metrics.quoteOutcomes.inc({ endpoint: route, chain, outcome: within(OUTCOMES, outcome) });
      if (route === 'healthz') return;
      const times = {
        ms: round(totalMs),
        queueMs: round(facts.queueMs),
        solveMs: round(facts.solveMs),
        measureMs: round(facts.measureMs),
        requoteMs: round(facts.requoteMs),
        firmMs: round(facts.firmMs),
        buildMs: round(facts.buildMs),
      };
      log.info({ ...rest, status, outcome, chain: name, ...times }, 'request');
      if (refusal !== null) log.debug({ reqId: facts.reqId, status, outcome, refusal: shortened(refusal.replace(ADDRESS, '0x…')) }, 'refusal');
    },
    /** Bytes that were no request of HTTP, or not in time. */
    connectionRefused(status: number): void {
      metrics.httpRequests.inc({ route: 'none', chain: NO_CHAIN, status: within(STATUSES, String(status)) });
    },
    /** A swap left with a warning; `code` out of the closed set of the interface specification. */
    swapWarned(chainId: number, code: string): void {
      metrics.swapWarnings.inc({ chain: chainOf(chainId) ?? NO_CHAIN, code: within(WARNING_CODES, code) });
    },
    /** A trade was refused for what transfers of a token do, or because nobody knows. */
    tokenRefused(chainId: number | null, cause: TokenCause): void {
      metrics.tokenRefusals.inc({ chain: chainOf(chainId) ?? NO_CHAIN, cause });
    },
    budgetDecided(identity: 'ip' | 'key', decision: 'allowed' | 'refused' | 'refunded'): void {
      metrics.meteringDecisions.inc({ identity, decision });
    },
    admissionDecided(decision: AdmissionDecisionLabel): void {
      metrics.admissionDecisions.inc({ decision });
    },
    /** A solve came back, with a route or without. */
    solveEnded(chainId: number, mode: 'sell' | 'buy', { result, queueMs, runMs }: SolveOutcome): void {
      const chain = chainOf(chainId) ?? NO_CHAIN;
      metrics.solverQueueWait.observe({ chain }, queueMs / 1000);
      // It never reached a thread: that is no run.
      if (runMs === 0 && !result.ok) return;
      const block = result.ok ? result.plan.block : 'block' in result ? result.block : null;
      if (block !== null) metrics.solverBlock.set({ chain }, block.number);
      const outcome = result.ok ? 'ok' : result.reason;
      metrics.solverRun.observe({ chain, mode, outcome, gas_mode: result.ok ? result.plan.gasMode : NO_GAS_MODE }, runMs / 1000);
      if (result.ok) observeFacts(metrics, chain, mode, result.plan);
    },
    /** Contracts were asked again about hops of a route, or it was known what they say. */
    firmed: makers.firmed,
    makerPaused: makers.paused,
    attesterPaused: makers.attesterPaused,
    attesterPolled: makers.attesterPolled,

    requoted({ chainId, outcomes, millis }: RequoteFacts): void {
      const chain = chainOf(chainId) ?? NO_CHAIN;
      for (const outcome of outcomes) metrics.requotes.inc({ chain, outcome });
      if (millis !== null) metrics.requoteDuration.observe({ chain }, millis / 1000);
    },
    solvingEvent(event: SolvingEvent): void {
      switch (event.kind) {
        case 'ran':
          metrics.solverBusy.inc({ chain: chainOf(event.chainId) ?? NO_CHAIN, work: event.work, outcome: event.end }, event.runMs / 1000);
          metrics.solverLongBusy.inc({ chain: chainOf(event.chainId) ?? NO_CHAIN }, event.longMs / 1000);
          return;
        case 'rehearsed':
          metrics.solverRehearsal.inc({ chain: chainOf(event.chainId) ?? NO_CHAIN }, event.runMs / 1000);
          return;
        case 'refilled':
          metrics.solverRefill.observe(event.ms / 1000);
          return;
        case 'restart':
          metrics.solverRestarts.inc({ reason: event.reason });
          return;
        case 'expired':
          metrics.solverExpired.inc({ chain: chainOf(event.chainId) ?? NO_CHAIN });
          return;
        case 'poison-refused':
          metrics.solverPoisonRefused.inc({ chain: chainOf(event.chainId) ?? NO_CHAIN });
          return;
        case 'measuring-refused':
          metrics.measuringRefused.inc({ chain: chainOf(event.chainId) ?? NO_CHAIN });
          return;
        case 'pins-reclaimed':
          metrics.snapshotReclaimedPins.inc(event.count);
          return;
        case 'error':
          log.error({ detail: shortened(event.message) }, 'solver thread failed');
          return;
        default:
          throw new TypeError(`unknown event ${JSON.stringify(event satisfies never)}`);
      }
    },
    /** `chain` is the hosted chain's canonical name. */
    indexerReported(chain: string, report: IndexerReport): void {
      if (report.kind === 'published') {
        // Only a change of that is reported.
        if (!venuesSeen.has(chain)) for (const gauge of [metrics.snapshotOrphaned, metrics.indexerUnreadBlock]) gauge.set({ chain }, 0);
        observePools(metrics, chain, report.pools, venuesSeen);
      }
      if (report.kind === 'outside-asked') makers.asked(chain, report);
      else if (report.kind === 'listed') makers.listed(chain, report);
      else observeReport(log, metrics, chain, report);
    },
    /** How many labels and pools of a chain are switched off; `change` says which was switched just now. */
    switchedOff(chain: string, { venues, pools }: SwitchedOff, change: { readonly kind: string; readonly name: string; readonly on: boolean } | null): void {
      metrics.switchedOff.set({ chain, kind: 'venue' }, venues.length);
      metrics.switchedOff.set({ chain, kind: 'pool' }, pools.length);
      if (change !== null) log.warn({ chain, detail: `${change.kind} ${change.name}` }, change.on ? 'switched on' : 'switched off');
    },
    /** The key file was usable at the start. */
    keysRead(): void {
      metrics.keysReloadSuccessful.set(1);
      metrics.keysReloadTime.setToCurrentTime();
    },
    keysReloaded(outcome: { readonly ok: true; readonly keys: number } | { readonly ok: false; readonly message: string }): void {
      metrics.keysReloadSuccessful.set(outcome.ok ? 1 : 0);
      if (outcome.ok) metrics.keysReloadTime.setToCurrentTime();
      if (outcome.ok) log.info({ keys: outcome.keys }, 'key file read again');
      else log.error({ detail: shortened(outcome.message) }, 'key file not usable: the keys stay as they were');
    },
    /** The public listener has as many connections as it takes, and closed another. */
    connectionDropped(): void {
      metrics.httpConnectionsDropped.inc();
    },
    /** A bug, or a part that broke: the only thing that is logged with a stack. */
    failed(reqId: string | null, error: unknown): void {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error({ reqId, detail: detail.slice(0, 4000) }, 'internal failure');
    },
  };
}

function observeFacts(metrics: Metrics, chain: string, mode: 'sell' | 'buy', { facts, sellAmount, grossAmount }: Plan): void {
  for (const [phase, ms] of Object.entries(facts.phases)) metrics.solverPhase.observe({ chain, phase }, ms / 1000);
  metrics.solverStopped.inc({ chain, reason: within(STOPPED, facts.stopped) });
  metrics.solverSteps.observe({ chain }, facts.steps);
  metrics.solverPaths.observe({ chain }, facts.pathsConsidered);
  metrics.solverColumns.observe({ chain }, facts.columnsGenerated);
  // 0: nothing was split, so nothing was modelled.
  const exact = Number(mode === 'sell' ? grossAmount : sellAmount);
  if (facts.approxOutput > 0) metrics.solverModelError.observe({ chain, mode }, Math.abs(facts.approxOutput - exact) / exact);
}

function observePools(metrics: Metrics, chain: string, pools: Readonly<Record<string, number>>, venuesSeen: Map<string, Set<string>>): void {
  const seen = venuesSeen.get(chain) ?? new Set();
  venuesSeen.set(chain, seen);
  for (const venue of Object.keys(pools)) seen.add(within(metrics.venueNames, venue));
  for (const venue of seen) metrics.indexerPools.set({ chain, venue }, pools[venue] ?? 0);
}

function observeReport(log: Log, metrics: Metrics, chain: string, report: Exclude<IndexerReport, { kind: 'outside-asked' | 'listed' }>): void {
  switch (report.kind) {
    case 'published': {
      metrics.snapshotBlock.set({ chain }, report.block.number);
      metrics.snapshotPublish.observe({ chain }, report.publish / 1000);
      metrics.snapshotUsed.set({ chain }, report.arenaUsedBytes);
      metrics.snapshotCapacity.set({ chain }, report.arenaCapacityBytes);
      metrics.snapshotPinned.set({ chain }, report.pinnedSlots);
      // Below 0 it says that this machine's clock is behind the chain's.
      metrics.headLag.set({ chain }, Date.now() / 1000 - report.block.timestamp);
      return;
    }
    case 'head':
      metrics.headBlock.set({ chain }, report.block);
      return;
    case 'indexed':
      metrics.indexedBlock.set({ chain }, report.block);
      return;
    case 'priced':
      observePricing(metrics, chain, report.pricing);
      return;
    case 'followed':
      for (const [venue, count] of Object.entries(report.pools)) metrics.indexerFollowed.set({ chain, venue: within(metrics.venueNames, venue) }, count);
      return;
    case 'waiting':
      metrics.indexerWaiting.set({ chain, what: 'pool' }, report.absent);
      metrics.indexerWaiting.set({ chain, what: 'token' }, report.tokens);
      metrics.indexerWaiting.set({ chain, what: 'announcement' }, report.announcements);
      return;
    case 'orphaned':
      metrics.snapshotOrphaned.set({ chain }, report.orphaned ? 1 : 0);
      if (report.orphaned) metrics.indexerRebuilds.inc({ chain });
      log.warn({ chain }, report.orphaned ? 'the published block has left the chain' : 'what is published is of the chain again');
      return;
    case 'unread-block':
      metrics.indexerUnreadBlock.set({ chain }, report.millis / 1000);
      return;
    case 'unplaced':
      metrics.indexerUnplaced.set({ chain }, report.pools);
      return;
    case 'too-small':
      metrics.indexerTooSmall.set({ chain }, report.pools);
      return;
    case 'announced':
      observeAnnounced(metrics, chain, report.heads);
      return;
    case 'audited':
      metrics.indexerUnaudited.set({ chain }, report.unaudited);
      return;
    case 'endpoints':
      observeEndpoints(log, metrics, chain, report);
      return;
    case 'reorg':
      metrics.indexerReorgs.inc({ chain });
      metrics.indexerReorgDepth.observe({ chain }, report.depth);
      log.warn({ chain, depth: report.depth }, 'reorg rolled back');
      return;
    case 'logs':
      metrics.indexerLogs.inc({ chain, venue: within(metrics.venueNames, report.venue) }, report.count);
      return;
    case 'backfilled':
      metrics.indexerBackfilled.inc({ chain }, report.blocks);
      return;
    case 'rpc':
      observeCalls(metrics, chain, report);
      return;
    case 'ignored':
      metrics.indexerIgnored.inc({ chain, reason: within(IGNORED, report.what) }, report.count);
      return;
    case 'measuring':
      metrics.measuring.inc({ chain, outcome: within(MEASURING_OUTCOMES, report.outcome), for: report.ahead ? 'ahead' : 'request' });
      metrics.measuringPools.inc({ chain, pools: 'measured' }, report.pools.measured);
      metrics.measuringPools.inc({ chain, pools: 'left-out' }, report.pools.leftOut);
      metrics.measuringDuration.observe({ chain }, report.millis / 1000);
      return;
    case 'verdicts':
      for (const verdict of VERDICT_KINDS) metrics.tokenVerdicts.set({ chain, verdict }, report.byKind[verdict] ?? 0);
      metrics.tokenVerdictsOldest.set({ chain }, report.oldest);
      metrics.hotTokens.set({ chain, verdict: 'fresh' }, report.hot.fresh);
      metrics.hotTokens.set({ chain, verdict: 'old' }, report.hot.old);
      return;
    case 'measured':
    case 'read':
      // Whoever waited for it has been told.
      return;
    case 'audit-mismatch':
      metrics.indexerMismatches.inc({ chain, venue: within(metrics.venueNames, report.venue) }, report.count);
      return;
    case 'progress':
      metrics.indexerProgress.set({ chain, phase: report.phase }, report.total === 0 ? 1 : report.done / report.total);
      return;
    case 'checkpoint-written':
    case 'checkpoint-failed':
    case 'checkpoint-read':
      observeCheckpoint(log, metrics, chain, report);
      return;
    case 'restarted':
      metrics.indexerRestarts.inc({ chain });
      return;
    case 'log':
      log[report.level]({ chain, detail: shortened(report.message) }, 'indexer');
      return;
    default:
      throw new TypeError(`unknown report ${JSON.stringify(report satisfies never)}`);
  }
}

function observeEndpoints(log: Log, metrics: Metrics, chain: string, { followed, left }: IndexerReport & { readonly kind: 'endpoints' }): void {
  for (const [index, why] of left.entries()) {
    const endpoint = String(index);
    metrics.rpcFollowed.set({ chain, endpoint }, index === followed ? 1 : 0);
    for (const reason of LEFT_BECAUSE) metrics.rpcLeft.set({ chain, endpoint, reason }, why === reason ? 1 : 0);
  }
  log.info({ chain, endpoint: followed, left }, 'endpoints of the chain');
}

function observeAnnounced(metrics: Metrics, chain: string, heads: readonly (number | null)[]): void {
  for (const [index, count] of heads.entries()) {
    const endpoint = String(index);
    metrics.rpcSubscribed.set({ chain, endpoint }, count === null ? 0 : 1);
    if (count !== null) metrics.rpcAnnounced.inc({ chain, endpoint }, count);
  }
}

function observePricing(metrics: Metrics, chain: string, { priced, feeds, oldestSeconds, stablecoins, pricedBy, millis }: PricingReport): void {
  metrics.pricedTokens.set({ chain }, priced);
  for (const [state, count] of Object.entries(feeds)) metrics.priceFeeds.set({ chain, state }, count);
  for (const [state, count] of Object.entries(stablecoins)) metrics.priceStablecoins.set({ chain, state }, count);
  for (const [state, count] of Object.entries(pricedBy)) metrics.pricingTokens.set({ chain, state }, count);
  metrics.priceFeedAge.set({ chain }, oldestSeconds ?? 0);
  metrics.pricingDuration.observe({ chain }, millis / 1000);
}

function observeCalls(metrics: Metrics, chain: string, report: IndexerReport & { readonly kind: 'rpc' }): void {
  const labels = { chain, endpoint: String(report.endpoint), method: within(RPC_METHODS, report.method) };
  metrics.rpcRequests.inc({ ...labels, outcome: report.outcome }, report.durations.length);
  for (const ms of report.durations) metrics.rpcDuration.observe(labels, ms / 1000);
}

/** A refusal quotes what was wrong, which may be somebody's address. */
const ADDRESS = /0x[0-9a-f]{8,}/gi;

function shortened(message: string): string {
  return message.length <= 1000 ? message : `${message.slice(0, 1000)} …`;
}

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
