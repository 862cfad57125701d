import { keccak256 } from 'viem';
import type { ChainLog } from '../venues/venues.ts';

/** Counts how many bits of a header's bloom its logs leave unexplained. */
export type BloomCheck = (headerBloom: `0x${string}`, logs: readonly ChainLog[]) => boolean;

/**
 * A check whether the logs explain every bit of the header's bloom (2048 bits; three per address and topic, from the low 11 bits of the first three 16-bit
 * words of its keccak256; Ethereum yellow paper 4.4.1). A bit without a log means that a log was dropped. Extra logs are let through: some chains
 * append logs of their own after the bloom was made. Remembers the bits of up to `capacity` items.
 */
export function createBloomCheck(capacity: number): BloomCheck {
  const known = new Map<string, readonly [number, number, number]>();
  const bitsOf = (item: `0x${string}`): readonly [number, number, number] => {
    const found = known.get(item);
    if (found !== undefined) return found;
    const bits = bloomBits(item);
    if (known.size >= capacity) known.clear();
    known.set(item, bits);
    return bits;
  };
  return (headerBloom, logs) => {
    const bloom = Buffer.from(headerBloom.slice(2), 'hex');
    const clear = (item: `0x${string}`): void => {
      for (const bit of bitsOf(item)) {
        const byte = 255 - (bit >> 3);
        bloom[byte] = (bloom[byte] as number) & ~(1 << (bit & 7));
      }
    };
    for (const log of logs) {
      clear(log.address);
      for (const topic of log.topics) clear(topic);
    }
    return bloom.every((byte) => byte === 0);
  };
}

function bloomBits(item: `0x${string}`): readonly [number, number, number] {
  const hash = keccak256(item, 'bytes');
  const bit = (at: number): number => (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047;
  return [bit(0), bit(2), bit(4)];
}
