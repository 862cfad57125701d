// Time of the same solves while pools are added outside the pairs' neighbourhood:
//   node --import ./scripts/typescript.mjs bench/solver/scaling.ts [--requests 40] [--max-hops 4] [--rounds 5] [--totals 1000,10000,100000]
import { parseArgs } from 'node:util';
import { openBenchSet } from './bench-set.ts';
import { createBraid } from './candidates.ts';
import { SIZES } from './generate/generate.ts';
import { selectRequests } from './measure.ts';
import { short, spread } from './statistics.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '40' },
    'max-hops': { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    totals: { type: 'string', default: '1000,10000,100000' },
  },
});
const maxHops = Number(values['max-hops']);
let first: { readonly median: number; readonly p95: number } | null = null;
console.log('pools     ms median / p95 / max     against the smallest, median / p95     heap MB');
for (const total of values.totals.split(',').map(Number)) {
  const outside = Math.max(0, total - SIZES.M.pools);
  // Clearing would change nothing that is asked for: it is the same neighbourhood in every set.
  const set = await openBenchSet({ name: 'M', seed: 1, outside, clear: false, blocks: false, requests: 1000 });
  const { requests } = selectRequests(set, maxHops, Number(values.requests), null);
  const braid = createBraid(set, Number(values.rounds));
  for (const request of requests) braid(request, maxHops, null);
  const times = spread(requests.map((request) => braid(request, maxHops, null).millis));
  if (times === null) throw new RangeError('no requests');
  first ??= times;
  const ratio = `${short(times.median / first.median)} / ${short(times.p95 / first.p95)}`;
  const heap = short(process.memoryUsage().heapUsed / 2 ** 20);
  console.log(`${String(total).padEnd(9)} ${`${short(times.median)} / ${short(times.p95)} / ${short(times.max)}`.padEnd(25)} ${ratio.padEnd(38)} ${heap}`);
}
