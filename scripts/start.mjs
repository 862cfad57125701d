// `npm start` and `npm run solve`: runs the compiled program, compiling it first when a source is newer than the last build.
// --entry NAME picks dist/src/NAME.js (default main); every other argument goes to the program.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(root, 'dist', '.built');
const args = process.argv.slice(2);
const entryFlag = args.indexOf('--entry');
const entry = entryFlag < 0 ? 'main' : args.splice(entryFlag, 2)[1];

/** The newest modification time below a path, in ms. */
function newest(target) {
  const stats = statSync(target);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(target).map((name) => newest(path.join(target, name))));
}

function isStale() {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return ['src', 'workers', 'schemas', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].some((name) => newest(path.join(root, name)) > built);
}

function build() {
  let compiler;
  try {
    compiler = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    console.error('The program is not built and the compiler is not installed: run `npm ci` first.');
    process.exit(1);
  }
  console.error('Building …');
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, '');
}

if (isStale()) build();

// In this process and not in a child: signals then reach the program once, and nothing outlives it.
process.setSourceMapsEnabled(true);
const program = path.join(root, 'dist', 'src', `${entry}.js`);
process.argv = [process.execPath, program, ...args];
await import(pathToFileURL(program).href);
