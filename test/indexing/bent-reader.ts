import type { ChainReader } from '../../src/indexing/chain-reader.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { MadeUpChain } from './made-up-chain.ts';

/** What a node may do wrong. */
type Answers = Pick<ChainReader, 'latest' | 'header' | 'headerAt' | 'logs' | 'logsInRange' | 'readAt'>;

/** The chain's reader, with what a test does to some of its answers. */
export function bent(chain: MadeUpChain, bend: (honest: ChainReader) => Partial<Answers>): ChainReader {
  return { ...chain.reader, ...bend(chain.reader) };
}

export const down = (): never => {
  throw new RpcError('unavailable', 'HTTP 503');
};
