import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type IndexerReport, type IndexerThreadData, runIndexer } from '../../../src/indexing/indexing.ts';
import { headEpoch } from '../../../src/snapshot/snapshot.ts';

// An indexer thread that throws, once per buffers, when it has published for the first time: a successor finds an epoch there and lives.
if (isMainThread || parentPort === null) throw new Error('runs as a worker thread');
const port = parentPort;
const data = workerData as IndexerThreadData;
const stop = new AbortController();
port.on('message', () => {
  stop.abort();
  port.close();
});
const first = headEpoch(data.buffers) === 0;
await runIndexer(
  data,
  (report: IndexerReport) => {
    port.postMessage(report);
    if (first && report.kind === 'published') {
      setImmediate(() => {
        throw new Error('killed by the test');
      });
    }
  },
  stop.signal,
);
