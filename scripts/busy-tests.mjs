// `npm run test:busy`: `npm test` beside three processes that keep every processor busy. A test that waits for a time rather than for what it is to see fails here.
import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const BUSY = 3;

const root = fileURLToPath(new URL('..', import.meta.url));
const busy = Array.from({ length: Math.max(BUSY, availableParallelism() + 1) }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
const end = () => {
  for (const child of busy) child.kill('SIGKILL');
};
process.once('exit', end);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const startedAt = Date.now();
const { status } = spawnSync('npm', ['test'], { cwd: root, stdio: 'inherit' });
const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
  `npm test beside ${busy.length} busy processes on ${availableParallelism()} processors: exit code ${status}, ${seconds} s, load ${loadavg()[0].toFixed(1)} at its end`,
);
// Those that are busy would keep it for ever.
process.exit(status ?? 1);
