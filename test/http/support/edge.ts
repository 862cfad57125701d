// Starts the real public and internal servers on free ports of 127.0.0.1, over chains whose clocks a test holds.
import { InflightCounter, type TrackedChain, trackChain } from '../../../src/admission/admission.ts';
import { createLegEncoder, type LegEncoder } from '../../../src/building/building.ts';
import { CATALOGUE, type Chain, type ChainView, type HostedChain } from '../../../src/chains/chains.ts';
import { LIMITS } from '../../../src/config/config.ts';
import { createInternalServer, createPublicServer, type DevnetProvider, type Listener, type Readiness } from '../../../src/http/http.ts';
import {
  type BudgetStore,
  type InstantMicros,
  issueKey,
  type KeyEntry,
  keyRingOf,
  MemoryBudgetStore,
  microsNow,
  proxyTrustOf,
} from '../../../src/metering/metering.ts';
import { countConnections, createLog, createMetrics, createObserver, sampleGauges } from '../../../src/observe/observe.ts';
import type { SolveJob } from '../../../src/routing/routing.ts';
import type { BlockRef } from '../../../src/snapshot/snapshot.ts';
import type { Caller, SolveOutcome, Solving } from '../../../src/solving/solving.ts';
import { type Address, asAddress, asWei, type DurationMs, type EpochSeconds } from '../../../src/units/units.ts';
import { loadBuilderVenues } from '../../../src/venues/venues.ts';

export const ROUTER = asAddress('0x00000000000000000000000000000000000000f1');
export const ALLOWANCE_HOLDER = asAddress('0x00000000000000000000000000000000000000f2');
export const FEE_COLLECTOR = asAddress('0x00000000000000000000000000000000000000f3');
export const BLOCK: BlockRef = { number: 100, hash: '0x64', timestamp: 1_700_000_000 as EpochSeconds, baseFeePerGas: 10n ** 9n };

/** What a solver thread would answer: the place where tests that need no route stand in for the threads. */
export type Solve = (job: SolveJob, caller: Caller) => Promise<SolveOutcome>;

export type EdgeOptions = {
  readonly chains?: readonly HostedChain[];
  readonly solve?: Solve;
  /** A certification on a chain that has moved; by default the plan gives what it gave. */
  readonly certify?: Solving['certify'];
  /** Writes hops; the real encoder by default. */
  readonly legs?: LegEncoder;
  readonly gauge?: Partial<Pick<Solving, 'queueDepth' | 'inflight' | 'outlook' | 'estimatedWaitMs' | 'queueLimit' | 'threads'>>;
  readonly trustProxy?: number | readonly string[];
  readonly eventLoopIsLate?: () => boolean;
  readonly devnet?: DevnetProvider;
  /** What the internal listener is told that it is bound to. */
  readonly internalHost?: string;
  readonly readiness?: () => Readiness;
  readonly developmentMode?: boolean;
  readonly addressBuckets?: number;
  /** By default none is. */
  readonly logLinesLost?: () => number;
  /** Stands in for the store in memory. */
  readonly budgets?: BudgetStore;
  /** Keys beside those that `key` gives. */
  readonly keys?: readonly KeyEntry[];
  /** Budgets refill unless this is set: then what is left can be compared exactly, however slow the machine. */
  readonly budgetsStandStill?: boolean;
  /** Every look at a budget is an hour after the last: nobody is ever refused. */
  readonly budgetsNeverEnd?: boolean;
};

export type Edge = Awaited<ReturnType<typeof startEdge>>;

export async function startEdge(options: EdgeOptions = {}) {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const chains = options.chains ?? [liveChain().hosted];
  const chainLabels = chains.map(({ chain: { chainId, name } }) => ({ chainId, name, rpcEndpoints: 1 }));
  const metrics = createMetrics({ version: '0.0.0', mode: 'test', chains: chainLabels, venues: ['uniswap_v2', 'uniswap_v3'], defaults: false });
  const observer = createObserver(log, metrics);
  const issued = new Map([1, 2, 10, 50, 1000, 100_000].map((rps) => [rps, issueKey({ rps, partnerId: `partner-${rps}` }, new Date())]));
  const fee = { feeBps: 25, partner: ROUTER, partnerShareBps: 4000 };
  const policy = issueKey({ rps: 1000, partnerId: 'policy', feePolicy: fee }, new Date());
  const keys = keyRingOf({ keys: [...[...issued.values(), policy].map(({ entry }): KeyEntry => entry), ...(options.keys ?? [])] });
  const jobs: SolveJob[] = [];
  const solving = solvingOf(options, jobs);
  const budgets = new MemoryBudgetStore(options.addressBuckets ?? 1000);
  const inflight = new InflightCounter(LIMITS.http.connections);
  const publicServer = createPublicServer({
    chains,
    solving,
    budgets: options.budgets ?? budgets,
    keys,
    trust: proxyTrustOf(options.trustProxy ?? 0),
    inflight,
    eventLoop: { lateFor: () => (options.eventLoopIsLate?.() ? 2500 : 0) as DurationMs },
    firmHops: new Map(),
    legs: options.legs ?? createLegEncoder(await loadBuilderVenues()),
    observer,
    developmentMode: options.developmentMode ?? false,
    budgetClock: budgetClockOf(options),
  });
  const connections = countConnections(publicServer.server, observer.connectionDropped);
  const internalServer = createInternalServer({
    host: options.internalHost ?? '127.0.0.1',
    metrics,
    sample: () =>
      sampleGauges(metrics, {
        solving,
        measuring: { limit: LIMITS.measuring.waitedFor, waiting: () => 0 },
        chains,
        estimatedWaitMs: () => solving.estimatedWaitMs(),
        waitLimitMs: LIMITS.admission.waitMs,
        eventLoopDelayMs: () => 0,
        eventLoopDelayLimitMs: LIMITS.admission.eventLoopDelayMs,
        inflight,
        buckets: () => budgets.size,
        bucketsLimit: LIMITS.metering.addressBuckets,
        keys: () => keys.size,
        connections,
        ready: () => true,
        logLinesLost: options.logLinesLost ?? (() => log.linesLost()),
      }),
    readiness: options.readiness ?? (() => ({ ready: true })),
    openApi: () => '{"openapi":"3.1.0"}',
    devnet: options.devnet ?? null,
    routePage: { chains, solving, publicUrl: null },
    onFailure: (error) => observer.failed(null, error),
  });
  const port = await listen(publicServer);
  const internalPort = await listen(internalServer);
  return {
    url: `http://127.0.0.1:${port}`,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    port,
    /** Lines of the log. */
    lines,
    metrics,
    budgets,
    inflight,
    /** Jobs that reached the solver. */
    jobs,
    publicServer,
    /** The key with that rate. */
    key(rps: number): string {
      const found = issued.get(rps);
      if (found === undefined) throw new Error(`no key with ${rps} rps`);
      return found.key;
    },
    /** A key with a fee policy of 25 bps. */
    policyKey: policy.key,
    async close(): Promise<void> {
      await Promise.all([publicServer, internalServer].map((listener) => stopNow(listener)));
    },
  };
}

function budgetClockOf({ budgetsStandStill = false, budgetsNeverEnd = false }: EdgeOptions): () => InstantMicros {
  if (budgetsStandStill) return () => 0 as InstantMicros;
  if (!budgetsNeverEnd) return microsNow;
  let hours = 0;
  return () => (hours++ * 3_600_000_000) as InstantMicros;
}

async function listen(listener: Listener): Promise<number> {
  const listening = await listener.start({ host: '127.0.0.1', port: 0 });
  if (!listening.ok) throw new Error(listening.message);
  return listening.port;
}

/** For tests that are over: nobody waits for keep-alive connections. */
async function stopNow(listener: Listener): Promise<void> {
  const stopped = listener.stop();
  listener.server.closeAllConnections();
  await stopped;
}

function solvingOf(options: EdgeOptions, jobs: SolveJob[]): Solving {
  const solve = options.solve ?? noRoute;
  return {
    queueLimit: 512,
    longPlaces: 1,
    threads: 1,
    queueDepth: () => 0,
    inflight: () => 0,
    estimatedWaitMs: () => 0,
    outlook: () => ({ waitMs: 0, full: false, suspect: false }),
    ...options.gauge,
    solve(job, caller) {
      jobs.push(job);
      return solve(job, caller);
    },
    solveAgain(job, caller) {
      jobs.push(job);
      return solve(job, caller);
    },
    // As on a chain that stands still: the plan gives what it gave.
    certify:
      options.certify ?? (async ({ hops }) => ({ result: { ok: true, grossAmount: hops.at(-1)?.amountOut ?? asWei(0n), block: BLOCK }, queueMs: 0, runMs: 0 })),
    workers: () => ({ live: 1, starting: 0, reserve: 0, largestHeapBytes: 0 }),
    close: async () => {},
  };
}

/** A solver that finds nothing. */
export async function noRoute(job: SolveJob): Promise<SolveOutcome> {
  return { result: { ok: false, reason: 'no-route', maxHops: job.maxHops ?? 3, block: BLOCK }, queueMs: 0.1, runMs: 0.5 };
}

/** A solver that ends for the given reason without a route. */
export function endsWith(reason: 'expired' | 'failed' | 'cancelled' | 'no-snapshot'): Solve {
  return async () => ({ result: { ok: false, reason }, queueMs: 1, runMs: 0 });
}

export function catalogued(name: string): Chain {
  const chain = CATALOGUE.find((entry) => entry.name === name);
  if (chain === undefined) throw new Error(`the catalogue has no ${name}`);
  return chain;
}

export type LiveChain = { readonly hosted: TrackedChain; publish(block?: Partial<BlockRef>, labels?: readonly string[]): void; age(ms: number): void };

/** A chain that is followed live, by a wall clock that stands still at its last block. */
export function liveChain(name = 'ethereum', published = true): LiveChain {
  const chain = catalogued(name);
  const clock = { wall: BLOCK.timestamp * 1000, monotonic: 0 };
  const hosted = trackChain({
    chain,
    wrappedNative: chain.wrappedNative ?? asAddress('0x00000000000000000000000000000000000000e1'),
    contracts: { router: ROUTER, allowanceHolder: ALLOWANCE_HOLDER, permit2: asAddress('0x000000000022d473030f116ddee9f6b43ac78ba3') },
    feeCollector: FEE_COLLECTOR,
    freshnessBound: 30_000 as DurationMs,
    gatedVenues: [],
    wellKnownTokens: { has: () => true },
    wallClock: () => clock.wall,
    monotonic: () => clock.monotonic,
  });
  const live: LiveChain = {
    hosted,
    publish(block = {}, labels = ['sushiswap_v2', 'uniswap_v2', 'uniswap_v3']) {
      const sizes = { publish: 1 as DurationMs, arenaUsedBytes: 1, arenaCapacityBytes: 2, pinnedSlots: 0 };
      hosted.report({ kind: 'published', chainId: chain.chainId, epoch: 1, block: { ...BLOCK, ...block }, labels, pools: {}, ...sizes });
    },
    age(ms) {
      clock.wall += ms;
      clock.monotonic += ms;
    },
  };
  if (published) live.publish();
  return live;
}

/** A chain of a pool set. */
export function frozenChain(name: string, wrappedNative: Address): HostedChain {
  const view: ChainView = { phase: 'frozen', block: BLOCK, age: 0 as DurationMs, labels: ['uniswap_v2'] };
  return { ...liveChain(name).hosted, wrappedNative, view: () => view };
}
