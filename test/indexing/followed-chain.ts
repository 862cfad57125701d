import { NO_PRICE_SOURCES, type PriceSources } from '../../src/chains/chains.ts';
import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import type { CheckpointIdentity } from '../../src/indexing/checkpoint/checkpoint.ts';
import { Checkpoints } from '../../src/indexing/checkpoint/checkpoints.ts';
import type { Clock } from '../../src/indexing/clock.ts';
import { Follower, type FollowerOptions } from '../../src/indexing/follower.ts';
import type { MinimumLiquidity } from '../../src/indexing/liquidity-bar.ts';
import { createPublisher } from '../../src/indexing/publisher.ts';
import { createBlockInterpreter } from '../../src/indexing/read-block.ts';
import type { IndexerReport } from '../../src/indexing/report.ts';
import { createTokenPrices } from '../../src/market/market.ts';
import { allocateSnapshot, SnapshotReader, SnapshotWriter, type WordReader, type WordWriter } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import { priceLadder } from '../../src/venues/ladder/price-ladder.ts';
import type { ChainLog, IndexerVenue } from '../../src/venues/venues.ts';
import type { MadeUpChain } from './made-up-chain.ts';
import { addressOf, FEE_CHANGED, idOf, logOf, MANAGER, MOVED, madeUpSingleton, OPENED, type SingletonState } from './made-up-singleton.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

export const STRANGER = addressOf(101);
export const VENUE = 'even_singleton';
/** As the chains that are followed have them: a rule that adds heights instead of taking one from the other shows only there. */
export const REAL_HEIGHT = 21_000_000;

export const opened = (id: number, price: number): ChainLog => logOf(MANAGER, price, OPENED, idOf(id));
export const moved = (id: number, price: number, emitter = MANAGER): ChainLog => logOf(emitter, price, MOVED, idOf(id));
export const fee = (value: number): ChainLog => logOf(MANAGER, value, FEE_CHANGED);

/** The made-up venue, with states that are packed and read from the chain. */
function followedVenue(): IndexerVenue {
  const { venue, track } = madeUpSingleton(VENUE, {
    load: async (pools, read) => {
      const answers = await read(pools.map(({ key, address }) => ({ to: address, data: key as `0x${string}` })));
      return answers.map((answer) => (answer === null ? null : { price: Number(answer.slice(0, 66)), fee: Number(`0x${answer.slice(66)}`) }));
    },
  });
  const state = {
    pack: (packed: SingletonState, out: WordWriter) => void out.unsigned(BigInt(packed.price), 1).unsigned(BigInt(packed.fee), 1),
    unpack: (words: WordReader): SingletonState => ({ price: Number(words.unsigned(1)), fee: Number(words.unsigned(1)) }),
    // As many base units of the first token as the price says, and one.
    curves: ({ price }: SingletonState) => [{ slotIn: 0, slotOut: 1, curve: priceLadder([{ price: 1, size: price + 1 }], 1) }],
  };
  return { venue, track, state: state as unknown as IndexerVenue['state'] };
}

export type FollowOptions<Time extends Clock = VirtualClock> = {
  readonly startDepthBlocks?: number;
  readonly reader?: ChainReader;
  readonly pools?: number;
  /** Places for blocks in the snapshot, which two may read. */
  readonly slots?: number;
  readonly clock?: Time;
  /** Absent: the first of all that there is, each time. */
  readonly random?: () => number;
  readonly fromBlock?: number;
  /** Absent: no token has a price. */
  readonly priceSources?: PriceSources;
  /** Absent: no pool is too small. */
  readonly minimumLiquidity?: MinimumLiquidity | undefined;
  /** Absent: nothing is kept. */
  readonly checkpoint?: { readonly file: string; readonly identity?: CheckpointIdentity };
  /** Absent: no token is measured. */
  readonly verdicts?: FollowerOptions['verdicts'];
};

export const IDENTITY: CheckpointIdentity = { chainId: 1, configuration: 'these deployments', firstBlocks: [REAL_HEIGHT], code: 'this code' };

/** A follower of that chain, with what it published and said. */
export function follow<Time extends Clock = VirtualClock>(
  chain: MadeUpChain,
  {
    startDepthBlocks = 2,
    reader = chain.reader,
    pools = 16,
    slots = 8,
    clock = virtualClock() as Clock as Time,
    random = () => 0,
    fromBlock = REAL_HEIGHT,
    priceSources = NO_PRICE_SOURCES,
    minimumLiquidity,
    checkpoint,
    verdicts,
  }: FollowOptions<Time> = {},
) {
  const venues = new Map([[VENUE, followedVenue()]]);
  const deployments = [{ venue: VENUE, family: VENUE, factory: MANAGER, fromBlock }];
  const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools, tokens: 8, slots, readers: 2 });
  const writer = new SnapshotWriter(buffers);
  const snapshot = SnapshotReader.claim(buffers, 1);
  const reports: IndexerReport[] = [];
  const byKind = new Map<string, IndexerReport[]>();
  const prices = createTokenPrices(priceSources);
  const publisher = createPublisher(writer, venues, prices, { minimumLiquidity });
  const report = (said: IndexerReport): void => {
    reports.push(said);
    const same = byKind.get(said.kind);
    if (same === undefined) byKind.set(said.kind, [said]);
    else same.push(said);
  };
  const checkpoints =
    checkpoint === undefined ? null : new Checkpoints({ identity: IDENTITY, ...checkpoint, report, clock, verdicts: () => [], onVerdicts: () => undefined });
  const follower = new Follower({
    chainId: 1,
    checkpoints,
    reader,
    interpreter: createBlockInterpreter(venues, deployments, { chainId: 1, wrappedNative: addressOf(1) }),
    venues,
    deployments,
    startDepthBlocks,
    prices,
    publisher,
    snapshotStats: () => writer.stats(),
    wrappedNative: addressOf(1),
    report,
    random,
    clock,
    ...(verdicts === undefined ? {} : { verdicts }),
  });
  const view = () => {
    const pinned = snapshot.pin();
    if (pinned === null) throw new Error('nothing is published');
    const pools = Array.from({ length: pinned.poolCount }, (_, id) => pinned.pool(id)).filter((pool) => pool !== undefined);
    const shown = {
      block: pinned.block.hash,
      pools: Object.fromEntries(pools.map(({ key, words }) => [key, { price: Number(words[0]), fee: Number(words[1]) }])),
    };
    snapshot.unpin();
    return shown;
  };
  /** What is published of a token's transfers, and as of which block. */
  const verdictOf = (token: Address) => {
    const pinned = snapshot.pin();
    if (pinned === null) throw new Error('nothing is published');
    const said = { block: pinned.block.hash, measured: pinned.verdictOf(pinned.tokenId(token)) };
    snapshot.unpin();
    return said;
  };
  const step = async () => {
    const published = await follower.step();
    await follower.settled();
    await checkpoints?.idle();
    return published;
  };
  const of = <Kind extends IndexerReport['kind']>(kind: Kind) =>
    (byKind.get(kind) ?? []) as readonly IndexerReport[] as readonly Extract<IndexerReport, { kind: Kind }>[];
  const ignored = (what: string) =>
    of('ignored')
      .filter((report) => report.what === what)
      .reduce((sum, { count }) => sum + count, 0);
  /** How often the chain was read from its factories. */
  const rebuilds = () => of('log').filter(({ message }) => message.startsWith('reading the chain')).length;
  /** As a thread that is told to stop. */
  const end = async (): Promise<void> => await checkpoints?.close();
  return { follower, clock, reports, publisher, buffers, end, step, view, verdictOf, of, ignored, rebuilds };
}
