import { openBenchSet, pinned } from './solver/bench-set.ts';
import { createBraid } from './solver/candidates.ts';
import { selectRequests } from './solver/measure.ts';
const [name = 'L'] = process.argv.slice(2);
const set = await openBenchSet({ name, seed: 1, outside: 0, clear: false, blocks: false, requests: 300 });
const { requests } = selectRequests(set, 4, 40, null);
const braid = createBraid(set, 1);
for (const r of requests) { braid(r, 4, null); braid(r, 4, 5_000_000_000n); }
const cpu = (f: () => void) => { const b = process.cpuUsage(); f(); const { user, system } = process.cpuUsage(b); return (user + system) / 1000; };
const rows: number[][] = [];
for (let i = 0; i < 12; i++) {
  const r = requests[i]!;
  const warm = cpu(() => braid(r, 4, 5_000_000_000n));
  set.loaded.writer.publish({ ...set.loaded.block, number: set.loaded.block.number + i + 1 } as any);
  const first = cpu(() => braid(r, 4, 5_000_000_000n));
  const again = cpu(() => braid(r, 4, 5_000_000_000n));
  rows.push([warm, first, again]);
}
for (const x of rows) console.log(x.map((v) => v.toFixed(1)).join('  '));
