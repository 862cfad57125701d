import { openBenchSet, pinned } from './solver/bench-set.ts';
import { selectRequests } from './solver/measure.ts';
import { createBraid } from './solver/candidates.ts';
import * as PS from '../src/routing/paths/path-search.ts';
const [name = 'XL', limit = '30', hopsText = '4', clear = '0'] = process.argv.slice(2);
const set = await openBenchSet({ name, seed: 1, outside: 0, clear: clear === '1', blocks: true, requests: 1000 });
const { requests } = selectRequests(set, 4, Number(limit), null);
const braid = createBraid(set, 1);
for (const r of requests.slice(0, 20)) braid(r, 4, null);
for (const r of requests) { (globalThis as any).STAT = []; const o = braid(r, Number(hopsText), 5_000_000_000n); console.log(r.id, r.mode, JSON.stringify((globalThis as any).STAT), 'hops', o.plan?.route?.length); }
