import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { useBraid } from '../support/braid.ts';
import { useBrowser } from '../support/browser.ts';
import { installPackedClient } from '../support/packed-client.ts';
import { ROOT } from '../support/source-files.ts';

const run = promisify(execFile);

describe('the client as a package of its own', function suite() {
  this.timeout(300_000);
  let folder: string;
  let place: string;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-client-'));
    place = await installPackedClient(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('holds the client alone: a few small files, no dependency, every import inside', () => {
    const own = path.join(place, 'node_modules/@braid/client');
    const files = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(path.join(own, name)).isFile());
    const sources = readdirSync(path.join(ROOT, 'src/client')).map((name) => `dist/${name.replace(/\.ts$/, '.d.ts')}`);
    expect(files.sort()).to.deep.equal(['LICENSE', 'README.md', 'dist/client.js', 'package.json', ...sources].sort());
    expect(readdirSync(path.join(place, 'node_modules')).filter((name) => !name.startsWith('.'))).to.have.members(['@braid', 'viem']);
    expect(files.reduce((total, name) => total + statSync(path.join(own, name)).size, 0)).to.be.below(150_000);
    const packed = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8')) as { readonly version: string };
    expect(packed).to.not.have.any.keys('dependencies', 'peerDependencies', 'scripts');
    expect(packed.version).to.equal((JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { readonly version: string }).version);
    expect(readFileSync(path.join(own, 'LICENSE'), 'utf8'))
      .to.include('openapi-fetch')
      .and.include('Braid');
  });

  for (const [name, options] of [
    ['nodenext', '--module nodenext'],
    ['bundler', '--module esnext --moduleResolution bundler'],
  ] as const) {
    it(`has types that serve under ${name}, with those of a browser alone`, async () => {
      const program = `
        import { type BraidAnswer, createBraidClient, type QuoteResponse, withSignature } from '@braid/client';
        const braid = createBraidClient({ baseUrl: 'https://braid.example' });
        const answer: BraidAnswer<QuoteResponse> = await braid.quote({ chainId: 1, mode: 'sell', sellToken: '0x1', buyToken: '0x2', sellAmount: 1n });
        if (answer.ok) answer.body.gasPriceWei satisfies bigint | null;
        else if (answer.status === 429) answer.retryAfterSeconds satisfies number;
        withSignature satisfies (...given: never) => string;
        // @ts-expect-error an amount is never a number
        await braid.quote({ chainId: 1, mode: 'sell', sellToken: '0x1', buyToken: '0x2', sellAmount: 1 });`;
      const file = path.join(place, `types-${name}.mts`);
      writeFileSync(file, program);
      const compiler = path.join(ROOT, 'node_modules/typescript-compiler/bin/tsc');
      const all = `--ignoreConfig --noEmit --strict --skipLibCheck false --target es2022 --lib es2022,dom ${options}`.split(' ');
      const said = await run(process.execPath, [compiler, ...all, file], { cwd: place }).then(
        () => 'compiles',
        (error: { readonly stdout: string; readonly message: string }) => error.stdout || error.message,
      );
      expect(said).to.equal('compiles');
    });
  }

  describe('against a service', () => {
    const braid = useBraid();
    const browser = useBrowser();
    let server: Server | undefined;
    after(() => server?.close());

    it('runs the README’s program under Node from an empty folder', async () => {
      const { publicUrl, internalUrl } = braid.current();
      const program = readFileSync(path.join(ROOT, 'README.md'), 'utf8').match(/```ts\n(import \{ createBraidClient[\s\S]*?)```/)?.[1] ?? '';
      const here = program.replace('http://127.0.0.1:8080', publicUrl).replace('http://127.0.0.1:9090', internalUrl);
      expect(here).to.include("'@braid/client'").and.include(publicUrl).and.include(internalUrl);
      writeFileSync(path.join(place, 'swap.mjs'), here);
      const { stdout } = await run(process.execPath, ['swap.mjs'], { cwd: place });
      expect(stdout).to.match(/^quote 10{18} -> ([0-9]+)\nsuccess 10{18} -> \1\nsuccess 10{9} -> [0-9]+\nsuccess 10{21} -> [0-9]+\n$/);
    });

    it('runs bundled in a browser, from a page of another origin', async () => {
      const { publicUrl, devnet } = braid.current();
      const usdc = devnet?.tokens.find(({ symbol }) => symbol === 'USDC')?.address;
      const program = `
        import { createBraidClient } from '@braid/client';
        const braid = createBraidClient({ baseUrl: '${publicUrl}' });
        const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
        const trade = { chainId: 31337, mode: 'sell', sellToken: native, buyToken: '${usdc}', sellAmount: 10n ** 18n };
        const quote = await braid.quote({ ...trade, gasPriceGwei: '123456789012.345678901' });
        const none = await braid.quote({ ...trade, includeVenues: ['none'] });
        const said = quote.ok && { buyAmount: quote.body.buyAmount, gasPriceWei: String(quote.body.gasPriceWei), rate: quote.rate, none: none.ok || none.status };
        document.body.textContent = JSON.stringify(said || quote);
        document.body.id = 'done';`;
      writeFileSync(path.join(place, 'page.js'), program);
      const bundle = await build({ entryPoints: [path.join(place, 'page.js')], bundle: true, format: 'esm', minify: true, write: false });
      const script = bundle.outputFiles[0]?.text ?? '';
      server = createServer((request, response) => {
        const isScript = request.url === '/page.js';
        response.writeHead(request.url === '/favicon.ico' ? 204 : 200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
        response.end(isScript ? script : '<!doctype html><title>page</title><body><script type="module" src="/page.js"></script>');
      });
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
      const { page, complaints } = await browser.open(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
      await page.waitForSelector('#done');
      const said = JSON.parse(await page.$eval('#done', (body) => body.textContent ?? '')) as Record<string, unknown>;
      expect(said)
        .to.have.property('buyAmount')
        .that.matches(/^[1-9][0-9]+$/);
      // The rate headers can be read from another origin, and a number beyond 2^53 has all its digits.
      expect(said).to.deep.include({ gasPriceWei: '123456789012345678901', none: 404 });
      expect(said.rate).to.deep.include({ limit: 3 });
      expect(complaints.filter((said) => !said.includes('404'))).to.deep.equal([]);
    });
  });
});
