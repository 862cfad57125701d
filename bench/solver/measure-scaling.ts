import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SnapshotReader } from '../../src/snapshot/snapshot.ts';
import { openBenchSet } from './bench-set.ts';
import { createBraid } from './candidates.ts';
import { SIZES } from './generate/generate.ts';
import { selectRequests } from './measure.ts';
import { type Spread, spread } from './statistics.ts';

export type ScalingOptions = { readonly requests: number; readonly maxHops: number; readonly rounds: number };

export type Scaling = {
  readonly pools: number;
  readonly requests: number;
  readonly every: number;
  /** Milliseconds a solve. */
  readonly times: Spread;
  /** What a solver thread keeps once it has solved the requests: its reader of the snapshot, and its solver. The snapshot itself is shared. */
  readonly solverBytes: number;
};

/** The thread id of a second reader, in a benchmark that has no threads. */
const SECOND_READER = 1;

/** The same solves in set M, with so many pools in all: what is added lies outside the pairs' neighbourhood. */
export async function measureScaling(pools: number, { requests: limit, maxHops, rounds }: ScalingOptions): Promise<Scaling> {
  const outside = Math.max(0, pools - SIZES.M.pools);
  // Clearing would change nothing that is asked for: it is the same neighbourhood in every set.
  const set = await openBenchSet({ name: 'M', seed: 1, outside, clear: false, blocks: false, requests: 1000 });
  const { requests, every } = selectRequests(set, maxHops, limit, null);
  // As often as is measured, so that the first set is not the one that warms the code.
  const warming = createBraid(set, rounds);
  for (const request of requests) warming(request, maxHops, null);
  const before = bytesInUse();
  const braid = createBraid({ ...set, reader: SnapshotReader.claim(set.loaded.buffers, SECOND_READER) }, rounds);
  for (const request of requests) braid(request, maxHops, null);
  const solverBytes = bytesInUse() - before;
  const times = spread(requests.map((request) => braid(request, maxHops, null).millis));
  if (times === null) throw new RangeError('no requests');
  return { pools, requests: requests.length, every, times, solverBytes };
}

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new TypeError('no garbage collector to call');
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
