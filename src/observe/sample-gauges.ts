import type { HostedChain } from '../chains/chains.ts';
import { LIMITS } from '../config/limits.ts';
import type { MeasuringQueue, Solving } from '../solving/solving.ts';
import type { Metrics } from './metrics.ts';

/** The parts whose state is read when somebody scrapes. */
export type SampledParts = {
  readonly solving: Pick<Solving, 'queueDepth' | 'queueLimit' | 'inflight' | 'workers' | 'threads' | 'longPlaces'>;
  readonly measuring: Pick<MeasuringQueue, 'limit' | 'waiting'>;
  readonly chains: readonly HostedChain[];
  readonly estimatedWaitMs: () => number;
  readonly waitLimitMs: number;
  readonly eventLoopDelayMs: () => number;
  readonly eventLoopDelayLimitMs: number;
  readonly inflight: { readonly clients: number; readonly mostClients: number };
  readonly buckets: () => number;
  readonly bucketsLimit: number;
  readonly keys: () => number;
  readonly connections: () => number;
  readonly ready: () => boolean;
  readonly logLinesLost: () => number;
};

/** Reads what is a state rather than an event into its gauges: called for each scrape, so that nothing is measured for nobody. */
export function sampleGauges(metrics: Metrics, parts: SampledParts): void {
  const { solving } = parts;
  metrics.solverQueueDepth.set(solving.queueDepth());
  metrics.solverQueueLimit.set(solving.queueLimit);
  metrics.solverInflight.set(solving.inflight());
  const { live, starting, reserve, largestHeapBytes } = solving.workers();
  metrics.solverWorkers.set({ state: 'live' }, live);
  metrics.solverWorkers.set({ state: 'starting' }, starting);
  metrics.solverWorkers.set({ state: 'reserve' }, reserve);
  metrics.solverWorkersConfigured.set(solving.threads);
  metrics.solverLongPlaces.set(solving.longPlaces);
  metrics.solverHeap.set(largestHeapBytes);
  metrics.solverHeapLimit.set(LIMITS.solving.heapMegabytes * 2 ** 20);
  metrics.estimatedWait.set(parts.estimatedWaitMs() / 1000);
  metrics.waitLimit.set(parts.waitLimitMs / 1000);
  metrics.eventLoopDelay.set(parts.eventLoopDelayMs() / 1000);
  metrics.eventLoopDelayLimit.set(parts.eventLoopDelayLimitMs / 1000);
  metrics.inflightClients.set(parts.inflight.clients);
  metrics.inflightClientsLimit.set(parts.inflight.mostClients);
  metrics.meteredAddresses.set(parts.buckets());
  metrics.meteredAddressesLimit.set(parts.bucketsLimit);
  metrics.keys.set(parts.keys());
  metrics.httpConnections.set(parts.connections());
  metrics.httpConnectionsLimit.set(LIMITS.http.connections);
  metrics.ready.set(parts.ready() ? 1 : 0);
  metrics.logLinesLost.reset();
  metrics.logLinesLost.inc(parts.logLinesLost());
  for (const hosted of parts.chains) {
    const chain = hosted.chain.name;
    const view = hosted.view();
    metrics.snapshotAgeLimit.set({ chain }, hosted.freshnessBound / 1000);
    metrics.snapshotSlots.set({ chain }, LIMITS.snapshot.slots);
    metrics.checkpointBytesLimit.set({ chain }, LIMITS.indexing.checkpoint.bytes);
    metrics.indexerPoolsLimit.set({ chain }, LIMITS.snapshot.pools);
    metrics.switchedOffLimit.set({ chain }, LIMITS.switching.offPerChain);
    metrics.measuringWaiting.set({ chain }, parts.measuring.waiting(hosted.chain.chainId));
    metrics.measuringWaitingLimit.set({ chain }, parts.measuring.limit);
    if (view.phase === 'coming-up') continue;
    metrics.snapshotAge.set({ chain }, view.phase === 'frozen' ? 0 : view.age / 1000);
    if (view.phase === 'frozen') metrics.snapshotBlock.set({ chain }, view.block.number);
  }
}
