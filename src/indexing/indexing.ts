import type { IndexerReport } from './report.ts';
import type { CommandListener, IndexerThreadData } from './thread-data.ts';

// The front door of the indexing room. Its main-thread side loads nothing of the chain client: that is the indexer thread's.
export type { MeasureOutcome } from './measure-requests.ts';
export type { IndexerReport } from './report.ts';
export type { LeftBecause } from './rpc/endpoint-board.ts';
export { type IndexerHandle, type IndexerOptions, startIndexer } from './start-indexer.ts';
export type { CommandListener, IndexerCommand, IndexerThreadData, OutsideVenue } from './thread-data.ts';

/** For the entry of an indexer thread: follows the chain until `signal` aborts. See indexer-thread. */
export async function runIndexer(
  data: IndexerThreadData,
  report: (report: IndexerReport) => void,
  signal: AbortSignal,
  onCommands?: (listener: CommandListener) => void,
): Promise<void> {
  const thread = await import('./indexer-thread.ts');
  await thread.runIndexer(data, report, signal, onCommands);
}
