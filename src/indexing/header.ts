import type { BlockRef } from '../snapshot/snapshot.ts';
import type { EpochSeconds } from '../units/units.ts';
import { decodeBigQuantity, decodeHex, decodeObject, decodeQuantity } from './rpc/decode.ts';

/** A block header, reduced to what following the chain needs. */
export type ChainHeader = BlockRef & { readonly parentHash: `0x${string}`; readonly logsBloom: `0x${string}` };

/** Reads a header as a node gives it. Throws garbage on anything that can not be the header of a mined block. */
export function decodeHeader(value: unknown): ChainHeader {
  const block = decodeObject(value);
  return {
    number: decodeQuantity(block.number),
    hash: decodeHex(block.hash, 32),
    parentHash: decodeHex(block.parentHash, 32),
    timestamp: decodeQuantity(block.timestamp) as EpochSeconds,
    baseFeePerGas: block.baseFeePerGas === undefined || block.baseFeePerGas === null ? null : decodeBigQuantity(block.baseFeePerGas),
    logsBloom: decodeHex(block.logsBloom, 256),
  };
}

/** The part of a header that an epoch carries. */
export function blockRef(header: ChainHeader): BlockRef {
  return { number: header.number, hash: header.hash, timestamp: header.timestamp, baseFeePerGas: header.baseFeePerGas };
}
