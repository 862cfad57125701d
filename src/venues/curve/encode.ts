import type { EncodeFacet } from '../encode.ts';

const PAYS_RECEIVER = 1;
const HIGHEST_PLACE = 0xff;

/** A byte of flags, and the places of both coins. A pool of which nothing is known pays its caller, as all of them can. */
export const encode: EncodeFacet = {
  leg: 'curve',
  legData({ legFacts, slotIn, slotOut }) {
    if (slotIn > HIGHEST_PLACE || slotOut > HIGHEST_PLACE) throw new RangeError(`no pool has so many coins: ${slotIn}, ${slotOut}`);
    return `0x${[legFacts.paysReceiver === 1 ? PAYS_RECEIVER : 0, slotIn, slotOut].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  },
};
