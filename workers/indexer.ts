import { parentPort, workerData } from 'node:worker_threads';
import { type CommandListener, type IndexerCommand, type IndexerReport, type IndexerThreadData, runIndexer } from '../src/indexing/indexing.ts';

// The entry of an indexer thread: one per chain. It stops when told to; an error it can not handle ends the thread, and the main thread starts another.
const port = parentPort;
if (port === null) throw new Error('workers/indexer runs as a worker thread');

const stop = new AbortController();
let hears: CommandListener | null = null;
/** What was said before anybody listened. */
const waiting: Parameters<CommandListener>[0][] = [];
port.on('message', (command: IndexerCommand) => {
  if (command.kind === 'stop') stop.abort();
  else if (hears === null) waiting.push(command);
  else hears(command);
});
const onCommands = (listener: CommandListener): void => {
  hears = listener;
  for (const command of waiting.splice(0)) listener(command);
};

try {
  await runIndexer(workerData as IndexerThreadData, (report: IndexerReport) => port.postMessage(report), stop.signal, onCommands);
} finally {
  port.close();
}
