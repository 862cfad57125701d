import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { useBraid } from '../support/braid.ts';
import { ROOT } from '../support/source-files.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

type Proxy = (request: Request, options: { readonly braidUrl: string; readonly apiKey: string }) => Promise<Response>;

// The program in TypeScript is the README's: test/client/package.heavy.ts.
describe('the quickstarts of examples/', function suite() {
  this.timeout(300_000);
  const braid = useBraid();
  const folder = useTemporaryFolder();
  const environment = () => ({ ...process.env, BRAID_URL: braid.current().publicUrl, BRAID_INTERNAL_URL: braid.current().internalUrl });

  it('curl: a quote, and a swap that is executed', async () => {
    const { stdout } = await run('bash', ['examples/curl.sh'], { cwd: ROOT, env: environment() });
    expect(stdout).to.match(/^quote: [1-9][0-9]+ over [1-9] hops\nswap: 10{18} -> at least [1-9][0-9]+, status 0x1\n$/);
  });

  it('Python, with its standard library alone: a quote, and a swap that brings what was quoted', async function python() {
    if (spawnSync('python3', ['--version']).status !== 0) {
      if (process.env.CI === 'true') throw new Error('no python3 on CI');
      process.stdout.write('      left out: no python3\n');
      return this.skip();
    }
    const { stdout } = await run('python3', ['-I', 'examples/swap.py'], { cwd: ROOT, env: environment() });
    const [, quoted = '', gained = '', least = ''] =
      /^quote: ([0-9]+) over [1-9] hops\nswap: 10{18} -> ([0-9]+), at least ([0-9]+), status 1\n$/.exec(stdout) ?? [];
    expect(gained, stdout).to.equal(quoted);
    expect(BigInt(least) > 0n && BigInt(least) < BigInt(gained)).to.equal(true);
  });

  it('the proxy of the React piece uses its key, never shows it, and passes on trades of its own kind alone', async () => {
    const outfile = path.join(folder.current(), 'proxy.mjs');
    await build({ entryPoints: [path.join(ROOT, 'examples/react-wagmi/proxy.ts')], outfile, format: 'esm', logLevel: 'silent' });
    const { handle } = (await import(pathToFileURL(outfile).href)) as { readonly handle: Proxy };
    const { publicUrl, apiKey, devnet } = braid.current();
    const options = { braidUrl: publicUrl, apiKey: apiKey ?? '' };
    const ask = (target: string, init?: RequestInit) => handle(new Request(`https://page.example${target}`, init), options);
    const usdc = devnet?.tokens.find(({ symbol }) => symbol === 'USDC')?.address ?? '';
    const taker = devnet?.accounts[0]?.address ?? '';
    const trade = { chainId: '31337', mode: 'sell', sellToken: NATIVE, buyToken: usdc, sellAmount: '1000000000000000000', taker };
    const forged = { ...trade, feeBps: '1500', feeRecipient: taker, recipient: usdc };
    const answer = await ask(`/api/braid/swap?${new URLSearchParams(forged)}`);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(answer.status).to.equal(200);
    // With the key there is no anonymous fee, and what the page may not choose has not arrived.
    expect(body).to.not.have.property('fee');
    expect(body.recipient).to.equal(taker);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(JSON.stringify([body, [...answer.headers.entries()]])).to.not.include(options.apiKey);
    const refused = await ask(`/api/braid/quote?${new URLSearchParams({ ...trade, sellAmount: '1e18' })}`);
    expect([refused.status, Object.keys((await refused.json()) as object)]).to.deep.equal([400, ['error']]);
    for (const target of ['/api/braid/../healthz', '/api/braid/31337/sources', '/api/braid/', '/v1/quote'])
      expect((await ask(target)).status, target).to.equal(404);
    expect((await ask('/api/braid/quote', { method: 'POST' })).status).to.equal(404);
  });
});
