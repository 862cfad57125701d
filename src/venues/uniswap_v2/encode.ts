import { concatHex, numberToHex } from 'viem';
import type { EncodeFacet, HopToEncode } from '../encode.ts';
import { venue } from './venue.ts';

/** Bit 23: the leg measures what reached the pair. The other bits are the fee in millionths, which is below 2^20. */
const MEASURED = 1 << 23;
const PAIR_BYTES = 3;

/** How many tokens lie between the pairs of a path. */
const COUNT_BYTES = 1;

export const encode: EncodeFacet = {
  leg: 'uniswap_v2',
  legData: pairData,
  path: {
    leg: 'uniswap_v2_path',
    pathData: (hops) => {
      const [first, ...further] = hops.map((hop) => [hop.tokenIn, hop.poolAddress, pairData(hop)] as const);
      if (first === undefined) throw new RangeError('a path has a pair');
      return concatHex([first[2], numberToHex(further.length, { size: COUNT_BYTES }), ...further.flat()]);
    },
  },
};

function pairData({ family, taxedInput }: HopToEncode): `0x${string}` {
  const feePpm = venue.families.find((candidate) => candidate.family === family)?.feePpm;
  if (feePpm === undefined || feePpm === null) throw new RangeError(`not a family of Uniswap V2 pairs with a fixed fee: ${family}`);
  return numberToHex(taxedInput ? MEASURED + feePpm : feePpm, { size: PAIR_BYTES });
}
