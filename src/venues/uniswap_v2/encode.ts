import type { EncodeFacet } from '../encode.ts';
import { venue } from './venue.ts';

/** Bit 23: the leg measures what reached the pair. The other bits are the fee in millionths, which is below 2^20. */
const MEASURED = 1 << 23;
const HEX_DIGITS = 6;

export const encode: EncodeFacet = {
  leg: 'uniswap_v2',
  takesTaxedInput: true,
  legData({ family, taxedInput }) {
    const feePpm = venue.families.find((candidate) => candidate.family === family)?.feePpm;
    if (feePpm === undefined || feePpm === null) throw new RangeError(`not a family of Uniswap V2 pairs with a fixed fee: ${family}`);
    return `0x${(taxedInput ? MEASURED + feePpm : feePpm).toString(16).padStart(HEX_DIGITS, '0')}`;
  },
};
