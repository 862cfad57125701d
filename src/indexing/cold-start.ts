import { LIMITS } from '../config/limits.ts';
import type { ChainLog, IndexerVenues, VenueDeployment } from '../venues/venues.ts';
import type { ChainReader } from './chain-reader.ts';
import type { ChainHeader } from './header.ts';
import { PoolBook } from './pool-book.ts';
import type { BlockInterpreter } from './read-block.ts';
import { RpcError } from './rpc/rpc-error.ts';
import { type Settled, settleBook } from './settle.ts';

/** What a cold start needs to know of the chain. */
export type ColdStart = {
  readonly reader: ChainReader;
  readonly interpreter: BlockInterpreter;
  readonly venues: IndexerVenues;
  readonly deployments: readonly VenueDeployment[];
  /** How far below the head the states are read. */
  readonly startDepthBlocks: number;
};

/**
 * A book built from the chain alone, a few blocks below the head: pools from the factories' logs and registries, then every state at that one block. From there the logs lead
 * to the head block by block, and a reorg of those blocks can be undone. Throws RpcError.
 */
export async function buildBook(start: ColdStart, head: ChainHeader): Promise<{ readonly book: PoolBook; readonly settled: Settled }> {
  const base = await blockBelow(start, head);
  const book = new PoolBook(base, LIMITS.indexing.journalBlocks);
  const announced = await discover(start, base);
  // Logs of a range are asked by number: they hold for this base only if it is still there.
  const again = await start.reader.headerAt(base.number);
  if (again?.hash !== base.hash) throw new RpcError('block-gone', `block ${base.number} changed during discovery`);
  const found = announced.map((log) => start.interpreter.discover(log)).filter((one) => one !== null);
  const pools = found.flatMap((one) => (one.kind === 'pool' ? [one.tracked] : []));
  const toDescribe = found.flatMap((one) => (one.kind === 'announcement' ? [one.announced] : []));
  book.describe([], pools, [...start.interpreter.listed(), ...toDescribe]);
  return { book, settled: await settleBook(book, start.venues, start.reader.readAt(base.hash)) };
}

async function blockBelow({ reader, startDepthBlocks }: ColdStart, head: ChainHeader): Promise<ChainHeader> {
  const number = Math.max(0, head.number - startDepthBlocks);
  if (number === head.number) return head;
  const header = await reader.headerAt(number);
  if (header === null) throw new RpcError('block-gone', `block ${number} is not known`);
  return header;
}

/** Logs by which the factories announced pools, up to a block. The range halves when the node refuses it and doubles when it answers. */
async function discover({ reader, interpreter, deployments }: ColdStart, base: ChainHeader): Promise<readonly ChainLog[]> {
  const bounds = LIMITS.indexing.logRangeBlocks;
  const factories = deployments.map(({ factory }) => factory);
  if (factories.length === 0) return [];
  const logs: ChainLog[] = [];
  let from = Math.min(...deployments.map(({ fromBlock }) => fromBlock));
  let width: number = bounds.first;
  while (from <= base.number) {
    const to = Math.min(base.number, from + width - 1);
    try {
      logs.push(...(await reader.logsInRange(from, to, factories, interpreter.discoveryTopics)));
      from = to + 1;
      width = Math.min(bounds.widest, width * 2);
    } catch (error) {
      if (!(error instanceof RpcError) || error.reason !== 'range-too-large' || width === 1) throw error;
      width = Math.max(1, width >> 1);
    }
  }
  return logs;
}
