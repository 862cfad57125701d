import { concatHex, numberToHex } from 'viem';
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from '../../units/units.ts';
import type { EncodeFacet, HopToEncode } from '../encode.ts';
import { attestationsOf, wantsAttestation } from './attestations.ts';

/** Both are 24 bits in a pool's key. */
const KEY_NUMBER_BYTES = 3;

/** How many tokens lie between the pools of a path. */
const COUNT_BYTES = 1;

/** Of the pool's key what the manager's address and the tokens do not tell. The native token goes by its sentinel, which the leg knows. */
export const encode: EncodeFacet = {
  leg: 'uniswap_v4',
  legData: poolData,
  path: {
    leg: 'uniswap_v4_path',
    pathData: (hops) =>
      concatHex([
        numberToHex(hops.length - 1, { size: COUNT_BYTES }),
        ...hops.flatMap((hop, index) => (index === 0 ? [poolData(hop)] : [currencyOf(hop.tokenIn), poolData(hop)])),
      ]),
  },
  signed: {
    leg: 'uniswap_v4_attested',
    wants: wantsAttestation,
    legData: (hop) => concatHex([poolData(hop), attestationsOf(hop)]),
  },
};

function poolData({ hook, legFacts: { fee, tickSpacing } }: HopToEncode): `0x${string}` {
  if (typeof fee !== 'number' || typeof tickSpacing !== 'number') throw new RangeError('a pool of Uniswap V4 has a fee and a tick spacing');
  return concatHex([numberToHex(fee, { size: KEY_NUMBER_BYTES }), numberToHex(tickSpacing, { size: KEY_NUMBER_BYTES }), hook ?? ZERO_ADDRESS]);
}

/** A token between two pools is known to the manager alone, by its own name for it. */
function currencyOf(token: Address): Address {
  return token === NATIVE_TOKEN ? ZERO_ADDRESS : token;
}
