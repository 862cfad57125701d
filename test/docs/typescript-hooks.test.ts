import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = `import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { value } from './value.ts';
if (isMainThread) new Worker(new URL(import.meta.url)).once('message', (found: string) => console.log(value, found));
else parentPort?.postMessage(value satisfies string);
`;

describe('the hook by which tests run TypeScript', function suite() {
  this.timeout(600_000);
  let folder = '';
  const kept = () => path.join(folder, 'build', 'typescript');

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-hooks-'));
    mkdirSync(path.join(folder, 'scripts'));
    for (const name of ['typescript.mjs', 'typescript-hooks.mjs']) cpSync(path.join(ROOT, 'scripts', name), path.join(folder, 'scripts', name));
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(folder, 'entry.ts'), ENTRY);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function outputWith(value: string): Promise<string> {
    writeFileSync(path.join(folder, 'value.ts'), `export const value: string = '${value}';\n`);
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', './scripts/typescript.mjs', 'entry.ts'], { cwd: folder });
    return stdout.trim();
  }

  it('runs what a file says now, in the main thread and in a worker, and keeps one file for each', async () => {
    expect(await outputWith('first')).to.equal('first first');
    const files = readdirSync(kept()).sort();
    expect(files).to.have.length(2);
    expect(await outputWith('second')).to.equal('second second');
    expect(readdirSync(kept()).sort()).to.deep.equal(files);
  });

  it('makes anew what is no longer whole, and does without where nothing can be kept', async () => {
    await outputWith('first');
    for (const name of readdirSync(kept())) writeFileSync(path.join(kept(), name), "export const value = 'foreign';");
    expect(await outputWith('first')).to.equal('first first');
    rmSync(kept(), { recursive: true });
    writeFileSync(kept(), '');
    expect(await outputWith('third')).to.equal('third third');
  });
});
