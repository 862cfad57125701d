import { concatHex, numberToHex, size } from 'viem';
import type { EncodeFacet } from '../encode.ts';
import { attestationOf } from './attestation.ts';
import { SIDE_NUMBERS } from './typed-quote.ts';

/** The attestation as contracts/legs/ondo.sol reads it, after the address of the issuer's contract. */
export const encode: EncodeFacet = {
  leg: 'ondo',
  legData(hop) {
    const { attestationId, userId, side, price, quantity, expiration, additionalData, signature } = attestationOf(hop);
    const amounts = [attestationId, price, quantity, expiration].map(packed);
    return concatHex([numberToHex(SIDE_NUMBERS[side], { size: 1 }), ...amounts, sized(userId, 32), sized(additionalData, 32), sized(signature, 65)]);
  },
};

/** An amount as contracts/lib/Cursor.sol reads it: its length in bytes, then the bytes. */
function packed(amount: bigint): `0x${string}` {
  if (amount === 0n) return '0x00';
  const digits = amount.toString(16);
  const bytes: `0x${string}` = `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
  return concatHex([numberToHex(size(bytes), { size: 1 }), bytes]);
}

/** Throws RangeError on what has another length: no part of an attestation may run into the next. */
function sized(text: `0x${string}`, bytes: number): `0x${string}` {
  return numberToHex(BigInt(text), { size: bytes });
}
