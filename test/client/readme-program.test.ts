import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { ROOT } from '../support/source-files.ts';

const run = promisify(execFile);

describe('the README’s programs', function suite() {
  this.timeout(300_000);
  const braid = useBraid();
  const folder = path.join(ROOT, 'build', `readme-${process.pid}`);
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('takes a quote, executes a native swap, a swap by the allowance holder and one by Permit2 on the devnet', async () => {
    const { publicUrl, internalUrl } = braid.current();
    const program = readFileSync(path.join(ROOT, 'README.md'), 'utf8').match(/```ts\n(import \{ createBraidClient[\s\S]*?)```/)?.[1] ?? '';
    // The source stands in for the package, which test/client/package.heavy.ts packs, installs and runs.
    const client = pathToFileURL(path.join(ROOT, 'src/client/client.ts')).href;
    const here = program.replace("'@braid/client'", `'${client}'`).replace('http://127.0.0.1:8080', publicUrl).replace('http://127.0.0.1:9090', internalUrl);
    expect(here).to.include(client).and.include(publicUrl).and.include(internalUrl);
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'swap.mjs');
    writeFileSync(file, here);
    const { stdout } = await run(process.execPath, ['--import', './scripts/typescript.mjs', file], { cwd: ROOT });
    expect(stdout).to.match(/^quote 10{18} -> ([0-9]+)\nsuccess 10{18} -> \1\nsuccess 10{9} -> [0-9]+\nsuccess 10{21} -> [0-9]+\n$/);
  });

  it('branches on an answer as the types allow, and what would lose digits does not compile', async () => {
    const branches = readFileSync(path.join(ROOT, 'README.md'), 'utf8').match(/```ts\n(const answer = [\s\S]*?)```/)?.[1] ?? '';
    const program = `
      import { createBraidClient, type QuoteParameters } from '../../src/client/client.ts';
      const braid = createBraidClient({ baseUrl: 'http://127.0.0.1' });
      declare const sellToken: \`0x\${string}\`, buyToken: \`0x\${string}\`;
      ${branches}
      if (answer.ok) ({ price: answer.body.gasPriceWei }) satisfies { price: bigint | null };
      else if (answer.status === 429) answer.retryAfterSeconds satisfies number;
      else if (answer.status === 503) (answer.code === null ? 0 : answer.retryAfterSeconds) satisfies number;
      const trade = { chainId: 1, sellToken, buyToken };
      ({ ...trade, mode: 'sell', sellAmount: '1' }) satisfies QuoteParameters;
      // @ts-expect-error an amount is never a number
      ({ ...trade, mode: 'sell', sellAmount: 1 }) satisfies QuoteParameters;
      // @ts-expect-error sell needs sellAmount
      ({ ...trade, mode: 'sell', buyAmount: 1n }) satisfies QuoteParameters;
      // @ts-expect-error swap needs taker
      await braid.swap({ ...trade, mode: 'buy', buyAmount: 1n });`;
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'branches.ts');
    writeFileSync(file, program);
    const options = '--ignoreConfig --noEmit --strict --module nodenext --target es2023 --allowImportingTsExtensions --types node';
    const compiled = await run(process.execPath, ['node_modules/typescript-compiler/bin/tsc', ...options.split(' '), file], { cwd: ROOT }).then(
      () => 'compiles',
      (error: { readonly stdout: string; readonly message: string }) => error.stdout || error.message,
    );
    expect(branches).to.include('answer.retryAfterSeconds');
    expect(compiled).to.equal('compiles');
  });
});
