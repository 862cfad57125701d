import { randomBytes } from 'node:crypto';
import { NO_PRICE_SOURCES } from '../chains/chains.ts';
import { LIMITS } from '../config/limits.ts';
import { createTokenPrices, createTransferMeter, readProbeCode, type SettlementAccounts, type TokenPrices, VerdictKeeper } from '../market/market.ts';
import { type SnapshotWriter, saysNothingAgainst } from '../snapshot/snapshot.ts';
import type { ChainLog, IndexerVenues, StreamVenues } from '../venues/venues.ts';
import { type ChainReader, createChainReader } from './chain-reader.ts';
import { Checkpoints } from './checkpoint/checkpoints.ts';
import { checkpointIdentity } from './checkpoint/identity.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { type FollowedMarket, Follower } from './follower.ts';
import type { ChainHeader } from './header.ts';
import { createBloomCheck } from './logs-bloom.ts';
import { createProbeNode } from './probe-node.ts';
import { createPublisher } from './publisher.ts';
import { type BlockInterpreter, createBlockInterpreter } from './read-block.ts';
import type { IndexerReport } from './report.ts';
import { createRpc, type Rpc } from './rpc/rpc.ts';
import type { IndexerThreadData } from './thread-data.ts';

export type FollowerParts = {
  readonly venues: IndexerVenues;
  /** Absent: none. */
  readonly streams?: StreamVenues;
  readonly writer: SnapshotWriter;
  readonly report: (report: IndexerReport) => void;
  /** Hears of each block that is taken in, with its logs, before it is published. Absent: nobody does. */
  readonly onBlock?: (header: ChainHeader, logs: readonly ChainLog[]) => void;
  /** Called when the node announces a head. */
  readonly onHead: () => void;
  /** How far below the head a cold start reads its states. */
  readonly startDepthBlocks: number;
  readonly clock?: Clock;
  /** Absent: LIMITS.indexing.mostLogRanges. */
  readonly mostLogRanges?: number;
};

export type OpenFollower = { readonly follower: Follower; readonly rpc: Rpc; readonly checkpoints: Checkpoints | null };

/** Puts a follower together. Close `rpc` and `checkpoints` to end everything that it has under way. */
export function openFollower(data: IndexerThreadData, parts: FollowerParts): OpenFollower {
  const { chainId } = data;
  const { venues, writer, report, onHead, startDepthBlocks, clock = SYSTEM_CLOCK } = parts;
  const unknown = data.deployments.find(({ venue }) => !venues.has(venue));
  if (unknown !== undefined) report({ kind: 'log', chainId, level: 'warn', message: `no venue ${unknown.venue}: its deployment is left out` });
  const deployments = data.deployments.filter(({ venue }) => venues.has(venue));
  const rpc = createRpc({ urls: data.rpcUrls, chainId, fetch, random: Math.random, onHead, clock });
  const reader = createChainReader(rpc, { bloom: createBloomCheck(LIMITS.indexing.bloomItems) });
  const prices = createTokenPrices(data.prices ?? NO_PRICE_SOURCES, data.wellKnownTokens ?? [data.wrappedNative]);
  const checkpoints = openCheckpoints(data, parts);
  const follower = new Follower({
    chainId,
    reader,
    checkpoints,
    verdicts: (market) => keepVerdicts(data, { rpc, reader, market, report, writer, prices }),
    interpreter: overheard(createBlockInterpreter(venues, deployments, data), parts.onBlock),
    venues,
    deployments,
    startDepthBlocks,
    prices,
    publisher: createPublisher(writer, venues, prices, { ...data, ...(parts.streams === undefined ? {} : { streams: parts.streams }) }),
    snapshotStats: () => writer.stats(),
    wrappedNative: data.wrappedNative,
    report,
    random: Math.random,
    clock,
    ...(data.tokens === undefined ? {} : { tokens: data.tokens }),
    ...(parts.mostLogRanges === undefined ? {} : { mostLogRanges: parts.mostLogRanges }),
  });
  return { follower, rpc, checkpoints };
}

/** The follower reads each block that it takes in, and no other. */
function overheard(interpreter: BlockInterpreter, onBlock: FollowerParts['onBlock'] = () => undefined): BlockInterpreter {
  return {
    ...interpreter,
    read(book, header, logs) {
      onBlock(header, logs);
      return interpreter.read(book, header, logs);
    },
  };
}

function openCheckpoints(data: IndexerThreadData, { report, writer, clock = SYSTEM_CLOCK }: FollowerParts): Checkpoints | null {
  const { checkpointFile: file, wrappedNative, wellKnownTokens = [wrappedNative] } = data;
  if (file === undefined) return null;
  return new Checkpoints({
    file,
    identity: checkpointIdentity(data),
    report,
    clock,
    verdicts: () =>
      wellKnownTokens.flatMap((token) => {
        const measured = writer.verdictOf(token);
        return measured === null || saysNothingAgainst(measured) ? [] : [{ token, ...measured }];
      }),
    // As if a thread before this one had found them: they are believed until they are measured again, which is at once. Of what this process found already nothing is changed.
    onVerdicts(verdicts) {
      for (const { token, ...measured } of verdicts) if (writer.verdictOf(token) === null) writer.setVerdict(token, measured);
    },
  });
}

const NO_SETTLEMENT: SettlementAccounts = { router: null, allowanceHolder: null, permit2: null };

type KeeperOptions = Pick<FollowerParts, 'report' | 'writer'> & {
  readonly rpc: Rpc;
  readonly reader: ChainReader;
  readonly market: FollowedMarket;
  readonly prices: TokenPrices;
};

function keepVerdicts(data: IndexerThreadData, { rpc, reader: { readAt }, market, report, writer, prices }: KeeperOptions): VerdictKeeper {
  const { chainId, wrappedNative, wellKnownTokens = [wrappedNative], verdictBlocks = LIMITS.transfers.verdictBlocks, settlement = NO_SETTLEMENT } = data;
  const { minimumGasPriceWei = 0n } = data;
  return new VerdictKeeper({
    ...market,
    pricesOthers: prices.pricesOthers,
    unitsFor: prices.unitsFor,
    meter: createTransferMeter({ node: createProbeNode(rpc), code: readProbeCode(), random: randomBytes, settlement, minimumGasPriceWei }),
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
