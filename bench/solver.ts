// Times the solver over a pool set and a file of requests, in this thread:
//   node --import ./scripts/typescript.mjs bench/solver.ts POOLS REQUESTS [--blocks FILE] [--max-hops N] [--gas-gwei N] [--every N]
import { parseArgs } from 'node:util';
import { applyBlocks, isObject, loadPoolSet, readJsonFile, readPoolSet } from '../src/pool-set/pool-set.ts';
import { createSolver, type SolveJob, type SolveResult } from '../src/routing/routing.ts';
import { SnapshotReader } from '../src/snapshot/snapshot.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../src/venues/venues.ts';

const BUDGET_MS = 5000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { blocks: { type: 'string' }, 'max-hops': { type: 'string' }, 'gas-gwei': { type: 'string' }, every: { type: 'string' } },
});
const [poolsPath, requestsPath] = positionals;
if (poolsPath === undefined || requestsPath === undefined) throw new Error('name a pool set and a file of requests');

const venues = await loadSolverVenues();
const { chain, reader } = await openSnapshot(poolsPath, venues);
const jobs = await readJobs(requestsPath);
const solver = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
// The first round warms the caches and the compiler, as the boot probe of a thread does.
for (const round of ['cold', 'warm'] as const) report(round, jobs.map(time));

function time(job: SolveJob): { millis: number; result: SolveResult } {
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  try {
    const start = performance.now();
    const result = solver.solve({ ...job, deadline: (instantNow() + BUDGET_MS) as InstantMs }, view);
    return { millis: performance.now() - start, result };
  } finally {
    reader.unpin();
  }
}

function report(round: string, runs: readonly { millis: number; result: SolveResult }[]): void {
  const sorted = runs.map((run) => run.millis).sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(2);
  const plans = runs.flatMap(({ result }) => (result.ok ? [result.plan] : []));
  const split = plans.filter((plan) => plan.hops.some((hop) => hop.bps < 10_000)).length;
  console.log(`${round}: ${runs.length} requests, ${plans.length} solved, ${split} split; ms median ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`);
  const phases = ['subgraph', 'path', 'columns', 'gas', 'exact'] as const;
  console.log(`  mean ms by phase: ${phases.map((phase) => `${phase} ${mean(plans.map((plan) => plan.facts.phases[phase])).toFixed(3)}`).join(', ')}`);
}

function mean(sample: readonly number[]): number {
  return sample.length === 0 ? 0 : sample.reduce((sum, value) => sum + value, 0) / sample.length;
}

async function openSnapshot(path: string, solverVenues: SolverVenues) {
  const read = await readPoolSet(path);
  if (!read.ok) throw new Error(read.message);
  const loading = loadPoolSet(read.set, { venues: solverVenues, capacity: { arenaBytes: 2 ** 28 } });
  if (!loading.ok) throw new Error(loading.message);
  const { loaded } = loading;
  if (values.blocks !== undefined) await applyBlocks(loaded, values.blocks);
  const { chainId, minimumGasPriceWei } = loaded.chain;
  return { chain: { chainId, minimumGasPriceWei, wrappedNative: loaded.wrappedNative }, reader: SnapshotReader.claim(loaded.buffers, 0) };
}

async function readJobs(path: string): Promise<SolveJob[]> {
  const file = await readJsonFile(path);
  if (!file.ok) throw new Error(file.message);
  if (!isObject(file.value) || !Array.isArray(file.value.requests)) throw new Error('a list of requests is expected');
  const every = Number(values.every ?? 1);
  return file.value.requests.filter((_row, index) => index % every === 0).map(toJob);
}

function toJob(row: unknown): SolveJob {
  if (!Array.isArray(row)) throw new Error('a row [sellToken, buyToken, amount, mode] is expected');
  const [sellToken, buyToken, amount, mode] = row.map(String);
  return {
    chainId: chain.chainId,
    mode: mode === 'buy' ? 'buy' : 'sell',
    sellToken: asAddress(sellToken ?? ''),
    buyToken: asAddress(buyToken ?? ''),
    amount: asWei(BigInt(amount ?? '')),
    maxHops: values['max-hops'] === undefined ? 3 : Number(values['max-hops']),
    gasPriceWei: values['gas-gwei'] === undefined ? null : BigInt(Math.max(1, Math.round(Number(values['gas-gwei']) * 1e9))),
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: instantNow(),
  };
}
