// Composition: the three ways to get state (design: embedded devnet, configured networks, pool set) become hosted chains with their shared memory.
import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type TrackedChain, trackChain } from './admission/admission.ts';
import { checkPermit2, checkSettlement, legsNeeded, locateSettlement } from './building/building.ts';
import {
  type Chain,
  chainById,
  DEFAULT_MINIMUM_DEPTH_USD,
  defaultTokensOf,
  feedsOf,
  type HostedChain,
  PERMIT2,
  type PriceSources,
  stablecoinsOf,
} from './chains/chains.ts';
import { type ChainConfig, type Config, LIMITS, type MakerConfig } from './config/config.ts';
import { type Devnet, devnetSettlement, plainMarket } from './devnet/devnet.ts';
import { findFirstBlocks } from './first-blocks/first-blocks.ts';
import { type IndexerHandle, type IndexerReport, type IndexerThreadData, type MeasureOutcome, type OutsideVenue, startIndexer } from './indexing/indexing.ts';
import { loadPoolSet, type PoolSetSummary, readPoolSet } from './pool-set/pool-set.ts';
import { EVERY_TOKEN_CLEAN, type RouteThrough } from './routing/routing.ts';
import { allocateSnapshot } from './snapshot/snapshot.ts';
import { type SolverChain, threadsStarted } from './solving/solving.ts';
import type { Address, DurationMs } from './units/units.ts';
import {
  type BuilderVenues,
  type ChainAnswer,
  type ChainCall,
  loadBuilderVenues,
  loadSolverVenues,
  NOTHING_OFF,
  type OutsideSource,
  type SwitchedOff,
} from './venues/venues.ts';

/** The chains of this instance, before their indexers run. */
export type Hosting = {
  readonly chains: readonly HostedChain[];
  readonly solverChains: readonly SolverChain[];
  /** The dollar tokens by which a chain is priced, best first, by its id; none of a pool set. */
  readonly dollarTokens: ReadonlyMap<number, readonly Address[]>;
  /** How many nodes a chain is read from, by its id; none of a pool set. */
  readonly rpcEndpoints: ReadonlyMap<number, number>;
  /**
   * Checks the code of the settlement contracts, chain by chain, and once it is right lets its chain build swaps. A chain whose code is wrong or whose node does not answer serves quotes
   * alone, which is told through `warn`, and is looked at again later. Returns what ends that, requests under way included.
   */
  verifySettlement(warn: (message: string) => void): Promise<() => void>;
  /**
   * Starts the indexer threads, where there are any; that of a chain first when it is known in which blocks its venues' contracts were made. What an operator has to know of that goes to `warn`.
   * Returns what stops them.
   */
  startIndexers(onReport: (chain: Chain, report: IndexerReport) => void, warn: (message: string) => void): () => Promise<void>;
  /** What is switched off at the start, by chain id. */
  readonly switchedOff: ReadonlyMap<number, SwitchedOff>;
  /** Tells a chain's indexer what is switched off now; nothing where there is none. */
  switchOff(chainId: number, off: SwitchedOff): void;
  /** Has the transfers of a chain's tokens measured at its head: IndexerHandle.measure. Where no indexer runs, as of a pool set, there is nothing to be measured with. */
  measure(chainId: number, tokens: readonly Address[]): Promise<MeasureOutcome>;
  /** Asks a chain's contracts at a block: IndexerHandle.read. null where no indexer runs. */
  ask(chainId: number, blockHash: `0x${string}`, calls: readonly ChainCall[], signal: AbortSignal): Promise<readonly ChainAnswer[] | null>;
  /** Who prices and signs off the chain, by chain id. */
  readonly outside: ReadonlyMap<number, readonly OutsideVenue[]>;
  /** Has one of them left alone: IndexerHandle.pauseSource. */
  pauseSource(chainId: number, venue: string, name: string, ms: number): void;
  /** Says that tokens of a chain were asked for: IndexerHandle.wanted. */
  wanted(chainId: number, tokens: readonly Address[]): void;
};

/** Something that the configuration asks for and that can not be had: the message is for the operator. */
export class HostingRefused extends Error {}

const DEVNET_POLL_MS = 40 as DurationMs;
const POLL_MS = 250 as DurationMs;

type ChainPlan = Omit<
  ChainConfig,
  'wellKnownTokens' | 'listedTokens' | 'verdictBlocks' | 'routeThrough' | 'wrappedNative' | 'minimumGasPriceWei' | 'chainId' | 'prices'
> & {
  readonly chain: Chain;
  readonly wrappedNative: Address;
  readonly permit2: Address;
  readonly feeCollector: Address;
  readonly prices: PriceSources;
  readonly pollMs: DurationMs;
  readonly wellKnownTokens: ReadonlySet<Address>;
  readonly listedTokens: readonly Address[];
  /** null: nothing is kept over a restart. */
  readonly checkpointFile: string | null;
  readonly verdictBlocks: number;
  readonly routeThrough: RouteThrough;
};

/** The embedded chain. */
export function hostDevnet(config: Config, devnet: Devnet): Hosting {
  const chain = chainById(devnet.chainId);
  if (chain === undefined) throw new HostingRefused(`chain ${devnet.chainId} is not in the catalogue`);
  const { wrappedNative, permit2, deployments, prices } = devnet;
  return hostLive(config.solverThreads, null, [
    {
      chain,
      wrappedNative,
      permit2,
      deployments,
      prices,
      // The Router's own: it is built into it.
      feeCollector: devnet.feeCollector,
      freshnessBound: config.freshnessBound,
      gatedVenues: [],
      switchedOff: NOTHING_OFF,
      // Its own, but for those that lie: measuring all would cost every test a second.
      wellKnownTokens: new Set([wrappedNative, ...plainMarket(devnet).tokens.map(({ address }) => address), ...issuedBy(devnet.issuers)]),
      verdictBlocks: LIMITS.transfers.verdictBlocks,
      routeThrough: 'listed',
      listedTokens: [wrappedNative, ...devnet.tokens.map(({ address }) => address)],
      rpcUrls: [devnet.rpcUrl],
      makers: [...devnet.makers, ...devnet.issuers],
      attesters: devnet.attesters,
      listedMakers: null,
      checkpointFile: checkpointFileOf(config, devnet.chainId),
      minimumLiquidity: null,
      router: devnet.router,
      allowanceHolder: devnet.allowanceHolder,
      pollMs: DEVNET_POLL_MS,
    },
  ]);
}

/** The networks of a configuration file. */
export function hostConfigured(config: Config, entries: readonly ChainConfig[]): Hosting {
  const { feeCollector } = config;
  if (feeCollector === null) throw new HostingRefused('feeCollector is missing: the anonymous fee needs a receiver');
  return hostLive(
    config.solverThreads,
    config.checkpointDirectory,
    entries.map((entry) => {
      const known = chainById(entry.chainId);
      const wrappedNative = entry.wrappedNative ?? known?.wrappedNative ?? null;
      if (wrappedNative === null) throw new HostingRefused(`chain ${entry.chainId} needs wrappedNative: the catalogue does not know it`);
      const base = known ?? { chainId: entry.chainId, name: `chain-${entry.chainId}`, aliases: [], wrappedNative, minimumGasPriceWei: 0n };
      const chain = entry.minimumGasPriceWei === null ? base : { ...base, minimumGasPriceWei: entry.minimumGasPriceWei };
      const wellKnownTokens = new Set([wrappedNative, ...(entry.wellKnownTokens ?? stablecoinsOf(entry.chainId)), ...issuedBy(entry.makers)]);
      const prices: PriceSources = {
        feeds: entry.prices.feeds ?? feedsOf(entry.chainId, wrappedNative),
        stablecoins: entry.prices.stablecoins ?? stablecoinsOf(entry.chainId),
        minimumDepthUsd: entry.prices.minimumDepthUsd ?? DEFAULT_MINIMUM_DEPTH_USD,
      };
      const checkpointFile = checkpointFileOf(config, entry.chainId);
      const listedTokens = [...new Set([...wellKnownTokens, ...(entry.listedTokens ?? defaultTokensOf(entry.chainId))])];
      const verdictBlocks = entry.verdictBlocks ?? LIMITS.transfers.verdictBlocks;
      const tokens = { wellKnownTokens, listedTokens, verdictBlocks, routeThrough: entry.routeThrough ?? 'listed' };
      return { ...entry, ...tokens, chain, wrappedNative, permit2: PERMIT2, feeCollector, prices, checkpointFile, pollMs: POLL_MS };
    }),
  );
}

/** Throws where it can not be written, at the start rather than with the first checkpoint. null: none are kept. */
function checkpointFileOf({ checkpointDirectory, checkpointDirectoryBy }: Config, chainId: number): string | null {
  if (checkpointDirectory === null) return null;
  try {
    mkdirSync(checkpointDirectory, { recursive: true });
    accessSync(checkpointDirectory, constants.W_OK);
  } catch (error) {
    throw new HostingRefused(
      `${checkpointDirectoryBy} ${checkpointDirectory} can not be written to: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return path.join(checkpointDirectory, `chain-${chainId}.checkpoint`);
}

/** A frozen snapshot from a file: always fresh and healthy. */
export async function hostPoolSet(config: Config, file: string): Promise<{ readonly hosting: Hosting; readonly summary: PoolSetSummary }> {
  const read = await readPoolSet(file);
  if (!read.ok) throw new HostingRefused(read.message);
  const result = loadPoolSet(read.set, { venues: await loadSolverVenues(), capacity: { readers: 2 * threadsStarted(config.solverThreads) } });
  if (!result.ok) throw new HostingRefused(`${file}: ${result.message}`);
  const { chain, wrappedNative, buffers, block, tally } = result.loaded;
  const labels = tally.labels();
  const settlement = devnetSettlement();
  const { router, allowanceHolder } = settlement;
  const hosted: HostedChain = {
    chain,
    wrappedNative,
    // A pool set is no chain: its transactions are only looked at, so any addresses do.
    contracts: { router, allowanceHolder, permit2: PERMIT2 },
    feeCollector: config.feeCollector ?? settlement.feeCollector,
    freshnessBound: config.freshnessBound,
    gatedVenues: [],
    wellKnownTokens: { has: () => true },
    view: () => ({ phase: 'frozen', block, age: 0 as DurationMs, labels }),
  };
  const { chainId, minimumGasPriceWei } = chain;
  const solverChains = [{ chainId, wrappedNative, minimumGasPriceWei, issuance: 'none', transfers: EVERY_TOKEN_CLEAN, buffers } as const];
  return {
    hosting: {
      chains: [hosted],
      solverChains,
      dollarTokens: new Map(),
      rpcEndpoints: new Map(),
      switchedOff: new Map(),
      verifySettlement: async () => () => undefined,
      startIndexers: () => async () => undefined,
      // Solves are told what is off; a frozen snapshot stays as it is.
      switchOff: () => undefined,
      measure: async () => NO_INDEXER,
      ask: async () => null,
      outside: new Map(),
      pauseSource: () => undefined,
      wanted: () => undefined,
    },
    summary: tally.summary(),
  };
}

const NO_INDEXER: MeasureOutcome = { ok: false, reason: 'unavailable', message: 'the chain is not followed' };

function hostLive(solverThreads: number, keptIn: string | null, plans: readonly ChainPlan[]): Hosting {
  const parts = plans.map((plan) => hostPlan(solverThreads, plan));
  const indexers = new Map<number, IndexerHandle>();
  const switchedOff = new Map(plans.map(({ chain, switchedOff }) => [chain.chainId, switchedOff]));
  return {
    chains: parts.map(({ tracked }) => tracked),
    solverChains: parts.map(({ solverChain }) => solverChain),
    dollarTokens: new Map(plans.map(({ chain, prices }) => [chain.chainId, prices.stablecoins])),
    switchedOff: new Map(switchedOff),
    switchOff(chainId, off) {
      // Of a chain whose indexer does not run yet it is what that starts with.
      switchedOff.set(chainId, off);
      indexers.get(chainId)?.switchOff(off);
    },
    measure: async (chainId, tokens) => (await indexers.get(chainId)?.measure(tokens)) ?? NO_INDEXER,
    ask: async (chainId, blockHash, calls, signal) => (await indexers.get(chainId)?.read(blockHash, calls, signal)) ?? null,
    outside: new Map(
      plans.map(({ chain, makers, attesters, listedMakers }) => [chain.chainId, outsideOf({ makers: [...makers, ...attesters], listedMakers })]),
    ),
    pauseSource: (chainId, venue, name, ms) => indexers.get(chainId)?.pauseSource(venue, name, ms),
    wanted: (chainId, tokens) => indexers.get(chainId)?.wanted(tokens),
    rpcEndpoints: new Map(plans.map(({ chain, rpcUrls }) => [chain.chainId, rpcUrls.length])),
    async verifySettlement(warn) {
      const venues = await loadBuilderVenues();
      // One for each chain: whatever is asked of its nodes listens to it, and of one for all Node would say that they are too many.
      const checks = parts.map((part) => ({ part, ending: new AbortController() }));
      await Promise.all(checks.map(({ part, ending }) => verifyPart(part, venues, warn, ending.signal)));
      return () => {
        for (const { ending } of checks) ending.abort();
      };
    },
    startIndexers(onReport, warn) {
      const ending = new AbortController();
      const { signal } = ending;
      const starting = parts.map(async ({ plan, tracked, indexer }) => {
        const { chainId, rpcUrls } = indexer;
        const onChainReport = (report: IndexerReport): void => {
          tracked.report(report);
          onReport(tracked.chain, report);
        };
        const onProgress = (done: number, total: number) => onChainReport({ kind: 'progress', chainId, phase: 'first-blocks', done, total });
        const deployments = await findFirstBlocks(plan.deployments, { chainId, rpcUrls, folder: keptIn, signal, warn, onProgress });
        if (!signal.aborted)
          indexers.set(chainId, startIndexer({ ...indexer, deployments, switchedOff: switchedOff.get(chainId) ?? NOTHING_OFF }, { onReport: onChainReport }));
      });
      for (const start of starting) start.catch((error: Error) => signal.aborted || warn(error.message));
      return async () => {
        ending.abort();
        await Promise.allSettled(starting);
        await Promise.all([...indexers.values()].map((handle) => handle.stop()));
      };
    },
  };
}

function outsideOf({ makers, listedMakers }: Pick<ChainPlan, 'makers' | 'listedMakers'>): readonly OutsideVenue[] {
  return makerVenues({ makers, listedMakers }).map((venue) => {
    const listed = (listedMakers?.makers ?? []).filter((maker) => maker.venue === venue).map(({ venue: _venue, ...maker }) => maker);
    return {
      venue,
      sources: makers.filter((maker) => maker.venue === venue).map(sourceOf),
      ...(listedMakers === null || listed.length === 0 ? {} : { listed: { registry: listedMakers.registry, makers: listed } }),
    };
  });
}

function sourceOf({ name, origin, path, contract, signer, apiKey, issues, screens }: MakerConfig): OutsideSource {
  return {
    ...{ name, origin, contract, signer },
    ...(path === undefined ? {} : { path }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(issues === undefined ? {} : { issues }),
    ...(screens === undefined ? {} : { screens }),
  };
}

function makerVenues({ makers, listedMakers }: Pick<ChainPlan, 'makers' | 'listedMakers'>): readonly string[] {
  return [...new Set([...makers, ...(listedMakers?.makers ?? [])].map(({ venue }) => venue))];
}

/** Assets that are minted and redeemed: what their transfers do is for their issuer's entry to answer for, since no pool need have any. */
function issuedBy(sources: readonly Pick<OutsideSource, 'issues'>[]): readonly Address[] {
  return sources.flatMap(({ issues }) => issues?.assets.map(({ token }) => token) ?? []);
}

/** How long after a node did not answer, or a contract was not what it should be, it is looked at again. */
const VERIFY_AGAIN_MS = 5000;

async function verifyPart(part: LivePart, venues: BuilderVenues, warn: (message: string) => void, ending: AbortSignal): Promise<void> {
  const { plan, contracts } = part;
  const { wrappedNative, feeCollector, rpcUrls, deployments } = plan;
  const nodes = { rpcUrls, chainId: plan.chain.chainId };
  const legs = legsNeeded(venues, [...deployments, ...makerVenues(plan).map((venue) => ({ venue }))], plan.attesters);
  const { router, allowanceHolder } = locateSettlement(plan, { wrappedNative, feeCollector }, legs);
  const check = await checkSettlement(nodes, router, { allowanceHolder, wrappedNative, feeCollector }, legs, ending);
  if (check.verdict === 'ok') {
    const permit2 = await checkPermit2(nodes, plan.permit2, ending);
    Object.assign(contracts, { router, allowanceHolder, permit2: permit2 === 'ok' ? plan.permit2 : null });
    if (permit2 === 'ok') return;
    warn(`${plan.chain.name}: Permit2 is ${permit2 === 'absent' ? 'not at' : 'not known yet at'} ${plan.permit2}; funding=permit2 is refused`);
    if (permit2 === 'absent') return;
  } else {
    warn(`${plan.chain.name} serves no swaps: ${check.message}`);
  }
  if (ending.aborted) return;
  const again = () => {
    ending.removeEventListener('abort', forget);
    verifyPart(part, venues, () => undefined, ending).catch((error: Error) => warn(error.message));
  };
  const later = setTimeout(again, VERIFY_AGAIN_MS).unref();
  const forget = () => clearTimeout(later);
  ending.addEventListener('abort', forget);
}

type LivePart = {
  readonly plan: ChainPlan;
  /** null until their code was found right. */
  readonly contracts: { router: Address | null; allowanceHolder: Address | null; permit2: Address | null };
  readonly tracked: TrackedChain;
  readonly solverChain: SolverChain;
  readonly indexer: Omit<IndexerThreadData, 'deployments' | 'switchedOff'>;
};

function hostPlan(solverThreads: number, plan: ChainPlan): LivePart {
  const { chain, wrappedNative, feeCollector, freshnessBound, gatedVenues, verdictBlocks, rpcUrls, prices, pollMs } = plan;
  const { wellKnownTokens, routeThrough, listedTokens, checkpointFile, minimumLiquidity } = plan;
  const wellKnown = [...wellKnownTokens];
  const contracts = { router: null, allowanceHolder: null, permit2: null };
  const { arenaBytes, pools, tokens, slots } = LIMITS.snapshot;
  const { wellKnownBlocks } = LIMITS.transfers;
  const buffers = allocateSnapshot({ arenaBytes, pools, tokens, slots, readers: 2 * threadsStarted(solverThreads) });
  const { chainId, minimumGasPriceWei } = chain;
  return {
    plan,
    contracts,
    tracked: trackChain({ chain, wrappedNative, contracts, feeCollector, freshnessBound, gatedVenues, wellKnownTokens }),
    solverChain: {
      chainId,
      wrappedNative,
      minimumGasPriceWei,
      issuance: plan.makers.some(({ issues }) => issues !== undefined) ? 'some' : 'none',
      transfers: { verdictBlocks, wellKnown: { tokens: wellKnown, blocks: wellKnownBlocks }, routeThrough },
      buffers,
    },
    indexer: {
      ...{ chainId, rpcUrls, buffers, wrappedNative, verdictBlocks, minimumGasPriceWei, prices, pollMs, wellKnownTokens: wellKnown },
      tokens: listedTokens,
      settlement: { router: plan.router, allowanceHolder: plan.allowanceHolder, permit2: plan.permit2 },
      // Attesters are asked in the main thread alone: they price nothing.
      outside: outsideOf(plan),
      ...(checkpointFile === null ? {} : { checkpointFile }),
      ...(minimumLiquidity === null ? {} : { minimumLiquidity: { ...minimumLiquidity, priced: wellKnown } }),
    },
  };
}
