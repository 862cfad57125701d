import { randomBytes } from 'node:crypto';
import { NO_PRICE_SOURCES } from '../chains/chains.ts';
import { LIMITS } from '../config/limits.ts';
import { createTokenPrices, createTransferMeter, readProbeCode, VerdictKeeper } from '../market/market.ts';
import type { SnapshotWriter } from '../snapshot/snapshot.ts';
import type { IndexerVenues } from '../venues/venues.ts';
import { type ChainReader, createChainReader } from './chain-reader.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { type FollowedMarket, Follower } from './follower.ts';
import { createBloomCheck } from './logs-bloom.ts';
import { createProbeNode } from './probe-node.ts';
import { createPublisher } from './publisher.ts';
import { createBlockInterpreter } from './read-block.ts';
import type { IndexerReport } from './report.ts';
import { createRpc, type Rpc } from './rpc/rpc.ts';
import type { IndexerThreadData } from './thread-data.ts';

export type FollowerParts = {
  readonly venues: IndexerVenues;
  readonly writer: SnapshotWriter;
  readonly report: (report: IndexerReport) => void;
  /** Called when the node announces a head. */
  readonly onHead: () => void;
  /** How far below the head a cold start reads its states. */
  readonly startDepthBlocks: number;
  readonly clock?: Clock;
};

/** Puts a follower together. Close `rpc` to end everything that it has under way. */
export function openFollower(data: IndexerThreadData, parts: FollowerParts): { readonly follower: Follower; readonly rpc: Rpc } {
  const { chainId } = data;
  const { venues, writer, report, onHead, startDepthBlocks, clock = SYSTEM_CLOCK } = parts;
  const unknown = data.deployments.find(({ venue }) => !venues.has(venue));
  if (unknown !== undefined) report({ kind: 'log', chainId, level: 'warn', message: `no venue ${unknown.venue}: its deployment is left out` });
  const deployments = data.deployments.filter(({ venue }) => venues.has(venue));
  const rpc = createRpc({ urls: data.rpcUrls, chainId, fetch, random: Math.random, onHead, clock });
  const reader = createChainReader(rpc, { bloom: createBloomCheck(LIMITS.indexing.bloomItems) });
  const prices = createTokenPrices(data.prices ?? NO_PRICE_SOURCES);
  const follower = new Follower({
    chainId,
    reader,
    verdicts: (market) => keepVerdicts(data, { rpc, reader, market, report, writer }),
    interpreter: createBlockInterpreter(venues, deployments, data),
    venues,
    deployments,
    startDepthBlocks,
    prices,
    publisher: createPublisher(writer, venues, prices, data.switchedOff),
    snapshotStats: () => writer.stats(),
    wrappedNative: data.wrappedNative,
    report,
    clock,
  });
  return { follower, rpc };
}

type KeeperOptions = Pick<FollowerParts, 'report' | 'writer'> & { readonly rpc: Rpc; readonly reader: ChainReader; readonly market: FollowedMarket };

function keepVerdicts(data: IndexerThreadData, { rpc, reader: { readAt }, market, report, writer }: KeeperOptions): VerdictKeeper {
  const { chainId, wrappedNative, wellKnownTokens = [wrappedNative], verdictBlocks = 1 } = data;
  return new VerdictKeeper({
    ...market,
    meter: createTransferMeter({ node: createProbeNode(rpc), code: readProbeCode(), random: randomBytes }),
    readAt,
    onMeasured: (facts) => report({ kind: 'measuring', chainId, ...facts }),
    onKept: (kept) => report({ kind: 'verdicts', chainId, ...kept }),
    wellKnown: new Set(wellKnownTokens),
    verdictBlocks,
    published: (token) => writer.verdictOf(token),
    wrappedNative,
    now: () => performance.now(),
  });
}
