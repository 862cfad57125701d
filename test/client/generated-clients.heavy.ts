import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { useBraid } from '../support/braid.ts';
import { ROOT } from '../support/source-files.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const examples = path.join(ROOT, 'examples/generated-clients');

describe('clients that others’ generators make of the document', function suite() {
  this.timeout(300_000);
  before(function installed() {
    if (existsSync(path.join(examples, 'node_modules'))) return;
    if (process.env.CI === 'true') throw new Error('examples/generated-clients is not installed on CI');
    process.stdout.write('      left out: npm ci --ignore-scripts --prefix examples/generated-clients\n');
    this.skip();
  });
  const braid = useBraid();
  const folder = useTemporaryFolder();

  it('compile, and ask all four routes with typed parameters', async () => {
    const place = folder.current();
    for (const name of readdirSync(examples)) {
      if (name === 'node_modules') symlinkSync(path.join(examples, name), path.join(place, name));
      else if (name !== 'generated') cpSync(path.join(examples, name), path.join(place, name));
    }
    const { internalUrl } = braid.current();
    writeFileSync(path.join(place, 'document.json'), await (await fetch(`${internalUrl}/openapi.json`)).text());
    await run('npm', ['run', 'generate'], { cwd: place });
    const compiled = await run('npm', ['run', '-s', 'types'], { cwd: place }).then(
      () => 'compiles',
      (error: { readonly stdout: string; readonly message: string }) => error.stdout || error.message,
    );
    expect(compiled).to.equal('compiles');
    for (const name of ['hey-api', 'orval']) {
      const outfile = path.join(place, `${name}.mjs`);
      await build({ entryPoints: [path.join(place, `${name}.ts`)], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
      const { stdout } = await run(process.execPath, [outfile, `${internalUrl}/devnet`]);
      const facts = JSON.parse(stdout) as Record<string, unknown>;
      expect(facts.sources, name).to.be.above(5);
      expect(facts.buyAmount, name).to.match(/^[1-9][0-9]+$/);
      expect(facts, name).to.deep.include({ slippagePct: 1, usesExcluded: false, permit2: 'Permit2', refused: 404, health: 'ok', rate: '1000' });
      expect(String(facts.to).toLowerCase(), name).to.equal(braid.current().devnet?.router);
      expect(facts.error, name).to.match(/no route/);
    }
  });
});
