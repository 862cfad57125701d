import type { EncodeFacet } from '../encode.ts';

/** Its places are uint256, and it pays its caller. */
const WIDE_PLACES = '02';
const HIGHEST_PLACE = 0xff;

/** The leg of Curve: a byte of flags, and the places of both coins. */
export const encode: EncodeFacet = {
  leg: 'curve',
  legData({ slotIn, slotOut }) {
    if (slotIn > HIGHEST_PLACE || slotOut > HIGHEST_PLACE) throw new RangeError(`no pool has so many coins: ${slotIn}, ${slotOut}`);
    return `0x${WIDE_PLACES}${[slotIn, slotOut].map((place) => place.toString(16).padStart(2, '0')).join('')}`;
  },
};
