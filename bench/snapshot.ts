// Publishing and reading a snapshot: node --import ./scripts/typescript.mjs bench/snapshot.ts [--json]

import { allocateSnapshot, type BlockRef, EDGE_STRIDE, type PoolFacts, SnapshotReader, type SnapshotView, SnapshotWriter } from '../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../src/units/units.ts';
import { openReport } from './history/history.ts';
import { millisOf, type Spread, spread } from './snapshot/figures.ts';
import { benchPool, benchUpdate } from './snapshot/sample-pools.ts';

const CHANGED = 300;
const ROUNDS = 400;
const WARM_UP = 100;
const DECODED = 5_000;
const COPY_FROM = new Float64Array(2 ** 18).fill(1);
const COPY_TO = new Float64Array(new SharedArrayBuffer(COPY_FROM.byteLength * 16));

type Figures = {
  readonly pools: number;
  readonly changed: number;
  readonly changedBytes: number;
  /** Milliseconds: staging the changed pools and publishing them; the publish alone; a plain copy of the same bytes. */
  readonly setAndPublishMs: Spread;
  readonly publishMs: Spread;
  readonly memcpyMs: Spread;
  /** A publish that also adds one pool on the hub token. */
  readonly newHubPoolMs: Spread;
  readonly hubEdges: number;
  readonly pinUnpinNanos: number;
  /** Warm: nothing changed since the record was decoded. */
  readonly poolNanos: number;
  readonly edgeNanos: number;
  /** Decoding a changed record: object, words and both curves. */
  readonly decodeNanos: number;
  readonly arenaUsedMegabytes: number;
};

const report = openReport('snapshot');
const figures = [measure(10_000, 1_500), measure(100_000, 15_000)];
report(figures, () => {
  for (const figure of figures) print(figure);
});

function measure(pools: number, tokens: number): Figures {
  const buffers = allocateSnapshot({ arenaBytes: 2 ** 30, pools: 131_072, tokens: 65_536, readers: 4, slots: 64 });
  const writer = new SnapshotWriter(buffers);
  const set = Array.from({ length: pools }, (_, index) => benchPool(index, tokens, 0));
  for (const pool of set) put(writer, pool);
  writer.publish(block(0));
  const reader = SnapshotReader.claim(buffers, 0);

  const samples = { all: [] as number[], publish: [] as number[], memcpy: [] as number[] };
  let changedBytes = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    // Made beforehand: building states and curves is the venues' work.
    const facts = Array.from({ length: CHANGED }, (_, i) => benchUpdate(set[(round * 7919 + i * 331) % pools] as PoolFacts, round));
    const started = performance.now();
    for (const pool of facts) writer.setPool(pool);
    const published = writer.publish(block(round));
    const all = performance.now() - started;
    if (!published.ok) throw new Error(published.reason);
    changedBytes = facts.reduce(
      (sum, pool) =>
        sum + pool.words.byteLength + pool.curves.reduce((bytes, { curve }) => bytes + (curve.kind === 'segments' ? curve.columns.byteLength : 0), 0),
      0,
    );
    if (round <= WARM_UP) continue;
    samples.all.push(all);
    samples.publish.push(published.millis);
    samples.memcpy.push(copyMillis(changedBytes, round));
  }
  const newHubPool: number[] = [];
  for (let i = 0; i < 50; i++) {
    // Every third pool is one of the hub.
    const facts = benchPool(pools + i * 6 - ((pools + i * 6) % 3), tokens, 0);
    newHubPool.push(
      millisOf(() => {
        writer.setPool({ ...facts, key: `${facts.key}${i}` });
        writer.publish(block(ROUNDS + i));
      }),
    );
  }
  return {
    pools,
    changed: CHANGED,
    changedBytes,
    setAndPublishMs: spread(samples.all),
    publishMs: spread(samples.publish),
    memcpyMs: spread(samples.memcpy),
    newHubPoolMs: spread(newHubPool),
    ...reading(writer, reader, set),
    arenaUsedMegabytes: writer.stats().arenaUsedBytes / 2 ** 20,
  };
}

function reading(writer: SnapshotWriter, reader: SnapshotReader, set: readonly PoolFacts[]) {
  const pins = 200_000;
  const pinMs = millisOf(() => {
    for (let i = 0; i < pins; i++) {
      reader.pin();
      reader.unpin();
    }
  });
  const view = pinned(reader);
  const near = Math.min(set.length, 10_000);
  const rounds = 100;
  readPools(view, near);
  const poolMs = millisOf(() => {
    for (let round = 0; round < rounds; round++) readPools(view, near);
  });
  const edges = view.edgesFrom(0);
  const edgeMs = millisOf(() => {
    for (let round = 0; round < rounds; round++) readEdges(edges);
  });
  reader.unpin();
  // The last of several: the others warm the code, as the probe of a solver thread does.
  const decodeMs = [1, 2, 3, 4].map((version) => decodeMillis(writer, reader, set, ROUNDS + version)).at(-1) ?? 0;
  return {
    hubEdges: edges.length / EDGE_STRIDE,
    pinUnpinNanos: (pinMs * 1e6) / pins,
    poolNanos: (poolMs * 1e6) / (rounds * near),
    edgeNanos: (edgeMs * 1e6) / ((rounds * edges.length) / EDGE_STRIDE),
    decodeNanos: (decodeMs * 1e6) / DECODED,
  };
}

function readPools(view: SnapshotView, count: number): void {
  let sum = 0;
  for (let id = 0; id < count; id++) sum += view.pool(id)?.id ?? 0;
  if (!(sum > 0)) throw new Error('no pool was read');
}

function readEdges(edges: Uint32Array): void {
  let sum = 0;
  for (let at = 0; at < edges.length; at += EDGE_STRIDE) sum += edges[at] as number;
  if (!(sum > 0)) throw new Error('no edge was read');
}

function decodeMillis(writer: SnapshotWriter, reader: SnapshotReader, set: readonly PoolFacts[], version: number): number {
  const seen = pinned(reader);
  for (let id = 0; id < DECODED; id++) seen.pool(id);
  reader.unpin();
  for (const pool of set.slice(0, DECODED)) put(writer, benchUpdate(pool, version));
  writer.publish(block(ROUNDS + 100 + version));
  const view = pinned(reader);
  const millis = millisOf(() => {
    for (let id = 0; id < DECODED; id++) {
      const pool = view.pool(id);
      if (pool?.words.length === 0 || pool?.curve(0, 1) === undefined) throw new Error(`pool ${id} is empty`);
    }
  });
  reader.unpin();
  return millis;
}

function pinned(reader: SnapshotReader): SnapshotView {
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  return view;
}

function put(writer: SnapshotWriter, pool: PoolFacts): void {
  const result = writer.setPool(pool);
  if (!result.ok) throw new Error(result.reason);
}

/** A plain copy of as many bytes into shared memory, to a place that changes so that the caches do not flatter it. */
function copyMillis(bytes: number, round: number): number {
  return millisOf(() => COPY_TO.set(COPY_FROM.subarray(0, bytes / 8), (round % 16) * COPY_FROM.length));
}

function block(number: number): BlockRef {
  return { number, hash: `0x${number.toString(16).padStart(64, '0')}`, timestamp: number as EpochSeconds, baseFeePerGas: 10n ** 9n };
}

function print(figure: Figures): void {
  const ms = ({ median, p95 }: Spread): string => `median ${median.toFixed(3)} ms, p95 ${p95.toFixed(3)} ms`;
  process.stdout.write(
    [
      `${figure.changed} changed of ${figure.pools} pools (${(figure.changedBytes / 1024).toFixed(0)} KiB of state and curves), arena ${figure.arenaUsedMegabytes.toFixed(0)} MiB used`,
      `  set and publish     ${ms(figure.setAndPublishMs)}`,
      `  publish alone       ${ms(figure.publishMs)}`,
      `  copy of these bytes ${ms(figure.memcpyMs)}`,
      `  one new pool on a hub of ${figure.hubEdges} edges: ${ms(figure.newHubPoolMs)}`,
      `  pin and unpin ${figure.pinUnpinNanos.toFixed(0)} ns, pool() ${figure.poolNanos.toFixed(1)} ns, one edge ${figure.edgeNanos.toFixed(1)} ns, decode ${figure.decodeNanos.toFixed(0)} ns`,
      '',
    ].join('\n'),
  );
}
