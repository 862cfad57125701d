import { concatHex, numberToHex, size } from 'viem';
import type { EncodeFacet, HopToEncode } from '../encode.ts';
import { MAKERS_ROUTER } from './makers-router.ts';

/** The makers' router, and for how much less than planned it may go elsewhere: not at all. */
export const encode: EncodeFacet = { leg: 'prop_amm', legData: ({ leastOut }: HopToEncode) => concatHex([MAKERS_ROUTER, packed(leastOut)]) };

/** An amount as contracts/lib/Cursor.sol reads it: its length in bytes, then the bytes. */
function packed(amount: bigint): `0x${string}` {
  if (amount === 0n) return '0x00';
  const digits = amount.toString(16);
  const bytes: `0x${string}` = `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
  return concatHex([numberToHex(size(bytes), { size: 1 }), bytes]);
}
