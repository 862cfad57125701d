// `npm start` and `npm run solve`: runs the compiled program, compiling it first when a source is newer than the last build.
// --entry NAME picks dist/src/NAME.js (default main); every other argument goes to the program.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const STAMP = '.built';
const { entry, args } = readArguments(process.argv.slice(2));

/** --entry is ours, and everything else is the program's, which it may not know the options of. */
function readArguments(given) {
  const options = { entry: { type: 'string', default: 'main' } };
  const { values, tokens } = parseArgs({ args: given, options, strict: false, tokens: true });
  const own = new Set(tokens.filter(({ name }) => name === 'entry').flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1])));
  return { entry: values.entry, args: given.filter((_, at) => !own.has(at)) };
}

/** The newest modification time below a path, in ms. 0 for what is no longer there, and for links to nothing, which editors leave beside a file. */
function newest(target) {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(target).map((name) => newest(path.join(target, name))));
}

function isStale() {
  const built = statSync(path.join(dist, STAMP), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return true;
  return ['src', 'workers', 'schemas', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].some((name) => newest(path.join(root, name)) > built);
}

function findCompiler() {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve('typescript-compiler/package.json')), 'bin', 'tsc');
  } catch {
    console.error('The program is not built and the compiler is not installed: run `npm ci` first.');
    process.exit(1);
  }
}

/** Beside, and put in place when it is whole: a program that runs meanwhile still loads its threads from what is there, and another start may be building too. */
function build() {
  const compiler = findCompiler();
  console.error('Building …');
  removeAbandoned();
  const draft = `${dist}.${process.pid}`;
  const begun = new Date();
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', draft], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) {
    const stamp = path.join(draft, STAMP);
    writeFileSync(stamp, '');
    // Whatever is saved while the compiler runs may have been read before.
    utimesSync(stamp, begun, begun);
    if (isStale()) replaceBy(draft);
  }
  rmSync(draft, { recursive: true, force: true });
  if (status !== 0) process.exit(1);
}

function replaceBy(draft) {
  const old = `${draft}.old`;
  try {
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(draft, dist);
  } catch (error) {
    // Another start was quicker, and built the same.
    if (isStale()) throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

/** What builds left that were ended before they were whole. */
function removeAbandoned() {
  for (const name of readdirSync(root)) {
    const [, pid] = /^dist\.([0-9]+)(?:\.old)?$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (isStale()) build();

// In this process and not in a child: signals then reach the program once, and nothing outlives it.
process.setSourceMapsEnabled(true);
const program = path.join(root, 'dist', 'src', `${entry}.js`);
process.argv = [process.execPath, program, ...args];
await import(pathToFileURL(program).href);
