import { openBenchSet } from './solver/bench-set.ts';
import { createBraid } from './solver/candidates.ts';
import { selectRequests } from './solver/measure.ts';
import { Session } from 'node:inspector/promises';
const [name = 'XL'] = process.argv.slice(2);
const set = await openBenchSet({ name, seed: 1, outside: 0, clear: false, blocks: false, requests: 300 });
const { requests } = selectRequests(set, 4, 40, null);
const braid = createBraid(set, 1);
for (const r of requests) { braid(r, 4, null); }
const session = new Session(); session.connect();
await session.post('Profiler.enable'); await session.post('Profiler.setSamplingInterval', { interval: 200 }); await session.post('Profiler.start');
for (let i = 0; i < 8; i++) { set.loaded.writer.publish({ ...set.loaded.block, number: set.loaded.block.number + i + 1 } as any); braid(requests[7]!, 4, null); }
const { profile } = await session.post('Profiler.stop');
const byId = new Map(profile.nodes.map((n) => [n.id, n]));
const self = new Map<string, number>(); const total = new Map<string, number>();
const place = (f: any) => `${f.functionName || '(anon)'} ${f.url.replace(/^.*\/(src|bench|node_modules)\//, '$1/')}:${f.lineNumber + 1}`;
let all = 0;
const walk = (id: number, stack: Set<string>) => { const n = byId.get(id) as any; const p = place(n.callFrame); const hits = n.hitCount ?? 0; all += hits; self.set(p, (self.get(p) ?? 0) + hits); const added = !stack.has(p); if (added) stack.add(p); for (const s of stack) total.set(s, (total.get(s) ?? 0) + hits); for (const c of n.children ?? []) walk(c, stack); if (added) stack.delete(p); };
walk(profile.nodes[0]!.id, new Set());
const show = (m: Map<string, number>, n: number) => [...m].sort((a, b) => b[1] - a[1]).slice(0, n).forEach(([k, v]) => console.log((100 * v / all).toFixed(1).padStart(5), k));
console.log('SELF'); show(self, 16); console.log('TOTAL'); show(total, 25);
