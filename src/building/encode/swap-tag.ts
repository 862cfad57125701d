import { bytesToHex, keccak256, sliceHex, stringToBytes } from 'viem';
import type { Hex } from './packed.ts';

const PARTNER_BYTES = 16;

/**
 * The `tag` of the router's Swap event (decisions B6): the 16 bytes of the quote's uuid, then the first 16 bytes of the keccak-256 of the partner id,
 * or zero without a key.
 */
export function swapTag(quoteId: string, partnerId: string | null): Hex {
  const uuid = quoteId.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(uuid)) throw new RangeError(`not a uuid: ${quoteId.slice(0, 60)}`);
  const partner = partnerId === null ? bytesToHex(new Uint8Array(PARTNER_BYTES)) : sliceHex(keccak256(stringToBytes(partnerId)), 0, PARTNER_BYTES);
  return `0x${uuid}${partner.slice(2)}`;
}
