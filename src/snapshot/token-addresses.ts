import { type Address, asAddress } from '../units/units.ts';
import { ADDRESS_BYTES } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';

// The addresses of tokens by id. An id is assigned once, so the table belongs to no epoch: an epoch's token count tells how much of it is valid there.

export function writeTokenAddress(memory: SnapshotMemory, tokenId: number, address: Address): void {
  addressBytes(memory, tokenId).write(address.slice(2), 'hex');
}

export function readTokenAddress(memory: SnapshotMemory, tokenId: number): Address {
  return asAddress(`0x${addressBytes(memory, tokenId).toString('hex')}`);
}

function addressBytes(memory: SnapshotMemory, tokenId: number): Buffer {
  if (!(tokenId >= 0 && tokenId < memory.layout.tokens)) throw new RangeError(`token id ${tokenId}`);
  return Buffer.from(memory.directories, memory.layout.addressesByte + tokenId * ADDRESS_BYTES, ADDRESS_BYTES);
}
