import { parentPort, threadId, workerData } from 'node:worker_threads';
import { CONTROL, ROW, ROW_WORDS } from '../../src/snapshot/layout.ts';
import { SnapshotReader, type SnapshotView } from '../../src/snapshot/snapshot.ts';
import { countTorn, type TornReaderData, type TornReaderReport } from './torn-pools.ts';

// A reader thread: pins, reads every pool of the epoch, unpins, until it has read enough.

const EPOCHS = 100;
const data = workerData as TornReaderData;
const reader = SnapshotReader.claim(data.buffers, threadId);
const control = new Int32Array(data.buffers.control);
let reads = 0;
let torn = 0;
const epochs = new Set<number>();

if (data.holds) {
  const view = pinned();
  tell({ kind: 'holding' });
  // Never unpins: this thread is terminated in here.
  for (;;) if (countTorn(view) > 0) throw new Error('a held epoch changed');
}
// On a busy machine the writer may hardly move meanwhile: go on until it has.
while ((reads < data.reads || epochs.size < EPOCHS) && !(torn > 0 && !data.pins)) {
  const view = pinned();
  if (!data.pins) hidePin();
  torn += countTorn(view);
  reads += view.poolCount;
  if (epochs.size < EPOCHS) epochs.add(view.epoch);
  reader.unpin();
}
tell({ kind: 'done', reads, torn, epochs: epochs.size });

function pinned(): SnapshotView {
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  return view;
}

/** Takes the pin out of the row behind the reader's back: the writer sees none, the view still reads. */
function hidePin(): void {
  for (let row = CONTROL.rows; row < control.length; row += ROW_WORDS) {
    if (control[row + ROW.owner] === threadId + 1) Atomics.store(control, row + ROW.pinned, 0);
  }
}

function tell(report: TornReaderReport): void {
  parentPort?.postMessage(report);
}
