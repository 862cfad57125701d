// `npm run contracts:test`: the contracts under forge, with the whole figures of fuzzing. The last line counts as mocha's do.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { integerOption } from '../integer-option.ts';

const { values } = parseArgs({
  options: {
    fuzz: { type: 'string', default: '100000' },
    invariants: { type: 'string', default: '1000' },
    seed: { type: 'string', default: process.env.BRAID_SEED ?? '1' },
    match: { type: 'string', default: '' },
    // Ends at the first test that fails.
    bail: { type: 'boolean', default: false },
    // The artifacts in git alone: what is compiled out of the contracts' sources for a test of its own is left out.
    artifacts: { type: 'boolean', default: false },
    // Without what is drawn at random or tried at every byte.
    examples: { type: 'boolean', default: false },
  },
});
const [fuzz, invariants] = [integerOption('--fuzz', values.fuzz, 1), integerOption('--invariants', values.invariants, 1)];
const seed = integerOption('--seed', values.seed);

console.log(`${fuzz} runs of each fuzz test, ${invariants} sequences of 50 calls; repeat with BRAID_SEED=${seed}`);
const root = fileURLToPath(new URL('../..', import.meta.url));
const forge = fileURLToPath(new URL('../../node_modules/@foundry-rs/forge/bin.mjs', import.meta.url));
const OF_SOURCES = 'test/forge/{Assembly,Bounds,Holder,Offers,PermitCalls,Shares}.t.sol';
const DRAWN = '^testFuzz|^invariant|every_byte';
const narrowed = [
  ...(values.match === '' ? [] : ['--match-test', values.match]),
  ...(values.examples ? ['--no-match-test', DRAWN] : []),
  ...(values.bail ? ['--fail-fast'] : []),
  ...(values.artifacts ? ['--skip', 'test/forge/harness/*', '--no-match-path', OF_SOURCES] : []),
];
const args = ['test', '--root', root, '--fuzz-seed', `0x${seed.toString(16)}`, ...narrowed];
const child = spawn(process.execPath, [forge, ...args], {
  cwd: root,
  env: { ...process.env, FOUNDRY_FUZZ_RUNS: String(fuzz), FOUNDRY_INVARIANT_RUNS: String(invariants) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
// Without it a signal would leave forge running: the package's program hands it on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
console.log(stdout);
const [, passed = '0', failed = '0'] = /(\d+) tests passed, (\d+) failed/.exec(stdout) ?? [];
console.log(`  ${passed} passing\n${failed === '0' ? '' : `  ${failed} failing\n`}`);
// The package's program ends with 0 also where tests fail.
process.exitCode = status === 0 && Number(passed) > 0 && failed === '0' ? 0 : 1;
