import type { ChainAnswer, ChainCall, PinnedReader } from '../venues/venues.ts';
import { joinedReader } from './joined-reader.ts';
import { RpcError } from './rpc/rpc-error.ts';

/** Answers what the main thread asks of contracts. null: the node could not be asked. What comes in one turn about one block is one request. */
export function createChainReads(
  readAt: (blockHash: `0x${string}`) => PinnedReader,
): (blockHash: `0x${string}`, calls: readonly ChainCall[]) => Promise<readonly ChainAnswer[] | null> {
  let last: { readonly hash: string; readonly read: PinnedReader } | null = null;
  return async (blockHash, calls) => {
    if (last?.hash !== blockHash) last = { hash: blockHash, read: joinedReader(readAt(blockHash)) };
    try {
      return await last.read(calls);
    } catch (error) {
      if (error instanceof RpcError) return null;
      throw error;
    }
  };
}
