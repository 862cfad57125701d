import { concatHex, numberToHex } from 'viem';
import { ZERO_ADDRESS } from '../../units/units.ts';
import type { EncodeFacet } from '../encode.ts';

/** Both are 24 bits in a pool's key. */
const KEY_NUMBER_BYTES = 3;

/** Of the pool's key what the manager's address and the tokens do not tell. The native token goes by its sentinel, which the leg knows. */
export const encode: EncodeFacet = {
  leg: 'uniswap_v4',
  takesTaxedInput: false,
  legData({ hook, legFacts: { fee, tickSpacing } }) {
    if (typeof fee !== 'number' || typeof tickSpacing !== 'number') throw new RangeError('a pool of Uniswap V4 has a fee and a tick spacing');
    return concatHex([numberToHex(fee, { size: KEY_NUMBER_BYTES }), numberToHex(tickSpacing, { size: KEY_NUMBER_BYTES }), hook ?? ZERO_ADDRESS]);
  },
};
