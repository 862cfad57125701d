import { expect } from 'chai';
import sinon from 'sinon';
import { startIndexer } from '../../src/indexing/indexing.ts';
import type { IndexerReport } from '../../src/indexing/report.ts';
import type { IndexerThreadData } from '../../src/indexing/thread-data.ts';

/** A thread that says one thing in each of its lives, and dies after the first: its successor is told by the memory that they share. */
const TWO_LIVES = `
import { parentPort, workerData } from 'node:worker_threads';
const life = Atomics.add(new Int32Array(workerData.buffers), 0, 1);
if (life === 0) parentPort.postMessage({ kind: 'orphaned', chainId: 1, orphaned: true });
else {
  parentPort.postMessage({ kind: 'published', chainId: 1 });
  parentPort.on('message', ({ kind }) => kind === 'stop' && parentPort.close());
}`;

describe('the thread that takes the place of a dead one', () => {
  it('ends with its first block what the dead one said of an orphaned chain', async () => {
    const data = { chainId: 1, buffers: new SharedArrayBuffer(4) } as unknown as IndexerThreadData;
    const entry = new URL(`data:text/javascript,${encodeURIComponent(TWO_LIVES)}`);
    const told = sinon.fake<[IndexerReport], void>();
    await new Promise<void>((resolve) => {
      const handle = startIndexer(data, {
        entry,
        onReport(report) {
          told(report);
          // What follows from a message is told with it.
          if (report.kind === 'published') setImmediate(() => resolve(handle.stop()));
        },
      });
    });
    const said = told.args.map(([report]) => report).filter(({ kind }) => kind === 'orphaned' || kind === 'published');
    expect(told.args.filter(([{ kind }]) => kind === 'restarted').length, 'once for the first death, and none for an end that was asked for').to.equal(1);
    expect(said.map((report) => (report.kind === 'orphaned' ? report.orphaned : report.kind))).to.deep.equal([true, 'published', false]);
  });
});
