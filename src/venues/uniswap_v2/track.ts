import { toEventSelector, toFunctionSelector } from 'viem';
import type { Address } from '../../units/units.ts';
import { addressAt, addressOfWord, callData, exactWords, onlyWord } from '../abi-words.ts';
import type { DiscoveredPool, TokenPair, TrackFacet, VenueDeployment } from '../track.ts';
import { MAX_RESERVE, type UniswapV2State, validateState } from './state.ts';
import { venue } from './venue.ts';

const PAIR_CREATED = toEventSelector('PairCreated(address,address,address,uint256)');
const SYNC = toEventSelector('Sync(uint112,uint112)');
const GET_PAIR = toFunctionSelector('getPair(address,address)');
const GET_RESERVES = toFunctionSelector('getReserves()');

/** Follows constant-product pairs. `Sync` carries the reserves after each change, so it alone is authoritative. */
export const track: TrackFacet<UniswapV2State> = {
  discoveryTopics: [PAIR_CREATED],
  stateTopics: [SYNC],
  discover(deployment, log) {
    const [topic0, token0, token1] = log.topics;
    if (log.address !== deployment.factory || topic0 !== PAIR_CREATED || token0 === undefined || token1 === undefined || log.data.length !== 130) return null;
    return pairOf(deployment, addressAt(log.data), [addressAt(token0), addressAt(token1)]);
  },
  async findPools(deployment, pairs, read) {
    const answers = await read(pairs.map(([one, other]) => ({ to: deployment.factory, data: callData(GET_PAIR, one, other), answerBytes: 32 })));
    return pairs.flatMap((tokens, at) => {
      const address = addressOfWord(onlyWord(answers[at]));
      return address === null ? [] : (pairOf(deployment, address, tokens) ?? []);
    });
  },
  async load(pools, read) {
    const answers = await read(pools.map((pool) => ({ to: pool.address, data: GET_RESERVES, answerBytes: 64 })));
    return pools.map((pool, at) => {
      const answer = answers[at];
      return answer === null || answer === undefined ? null : stateOf(answer, Number(pool.traits.feePpm));
    });
  },
  poolsOf: ({ address }) => [address],
  apply(pool, _state, log) {
    if (log.topics[0] !== SYNC) return { kind: 'ignored' };
    const state = stateOf(log.data, Number(pool.traits.feePpm));
    return state === null ? { kind: 'reload' } : { kind: 'state', state };
  },
  check: validateState,
};

/** null where nothing is known of the fee of that family. */
function pairOf({ family }: VenueDeployment, address: Address, tokens: TokenPair): DiscoveredPool | null {
  const feePpm = venue.families.find((known) => known.family === family)?.feePpm;
  if (feePpm === undefined || feePpm === null) return null;
  return { key: address, address, hook: null, protocol: family, source: family, tokens, traits: { feePpm } };
}

function stateOf(data: `0x${string}`, feePpm: number): UniswapV2State | null {
  const words = exactWords(data, 2);
  if (words === null) return null;
  const [reserve0 = 0n, reserve1 = 0n] = words;
  return reserve0 > MAX_RESERVE || reserve1 > MAX_RESERVE ? null : { reserve0, reserve1, feePpm };
}
