// Composition: every part constructed once, and taken down in the reverse order.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { InflightCounter, watchEventLoopDelay } from './admission/admission.ts';
import { createLegEncoder } from './building/building.ts';
import type { HostedChain } from './chains/chains.ts';
import { type Config, LIMITS, residentLimitBytes } from './config/config.ts';
import { createFirming, createSigners, type FirmingChain, nameUnknownContract, type Signers } from './firming/firming.ts';
import type { Hosting } from './host-chains.ts';
import { HostingRefused } from './host-chains.ts';
import { createInternalServer, createPublicServer, type DevnetProvider, type Listener, publicDocument, type Readiness } from './http/http.ts';
import { type KeyRing, MemoryBudgetStore, proxyTrustOf, type WatchedKeys, watchKeys } from './metering/metering.ts';
import { countConnections, createMetrics, createObserver, createStartProgress, type Log, sampleGauges } from './observe/observe.ts';
import { projectFile } from './project-file.ts';
import { createSolving, MeasuringQueue, measuredSolving, requotedSolving, type Solving, type SolvingOptions } from './solving/solving.ts';
import { bothOff, createAttendance, createVenueSwitches, guardSolving, operateSwitches } from './switching/switching.ts';
import { loadBuilderVenues, loadFirmUpVenues, loadRequoteVenues, loadVenueFacets } from './venues/venues.ts';

/** A running service. */
export type Service = {
  /** Bases of the routes, for example http://127.0.0.1:8080. */
  readonly publicUrl: string;
  readonly internalUrl: string;
  readiness(): Readiness;
  reloadKeys(): Promise<void>;
  /** Not ready → accepts nothing more → finishes what is in flight → ends threads. */
  stop(): Promise<void>;
};

export type ServiceParts = {
  readonly config: Config;
  readonly hosting: Hosting;
  readonly log: Log;
  readonly keysFile: string | null;
  /** Keys that are known whatever the file says. */
  readonly ownKeys: KeyRing;
  readonly devnet: DevnetProvider | null;
  /** Where a person looks on: a start that takes a while shows how far it is. Absent: nobody does. */
  readonly terminal?: NodeJS.WritableStream;
  /** Entry of solver threads in the place of workers/solver: how load tests make threads fail. The product gives none. */
  readonly solverEntry?: URL;
};

/** Starts threads and listeners. Rejects with HostingRefused when a port, the key file or a thread is not to be had, or an attester is configured for a hook that nothing is routed through; nothing is left running then. */
export async function startService({ config, hosting, log, keysFile, ownKeys, devnet, terminal, solverEntry }: ServiceParts): Promise<Service> {
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
    const [venueFacets, firmUpVenues] = [await loadVenueFacets(), await loadFirmUpVenues()];
    const unknown = config.mode === 'config' ? nameUnknownContract(config.chains, firmUpVenues) : null;
    if (unknown !== null) throw new HostingRefused(unknown);
    const isAttester = (venue: string) => firmUpVenues.get(venue)?.signs === 'attestation';
    const chainLabels = hosting.chains.map(({ chain: { chainId, name } }) => ({
      chainId,
      name,
      rpcEndpoints: hosting.rpcEndpoints.get(chainId) ?? 0,
      ...makersOf(hosting, chainId, isAttester),
      attesters: attestersOf(hosting, chainId, isAttester),
    }));
    const metrics = createMetrics({ version, mode: config.mode, chains: chainLabels, venues: [...venueFacets.keys()] });
    const observer = createObserver(log, metrics);
    const keys = keysFile === null ? null : await openKeys(keysFile, observer.keysReloaded);
    if (keys !== null) undo.push(() => keys.close());
    observer.keysRead();
    undo.push(await hosting.verifySettlement((detail) => log.warn({ detail }, 'settlement contracts not verified')));
    const memoryLimitBytes = residentLimitBytes(totalmem(), process.constrainedMemory());
    metrics.memoryLimit.set(memoryLimitBytes);
    const attendance = createAttendance({ venues: venueFacets.values(), outside: hosting.outside });
    const switches = createVenueSwitches({
      configured: hosting.switchedOff,
      onChange(change, off) {
        hosting.switchOff(change.chainId, bothOff(off, attendance.unattended(change.chainId)));
        observer.switchedOff(metrics.chainNames.get(change.chainId) ?? '', off, change);
      },
    });
    for (const { chain } of hosting.chains) {
      observer.switchedOff(chain.name, switches.off(chain.chainId), null);
      hosting.switchOff(chain.chainId, bothOff(switches.off(chain.chainId), attendance.unattended(chain.chainId)));
    }
    const threads = await startSolving(config, hosting, { onEvent: observer.solvingEvent, memoryLimitBytes, workerFile: solverEntry });
    const measuring = new MeasuringQueue(hosting);
    const measured = measuredSolving(threads, measuring, (chainId) => observer.solvingEvent({ kind: 'measuring-refused', chainId }));
    const requoted = requotedSolving(measured, await loadRequoteVenues(), hosting, observer.requoted);
    const solving = guardSolving(requoted, {
      off: (chainId) => bothOff(switches.off(chainId), attendance.off(chainId)),
      withdrawn: (chainId) => bothOff(switches.off(chainId), attendance.unattended(chainId)),
    });
    undo.push(() => solving.close());
    const progress = terminal === undefined ? null : createStartProgress(terminal);
    undo.push(() => progress?.end());
    const signers = createSigners(hosting.outside);
    const newBlock = new EventEmitter();
    const polling = new AbortController();
    const firming = createFirming({
      venues: firmUpVenues,
      chains: hosting.chains.map((hosted) => firmingChainOf(signers, hosted, newBlock)),
      read: hosting.ask,
      onPause(chainId, venue, source, ms) {
        hosting.pauseSource(chainId, venue, source, ms);
        attendance.leftAlone(chainId, venue, ms);
        if (isAttester(venue)) observer.attesterPaused(chainId, source, ms);
        else observer.makerPaused(chainId, source, ms);
      },
      onFirmed: observer.firmed,
      onPolled: observer.attesterPolled,
      ending: polling.signal,
    });
    const hear: Parameters<Hosting['startIndexers']>[0] = (chain, report) => {
      if (report.kind === 'listed') signers.listed(chain.chainId, report.venue, report.sources);
      // Whoever is asked too much for prices is not to be asked for orders either.
      if (report.kind === 'outside-asked' && report.outcome === 'busy') firming.leaveAlone(chain.chainId, report.venue, report.source, report.pausedMs);
      observer.indexerReported(chain.name, report);
      progress?.hear(chain.name, report);
      if (report.kind === 'published') newBlock.emit(chain.name);
    };
    undo.push(hosting.startIndexers(hear, (detail) => log.warn({ detail }, 'deployments of venues')));
    undo.push(() => polling.abort());

    let draining = false;
    const readiness = (): Readiness => readinessOf(hosting, solving, draining);
    const ring: KeyRing = {
      get size() {
        return Math.max(keys?.size ?? 0, ownKeys.size);
      },
      find: (header) => keys?.find(header) ?? ownKeys.find(header),
    };
    const budgets = new MemoryBudgetStore(LIMITS.metering.addressBuckets);
    const inflight = new InflightCounter(LIMITS.http.connections);
    const chains = hosting.chains.map(switches.shown);
    const legs = createLegEncoder(await loadBuilderVenues());
    // Watched from here on: a loop that is late while the service loads is no sign of demand, and the first requests are not to be shed for it.
    const { eventLoopDelayMs, eventLoopLateTurns, eventLoopWindowMs, waitMs } = LIMITS.admission;
    const eventLoop = watchEventLoopDelay({ boundMs: eventLoopDelayMs, leastLateTurns: eventLoopLateTurns, windowMs: eventLoopWindowMs });
    undo.push(() => eventLoop.close());
    const trust = proxyTrustOf(config.trustProxy);
    const { developmentMode } = config;
    const publicListener = createPublicServer({
      chains,
      solving,
      budgets,
      keys: ring,
      trust,
      inflight,
      eventLoop,
      legs,
      firmHops: firming.hops,
      observer,
      developmentMode,
    });
    const connections = countConnections(publicListener.server, observer.connectionDropped);
    const sample = () =>
      sampleGauges(metrics, {
        solving,
        measuring,
        chains,
        estimatedWaitMs: () => solving.estimatedWaitMs(),
        waitLimitMs: waitMs,
        eventLoopDelayMs: () => eventLoop.p99Ms(),
        eventLoopDelayLimitMs: eventLoopDelayMs,
        inflight,
        buckets: () => budgets.size,
        bucketsLimit: LIMITS.metering.addressBuckets,
        keys: () => ring.size,
        connections,
        ready: () => readiness().ready,
        logLinesLost: () => log.linesLost(),
      });
    const written = readFileSync(projectFile('schemas/openapi.json'), 'utf8');
    let openApi = written;
    let publicUrl = '';
    const internalListener = createInternalServer({
      host: config.internalHost,
      metrics,
      sample,
      readiness,
      openApi: () => openApi,
      devnet,
      routePage: { chains, solving, publicUrl: devnet === null ? null : () => publicUrl },
      switches: operateSwitches(switches, chains, venueFacets.values()),
      onFailure: (error) => observer.failed(null, error),
    });
    const internalUrl = await listen(internalListener, INTERNAL, config.internalHost, config.internalPort);
    undo.push(() => internalListener.stop());
    publicUrl = await listen(publicListener, PUBLIC, config.host, config.port);
    undo.push(() => {
      draining = true;
      return publicListener.stop();
    });
    const [hosted] = hosting.chains;
    const dollarToken = hosted && hosting.dollarTokens.get(hosted.chain.chainId)?.[0];
    if (hosted !== undefined) openApi = publicDocument(written, { serverUrl: config.publicUrl ?? publicUrl, hosted, dollarToken });
    return { publicUrl, internalUrl, readiness, reloadKeys: async () => keys?.reload(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function makersOf(
  { outside }: Hosting,
  chainId: number,
  isAttester: (venue: string) => boolean,
): { readonly makers: readonly string[]; readonly listedMakers: readonly string[] } {
  const venues = (outside.get(chainId) ?? []).filter(({ venue }) => !isAttester(venue));
  const listedMakers = venues.flatMap(({ listed }) => (listed?.makers ?? []).map(({ name }) => name));
  return { makers: [...venues.flatMap(({ sources }) => sources.map(({ name }) => name)), ...listedMakers], listedMakers };
}

function attestersOf({ outside }: Hosting, chainId: number, isAttester: (venue: string) => boolean): readonly string[] {
  return (outside.get(chainId) ?? []).filter(({ venue }) => isAttester(venue)).flatMap(({ sources }) => sources.map(({ name }) => name));
}

function firmingChainOf(signers: Signers, { chain: { chainId, name }, view }: HostedChain, newBlock: EventEmitter): FirmingChain {
  const head: FirmingChain['head'] = () => {
    const seen = view();
    return seen.phase === 'live' ? seen.block : null;
  };
  return { chainId, outside: signers.of(chainId), head, eachBlock: (listener) => newBlock.on(name, listener) };
}

async function openKeys(file: string, onReload: Parameters<typeof watchKeys>[0]['onReload']): Promise<WatchedKeys> {
  const opened = await watchKeys({ file, intervalMs: LIMITS.metering.keyFilePollMs, onReload });
  if (!opened.ok) throw new HostingRefused(`KEYS_FILE ${file}: ${opened.message}`);
  return opened.keys;
}

const SOLVER_ENTRY = new URL(`../workers/solver${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

type SolvingParts = Pick<SolvingOptions, 'onEvent' | 'memoryLimitBytes'> & { readonly workerFile?: URL | undefined };

async function startSolving(config: Config, hosting: Hosting, { workerFile = SOLVER_ENTRY, ...parts }: SolvingParts): Promise<Solving> {
  return createSolving({ threads: config.solverThreads, workerFile, data: { chains: hosting.solverChains }, ...parts });
}

/** Variables that say where a listener is. */
const PUBLIC = { host: 'HOST', port: 'PORT' } as const;
const INTERNAL = { host: 'INTERNAL_HOST', port: 'INTERNAL_PORT' } as const;

async function listen(listener: Listener, variables: typeof PUBLIC | typeof INTERNAL, host: string, port: number): Promise<string> {
  const listening = await listener.start({ host, port });
  if (!listening.ok) throw new HostingRefused(`${listening.message} (${variables[listening.wrong]})`);
  // An address that stands for all of the machine's is none to send a request to.
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${listening.port}`;
}

function readinessOf(hosting: Hosting, solving: Solving, draining: boolean): Readiness {
  const waitingFor = hosting.chains.filter((hosted) => hosted.view().phase === 'coming-up').map((hosted) => `first snapshot of ${hosted.chain.name}`);
  if (solving.workers().live === 0) waitingFor.push('solver threads');
  if (draining) waitingFor.push('nothing: the service is stopping');
  return waitingFor.length === 0 ? { ready: true } : { ready: false, waitingFor };
}
