import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { missingParts } from '../src/missing-parts.ts';
import { ROOT } from './support/source-files.ts';
import { useTemporaryFolder } from './support/temporary-folder.ts';

const NEEDED = ['schemas/openapi.json', 'src/http/page/route.html', 'contracts/artifacts'];
const NEEDED_LOCALLY = ['contracts/devnet/tokens', '@foundry-rs/anvil', 'solc'];

/** A program in a folder of its own, as the image has it, that does what main.ts does first. */
const PROGRAM = `const { missingParts } = await import(process.argv[2]);
const missing = missingParts(process.argv[3]);
if (missing !== null) {
  process.stderr.write(missing + '\\n');
  process.exitCode = 1;
}`;

describe('what a start needs beside the program', () => {
  const folder = useTemporaryFolder();
  const without = (mode: 'devnet' | 'config' | 'pool-set', ...gone: readonly string[]) =>
    missingParts(mode, { hasFile: (name) => !gone.includes(name), hasPackage: (name) => !gone.includes(name) });

  it('is there in a clone with its packages', () => {
    for (const mode of ['devnet', 'config', 'pool-set'] as const) expect(missingParts(mode)).to.equal(null);
  });

  it('is named in one line, each and all together, and of the local chain’s only where one is wanted', () => {
    for (const name of NEEDED) {
      for (const mode of ['devnet', 'config', 'pool-set'] as const) expect(without(mode, name)).to.include(`not there: ${name} (`).and.not.include('\n');
    }
    for (const name of NEEDED_LOCALLY) {
      expect(without('devnet', name)).to.include(`not there: ${name} (`).and.include('--config FILE').and.not.include('\n');
      expect(without('config', name)).to.equal(null);
    }
    const all = without('devnet', ...NEEDED, ...NEEDED_LOCALLY);
    for (const name of [...NEEDED, ...NEEDED_LOCALLY]) expect(all).to.include(name);
  });

  it('is looked for where the program lies', async () => {
    const app = folder.current();
    writeFileSync(path.join(app, 'package.json'), '{ "type": "module" }');
    for (const name of ['src', 'scripts', 'build']) mkdirSync(path.join(app, name), { recursive: true });
    for (const name of ['missing-parts.ts', 'project-file.ts']) cpSync(path.join(ROOT, 'src', name), path.join(app, 'src', name));
    writeFileSync(path.join(app, 'program.mjs'), PROGRAM);
    const hooks = pathToFileURL(path.join(ROOT, 'scripts', 'typescript.mjs')).href;
    const start = (mode: string) =>
      promisify(execFile)(process.execPath, ['--import', hooks, 'program.mjs', pathToFileURL(path.join(app, 'src', 'missing-parts.ts')).href, mode], {
        cwd: app,
      }).then(
        () => null,
        (error: { readonly code: number; readonly stderr: string }) => error,
      );
    const bare = await start('devnet');
    expect(bare?.code).to.equal(1);
    expect(bare?.stderr.trimEnd().split('\n')).to.have.length(1);
    for (const name of [...NEEDED, ...NEEDED_LOCALLY]) expect(bare?.stderr).to.include(name);
    for (const name of NEEDED) {
      mkdirSync(path.join(app, path.dirname(name)), { recursive: true });
      symlinkSync(path.join(ROOT, name), path.join(app, name));
    }
    expect(await start('config')).to.equal(null);
  });
});
