import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { allocateSnapshot, overduePins, releaseReaderRows, type SnapshotBuffers, SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { sampleBlock } from './sample-facts.ts';
import { changesIn, countTorn, TORN_POOLS, type TornReaderData, type TornReaderReport, tornPool } from './torn-pools.ts';

const READS = FULL_SCALE ? 10_000_000 : 100_000;
const READER_ROWS = 4;
const WRITER_LIVES = FULL_SCALE ? 50 : 3;
/** So small that blocks are reused all the time. */
const ARENA_BYTES = 512 * 1024;

class Publisher {
  readonly writer: SnapshotWriter;
  published = 0;
  refusals = 0;

  constructor(buffers: SnapshotBuffers) {
    this.writer = new SnapshotWriter(buffers);
    this.publish();
  }

  publish(): void {
    const block = this.published;
    for (let pool = 0; pool < TORN_POOLS; pool++) if (changesIn(pool, block) && !this.writer.setPool(tornPool(pool, block)).ok) this.refusals += 1;
    if (!this.writer.publish(sampleBlock(block)).ok) throw new Error('a publish was skipped with a slot to spare for every reader');
    this.published += 1;
  }

  /** Publishes without pause, but for the turns in which messages arrive, until `done`. */
  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      for (let i = 0; i < 20; i++) this.publish();
      await nextTurn();
    }
  }
}

describe('Torn reads (B7)', function () {
  this.timeout(FULL_SCALE ? 600_000 : 300_000);
  const threads = new Set<Worker>();

  afterEach(async () => {
    await Promise.all([...threads].map((thread) => thread.terminate()));
    threads.clear();
  });

  function start(data: TornReaderData): { readonly thread: Worker; readonly reports: TornReaderReport[] } {
    const thread = new Worker(new URL('./torn-reader.ts', import.meta.url), { workerData: data });
    const reports: TornReaderReport[] = [];
    threads.add(thread);
    thread.on('message', (report: TornReaderReport) => reports.push(report));
    thread.on('error', (error) => {
      throw error;
    });
    return { thread, reports };
  }

  const isDone = (reader: { readonly reports: readonly TornReaderReport[] }): boolean => reader.reports.some(({ kind }) => kind === 'done');

  it(`are none in ${READS} reads by two threads under a writer at full speed, while a thread dies holding a pin and is replaced`, async () => {
    const buffers = allocateSnapshot({ arenaBytes: ARENA_BYTES, pools: TORN_POOLS, tokens: 16, readers: READER_ROWS, slots: READER_ROWS + 2 });
    const publisher = new Publisher(buffers);
    const steady = start({ buffers, reads: READS / 2, pins: true, holds: false });
    const doomed = start({ buffers, reads: 0, pins: true, holds: true });
    await publisher.until(() => doomed.reports.length > 0);
    const doomedId = doomed.thread.threadId;
    const held = publisher.published;
    await publisher.until(() => publisher.published > held + 200);

    const exited = once(doomed.thread, 'exit');
    let gone = false;
    void exited.then(() => {
      gone = true;
    });
    void doomed.thread.terminate();
    await publisher.until(() => gone);
    expect(overduePins(buffers, 0).map(({ threadId }) => threadId)).to.include(doomedId, 'the pin of a dead thread holds until its row is released');
    const heldBytes = publisher.writer.stats().arenaUsedBytes;
    expect(releaseReaderRows(buffers, doomedId)).to.equal(1);

    const successor = start({ buffers, reads: READS / 2, pins: true, holds: false });
    await publisher.until(() => isDone(steady) && isDone(successor));
    for (const reader of [steady, successor]) {
      const report = reader.reports.at(-1);
      if (report?.kind !== 'done') throw new Error('no report');
      expect(report.torn).to.equal(0);
      expect(report.reads).to.be.at.least(READS / 2);
      expect(report.epochs).to.be.at.least(100, 'the writer hardly moved while this thread read');
    }
    publisher.publish();
    expect(publisher.refusals).to.equal(0);
    expect(publisher.writer.stats().reclaimedPins).to.equal(1);
    expect(publisher.writer.stats().arenaUsedBytes).to.be.lessThan(heldBytes);
  });

  it('are none while writer threads are terminated in the middle of their work and others take over', async () => {
    const buffers = allocateSnapshot({ arenaBytes: ARENA_BYTES, pools: TORN_POOLS, tokens: 16, readers: READER_ROWS, slots: READER_ROWS + 2 });
    const reader = SnapshotReader.claim(buffers, 0);
    let last = -1;
    for (let life = 0; life < WRITER_LIVES; life++) {
      const writer = new Worker(new URL('./torn-writer.ts', import.meta.url), { workerData: buffers });
      threads.add(writer);
      const writerId = writer.threadId;
      let failure: unknown;
      writer.on('error', (error) => {
        failure = error;
      });
      const target = last + 500 + life * 37;
      while (last < target) {
        const view = reader.pin();
        if (view !== null) {
          expect(countTorn(view)).to.equal(0);
          expect(view.block.number).to.be.at.least(last);
          last = view.block.number;
        }
        reader.unpin();
        await nextTurn();
        if (failure !== undefined) throw failure;
      }
      const exited = once(writer, 'exit');
      // The last epoch of this writer stays pinned while its successor takes over.
      const held = reader.pin();
      void writer.terminate();
      await exited;
      releaseReaderRows(buffers, writerId);
      const successor = new SnapshotWriter(buffers);
      if (held === null) throw new Error('nothing is published');
      expect(countTorn(held)).to.equal(0, 'a take-over tore the epoch that a reader held');
      expect(successor.stats().pools).to.equal(TORN_POOLS);
      reader.unpin();
    }
  });

  it('would be seen: a thread whose pins the writer does not see reads torn pools', async () => {
    const buffers = allocateSnapshot({ arenaBytes: ARENA_BYTES, pools: TORN_POOLS, tokens: 16, readers: 1, slots: 3 });
    const publisher = new Publisher(buffers);
    const naive = start({ buffers, reads: 100_000_000, pins: false, holds: false });
    const limit = Date.now() + 30_000;
    await publisher.until(() => isDone(naive) || Date.now() > limit);
    const report = naive.reports.at(-1);
    if (report?.kind !== 'done') throw new Error('no torn read in 30 s');
    expect(report.torn).to.be.greaterThan(0);
  });

  it('would be seen, step by step: without its pin an epoch is gone as soon as the ring comes round', () => {
    const buffers = allocateSnapshot({ arenaBytes: ARENA_BYTES, pools: TORN_POOLS, tokens: 16, readers: 1, slots: 3 });
    const publisher = new Publisher(buffers);
    const reader = SnapshotReader.claim(buffers, 1);
    const view = reader.pin();
    if (view === null) throw new Error('nothing is published');
    for (let i = 0; i < 10; i++) publisher.publish();
    expect(countTorn(view)).to.equal(0);
    releaseReaderRows(buffers, 1);
    for (let i = 0; i < 10; i++) publisher.publish();
    expect(countTorn(view)).to.be.greaterThan(TORN_POOLS / 2);
  });
});
