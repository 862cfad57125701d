import { openBenchSet } from './solver/bench-set.ts';
import { createBraid } from './solver/candidates.ts';
import { selectRequests } from './solver/measure.ts';
import { createHash } from 'node:crypto';
const [name = 'M', limit = '40', hopsText = '4', clear = '1'] = process.argv.slice(2);
const set = await openBenchSet({ name, seed: 1, outside: 0, clear: clear === '1', blocks: true, requests: 1000 });
const { requests } = selectRequests(set, 4, Number(limit), null);
const hops = Number(hopsText);
const braid = createBraid(set, 1);
for (const r of requests.slice(0, 20)) { braid(r, hops, null); braid(r, hops, 5_000_000_000n); }
const hash = createHash('sha256');
const q = (v: number[], p: number) => v.sort((a, b) => a - b)[Math.min(v.length - 1, Math.floor(p * v.length))] as number;
for (const gas of [null, 5_000_000_000n]) {
  const times: number[] = []; const phases: Record<string, number> = {}; let paths = 0; const worst: [number, string][] = [];
  for (const r of requests) {
    let best = Infinity; let outcome: any;
    for (let i = 0; i < (name === 'M' || name==='cow' ? 3 : 2); i++) {
      const before = process.cpuUsage();
      outcome = braid(r, hops, gas);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1000);
    }
    hash.update(String(outcome.output));
    times.push(best);
    worst.push([best, r.id]);
    for (const [k, v] of Object.entries(outcome.phases ?? {})) phases[k] = (phases[k] ?? 0) + (v as number);
    paths += outcome.plan?.facts.pathsConsidered ?? 0;
  }
  worst.sort((a, b) => b[0] - a[0]);
  console.log(name, hops, gas === null ? 'free' : 'gas', 'cpu ms median', q(times, 0.5).toFixed(2), 'p95', q(times, 0.95).toFixed(2), 'longest', q(times, 1).toFixed(1), 'mean', (times.reduce((a, b) => a + b) / times.length).toFixed(2), JSON.stringify(phases), paths, worst.slice(0, 3).map((x) => x[1] + ':' + x[0].toFixed(0)).join(' '));
}
console.log(hash.digest('hex').slice(0, 12));
