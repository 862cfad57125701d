import { getAddress } from 'viem';

/** In checksummed form; null of nothing. */
export function checksummed(address) {
  return address === undefined || address === null ? null : getAddress(address.toLowerCase());
}

export function withoutRepeats(addresses) {
  return [...new Set(addresses)].filter((address) => address !== null);
}
