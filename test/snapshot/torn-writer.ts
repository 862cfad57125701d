import { threadId, workerData } from 'node:worker_threads';
import { type SnapshotBuffers, SnapshotReader, SnapshotWriter } from '../../src/snapshot/snapshot.ts';
import { sampleBlock } from './sample-facts.ts';
import { changesIn, TORN_POOLS, tornPool } from './torn-pools.ts';

// A writer thread: takes over at the head and publishes block after block without pause, until it is terminated in the middle of whatever it does.

const buffers = workerData as SnapshotBuffers;
const writer = new SnapshotWriter(buffers);
const reader = SnapshotReader.claim(buffers, threadId);
const head = reader.pin()?.block.number ?? -1;
reader.unpin();
for (let block = head + 1; ; block++) {
  for (let pool = 0; pool < TORN_POOLS; pool++) {
    if (changesIn(pool, block) && !writer.setPool(tornPool(pool, block)).ok) throw new Error(`no room for pool ${pool} in block ${block}`);
  }
  if (!writer.publish(sampleBlock(block)).ok) throw new Error(`block ${block} was skipped`);
}
