import type { EncodeFacet } from '../encode.ts';
import { venue } from './venue.ts';

/** By which name a family's pools call back for their input: the numbers are the leg's. */
const OWN_CALLBACK: ReadonlyMap<string, `0x${string}`> = new Map([['pancakeswap_v3', '0x01']]);
const UNISWAP_CALLBACK = '0x00';

export const encode: EncodeFacet = {
  leg: 'uniswap_v3',
  legData({ family }) {
    if (!venue.families.some((candidate) => candidate.family === family)) throw new RangeError(`not a family of Uniswap V3 pools: ${family}`);
    return OWN_CALLBACK.get(family) ?? UNISWAP_CALLBACK;
  },
};
