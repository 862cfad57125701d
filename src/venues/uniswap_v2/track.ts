import { toEventSelector, toFunctionSelector } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
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
    const address = addressIn(log.data, 0);
    return {
      key: address,
      address,
      hook: null,
      protocol: deployment.family,
      source: deployment.family,
      tokens: [addressIn(token0, 0), addressIn(token1, 0)],
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

function stateOf(words: `0x${string}`, feePpm: number): UniswapV2State | null {
  if (words.length !== 130) return null;
  const reserve0 = BigInt(words.slice(0, 66));
  const reserve1 = BigInt(`0x${words.slice(66)}`);
  return reserve0 > MAX_RESERVE || reserve1 > MAX_RESERVE ? null : { reserve0, reserve1, feePpm };
}

/** The address in the low 20 bytes of a 32-byte word. */
function addressIn(words: `0x${string}`, index: number): Address {
  const end = 2 + 64 * (index + 1);
  return asAddress(`0x${words.slice(end - 40, end)}`);
}
