import { concatHex, hexToBigInt, keccak256, sliceHex, stringToHex } from 'viem';
import type { Hex } from './packed.ts';

const QUOTE_ID_BYTES = 16;

/** The nonce of a swap's permit (decisions B7): unordered, and that of one quote, whose id is the first half of the tag. The router computes the same. */
export function permit2Nonce(tag: Hex): bigint {
  return hexToBigInt(keccak256(concatHex([stringToHex('permit2-nonce'), sliceHex(tag, 0, QUOTE_ID_BYTES)])));
}
