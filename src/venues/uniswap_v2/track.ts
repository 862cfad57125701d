import { toEventSelector, toFunctionSelector } from 'viem';
import { addressAt, exactWords } from '../abi-words.ts';
import type { TrackFacet } from '../track.ts';
import { MAX_RESERVE, type UniswapV2State, validateState } from './state.ts';
import { venue } from './venue.ts';

const PAIR_CREATED = toEventSelector('PairCreated(address,address,address,uint256)');
const SYNC = toEventSelector('Sync(uint112,uint112)');
const GET_RESERVES = toFunctionSelector('getReserves()');

/** Follows constant-product pairs. `Sync` carries the reserves after each change, so it alone is authoritative. */
export const track: TrackFacet<UniswapV2State> = {
  discoveryTopics: [PAIR_CREATED],
  stateTopics: [SYNC],
  discover(deployment, log) {
    const [topic0, token0, token1] = log.topics;
    if (log.address !== deployment.factory || topic0 !== PAIR_CREATED || token0 === undefined || token1 === undefined || log.data.length !== 130) return null;
    const feePpm = venue.families.find(({ family }) => family === deployment.family)?.feePpm;
    if (feePpm === undefined || feePpm === null) return null;
    const address = addressAt(log.data);
    return {
      key: address,
      address,
      hook: null,
      protocol: deployment.family,
      source: deployment.family,
      tokens: [addressAt(token0), addressAt(token1)],
      traits: { feePpm },
    };
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

function stateOf(data: `0x${string}`, feePpm: number): UniswapV2State | null {
  const words = exactWords(data, 2);
  if (words === null) return null;
  const [reserve0 = 0n, reserve1 = 0n] = words;
  return reserve0 > MAX_RESERVE || reserve1 > MAX_RESERVE ? null : { reserve0, reserve1, feePpm };
}
