import { parentPort, workerData } from 'node:worker_threads';
import { type IndexerCommand, type IndexerReport, type IndexerThreadData, runIndexer } from '../src/indexing/indexing.ts';

// The entry of an indexer thread: one per chain. It stops when told to; an error it can not handle ends the thread, and the main thread starts another.
const port = parentPort;
if (port === null) throw new Error('workers/indexer runs as a worker thread');

const stop = new AbortController();
port.on('message', (command: IndexerCommand) => {
  if (command.kind === 'stop') stop.abort();
});

try {
  await runIndexer(workerData as IndexerThreadData, (report: IndexerReport) => port.postMessage(report), stop.signal);
} finally {
  port.close();
}
