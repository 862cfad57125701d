import { parentPort, workerData } from 'node:worker_threads';
import { type IndexerCommand, type IndexerReport, type IndexerThreadData, runIndexer, type SwitchListener } from '../src/indexing/indexing.ts';

// The entry of an indexer thread: one per chain. It stops when told to; an error it can not handle ends the thread, and the main thread starts another.
const port = parentPort;
if (port === null) throw new Error('workers/indexer runs as a worker thread');

const stop = new AbortController();
let switched: SwitchListener | null = null;
/** A switch that was thrown before anybody listened. */
let waiting: Parameters<SwitchListener>[0] | null = null;
port.on('message', (command: IndexerCommand) => {
  if (command.kind === 'stop') stop.abort();
  else if (switched === null) waiting = command.off;
  else switched(command.off);
});
const onSwitch = (listener: SwitchListener): void => {
  switched = listener;
  if (waiting !== null) listener(waiting);
};

try {
  await runIndexer(workerData as IndexerThreadData, (report: IndexerReport) => port.postMessage(report), stop.signal, onSwitch);
} finally {
  port.close();
}
