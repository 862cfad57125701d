import { concatHex, encodeFunctionData, keccak256, parseAbi, toEventSelector } from 'viem';
import { type Address, asBlockNumber } from '../../units/units.ts';
import { addressAt, addressOfWord, allWords, onlyWord } from '../abi-words.ts';
import type { ChainAnswer, ChainCall, ChainLog, DiscoveredPool, PoolAnnouncement, TrackFacet, VenueDeployment } from '../track.ts';
import { PAUSED_CALL } from './makers-router.ts';
import { readLadders } from './read-ladders.ts';
import { type MakerState, validateState } from './state.ts';

const SWAPPED = toEventSelector('Swapped(address,address,address,uint256,uint256,address)');
const MAKER_ABI = parseAbi(['struct TokenPair { address token0; address token1; }', 'function getPairs() view returns (TokenPair[] pairs)']);
/** Pairs of one maker that are followed. */
const MOST_PAIRS = 64;
const WORD = 32;
/** Where the list begins, and how long it is. */
const HEAD_WORDS = 2;
/** A quote counts at its block and, since a route is read at one block and settled in the next, at that one. */
const BLOCKS_AFTER = 1;

/**
 * Follows makers: a deployment is one, whose `factory` is its contract, and a pool is one of its pairs, which it lists. Whatever it prices by moves with every block and without a log, so that all
 * its pairs are quoted again in each.
 */
export const track: TrackFacet<MakerState> = {
  discoveryTopics: [SWAPPED],
  stateTopics: [SWAPPED],
  /** A pair that came later than the list was read is met when somebody trades it. */
  discover: (deployment, log) => (log.address === deployment.factory && log.topics[0] === SWAPPED ? tradedPair(deployment, log) : null),
  listed: () => PAIRS,
  async describe(announced, read) {
    const answers = await read(announced.map(({ deployment: { factory } }) => pairsCall(factory)));
    return announced.map(({ deployment }, at) => pairsOf(answers[at])?.map(([one, other]) => poolOf(deployment, one, other)) ?? null);
  },
  async load(pools, read, at) {
    const [[paused], ladders] = await Promise.all([read([PAUSED_CALL]), readLadders(pools, read)]);
    if (onlyWord(paused) !== 0n) return pools.map(() => null);
    const until = asBlockNumber(at.blockNumber + BLOCKS_AFTER);
    return pools.map(({ address }, index) => {
      const both = ladders[index] ?? [[], []];
      return both.every((ladder) => ladder.length === 0) ? null : { maker: address, until, ladders: both };
    });
  },
  rereading: () => ({ kind: 'each-block' }),
  poolsOf: (log) => [keyOf(log.address, addressAt(topic(log, 2)), addressAt(topic(log, 3)))],
  apply: () => ({ kind: 'reload' }),
  check: validateState,
};

const PAIRS: PoolAnnouncement = { announces: 'pairs', facts: {} };

function topic({ topics }: ChainLog, at: number): `0x${string}` {
  const found = topics[at];
  if (found === undefined) throw new RangeError(`no topic ${at}`);
  return found;
}

function tradedPair(deployment: VenueDeployment, log: ChainLog): DiscoveredPool | null {
  const [, , tokenIn, tokenOut] = log.topics;
  if (tokenIn === undefined || tokenOut === undefined || tokenIn === tokenOut) return null;
  return poolOf(deployment, addressAt(tokenIn), addressAt(tokenOut));
}

function poolOf({ factory, family }: VenueDeployment, one: Address, other: Address): DiscoveredPool {
  const tokens = one < other ? [one, other] : [other, one];
  return { key: keyOf(factory, one, other), address: factory, hook: null, protocol: family, source: family, tokens, traits: {} };
}

/** A maker has no name for its pairs. */
function keyOf(maker: Address, one: Address, other: Address): string {
  return keccak256(concatHex(one < other ? [maker, one, other] : [maker, other, one]));
}

function pairsCall(maker: Address): ChainCall {
  const data = encodeFunctionData({ abi: MAKER_ABI, functionName: 'getPairs' });
  return { to: maker, data, answerBytes: WORD * (HEAD_WORDS + 2 * MOST_PAIRS) };
}

/** null: it lists none. A longer list is followed as far as it is read. */
function pairsOf(answer: ChainAnswer | undefined): readonly (readonly [Address, Address])[] | null {
  const [begins, count, ...words] = allWords(answer) ?? [];
  if (begins !== BigInt(WORD) || count === undefined) return null;
  const listed = Math.min(Number(count), Math.floor(words.length / 2));
  return Array.from({ length: listed }, (_, at) => [addressOfWord(words[2 * at] ?? null), addressOfWord(words[2 * at + 1] ?? null)] as const).flatMap(
    ([one, other]) => (one === null || other === null || one === other ? [] : [[one, other] as const]),
  );
}
