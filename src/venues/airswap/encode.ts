import { concatHex, numberToHex, size } from 'viem';
import type { EncodeFacet } from '../encode.ts';
import { orderOf } from './signed-order.ts';

/** The order as contracts/legs/airswap.sol reads it, after the address of SwapERC20. */
export const encode: EncodeFacet = {
  leg: 'airswap',
  legData(hop) {
    const { signerWallet, nonce, expiry, signerAmount, senderAmount, v, r, s } = orderOf(hop);
    return concatHex([signerWallet, ...[nonce, expiry, signerAmount, senderAmount].map(packed), numberToHex(v, { size: 1 }), wordOf(r), wordOf(s)]);
  },
};

/** An amount as contracts/lib/Cursor.sol reads it: its length in bytes, then the bytes. */
function packed(amount: bigint): `0x${string}` {
  if (amount === 0n) return '0x00';
  const digits = amount.toString(16);
  const bytes: `0x${string}` = `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
  return concatHex([numberToHex(size(bytes), { size: 1 }), bytes]);
}

/** Throws RangeError on what is no word of 32 bytes: no part of an order may run into the next. */
function wordOf(text: `0x${string}`): `0x${string}` {
  return numberToHex(BigInt(text), { size: 32 });
}
