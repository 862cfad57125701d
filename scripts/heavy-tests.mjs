// `npm run test:heavy`: the suites that take minutes, three files at a time (decision 148); then, one after the other, those of which a neighbour would change what they measure, or that take all processors themselves.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const mocha = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));

const ALONE = [
  // All processors.
  'test/indexing/simulation.heavy.ts',
  // What is measured is time, or what is promised holds on a machine that is not full.
  'test/indexing/publish-cost.heavy.ts',
  'test/indexing/catch-up.heavy.ts',
  'test/e2e/stop-under-load.heavy.ts',
  'test/e2e/short-blocks.heavy.ts',
  'test/e2e/held-block.heavy.ts',
  'test/e2e/event-loop-stall.heavy.ts',
  'test/e2e/market-makers.heavy.ts',
  // No alert may fire, and some tell of a machine that is full. What kills a thread is told by how: one that has no processor has overrun before it is out of memory.
  'test/operations/prometheus.heavy.ts',
  'test/operations/alerts.heavy.ts',
  // Ports that nobody else may take meanwhile.
  'test/e2e/start.heavy.ts',
];

function run(...args) {
  return spawnSync(process.execPath, [mocha, '--timeout', '900000', ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const beside = run('--parallel', '--jobs', '3', ...ALONE.flatMap((file) => ['--ignore', file]), 'test/**/*.heavy.ts');
const alone = run(...ALONE);
process.exitCode = Math.max(beside, alone);
