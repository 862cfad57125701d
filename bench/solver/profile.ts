import { Session } from 'node:inspector/promises';
import type { BenchRequest, BenchSet } from './bench-set.ts';
import { createBraid } from './candidates.ts';
import type { MeasureOptions } from './measure.ts';

export type ProfileLine = { readonly where: string; readonly share: number };

const SHOWN = 25;
const SAMPLE_MICROSECONDS = 200;
const SAMPLE_BYTES = 16 * 1024;

/** Functions by the time spent in themselves while Braid solves the requests, gas-aware and gas-free. */
export async function profileTime(set: BenchSet, requests: readonly BenchRequest[], options: MeasureOptions): Promise<readonly ProfileLine[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  solveAll(set, requests, options);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const counts = new Map<string, number>();
  for (const { callFrame, hitCount } of profile.nodes) add(counts, placeOf(callFrame), hitCount ?? 0);
  return ranked(counts);
}

/** Functions by the bytes that they allocated, whether or not still in use. */
export async function profileAllocations(set: BenchSet, requests: readonly BenchRequest[], options: MeasureOptions): Promise<readonly ProfileLine[]> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.enable');
  const sampling = { samplingInterval: SAMPLE_BYTES, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await session.post('HeapProfiler.startSampling', sampling);
  solveAll(set, requests, options);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  const bytes = new Map<string, number>();
  const nodes = [profile.head];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    add(bytes, placeOf(node.callFrame), node.selfSize);
    nodes.push(...node.children);
  }
  return ranked(bytes);
}

function solveAll(set: BenchSet, requests: readonly BenchRequest[], { maxHops, gasPriceWei }: MeasureOptions): void {
  const braid = createBraid(set, 1);
  for (const request of requests) {
    braid(request, maxHops, null);
    braid(request, maxHops, gasPriceWei);
  }
}

function placeOf({ functionName, url, lineNumber }: { readonly functionName: string; readonly url: string; readonly lineNumber: number }): string {
  const file = url.replace(/^.*\/(src|bench|node_modules)\//, '$1/');
  return `${functionName === '' ? '(anonymous)' : functionName} ${file}${file === '' ? '' : `:${lineNumber + 1}`}`;
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function ranked(sums: ReadonlyMap<string, number>): readonly ProfileLine[] {
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  return [...sums]
    .map(([where, value]) => ({ where, share: value / total }))
    .sort((a, b) => b.share - a.share)
    .slice(0, SHOWN);
}
