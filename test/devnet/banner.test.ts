import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { describeDevnet, renderBanner } from '../../src/devnet/devnet.ts';
import { useDevnet } from '../support/devnet.ts';

describe('what the local chain tells of itself', () => {
  const handle = useDevnet();

  it('is a plain object with everything a tool needs', () => {
    const devnet = handle.current();
    const description = describeDevnet(devnet, { apiKey: 'key', approvedApiKey: 'approved', freshnessBoundMs: 30_000 });
    expect(description).to.have.all.keys([
      'rpcUrl',
      'chainId',
      'wrappedNative',
      'router',
      'allowanceHolder',
      'permit2',
      'apiKey',
      'approvedApiKey',
      'freshnessBoundMs',
      'accounts',
      'tokens',
      'makers',
      'issuers',
      'attesters',
    ]);
    expect(JSON.parse(JSON.stringify(description))).to.deep.equal(description);
    for (const token of description.tokens) expect(token).to.have.all.keys('address', 'symbol', 'decimals', 'kind', 'oddTransfers');
  });

  it('is a banner whose curl lines work when pasted into a shell', async function pasteIntoShell() {
    const seen: { path: string; query: URLSearchParams; key: unknown; method: string | undefined }[] = [];
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      seen.push({ path: url.pathname, query: url.searchParams, key: request.headers['x-api-key'], method: request.method });
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const base = `http://127.0.0.1:${port}`;
    const devnet = handle.current();
    const banner = renderBanner(devnet, { publicUrl: base, internalUrl: base, apiKey: 'devnet-key', approvedApiKey: 'approved-key' });
    const lines = banner.split('\n').filter((line) => line.startsWith('curl'));
    try {
      for (const line of lines) {
        const outcome = await new Promise<number | null>((resolve) => {
          spawn('/bin/sh', ['-c', line], { stdio: 'ignore' }).once('exit', resolve);
        });
        if (outcome === 127) this.skip();
        expect(outcome, line).to.equal(0);
      }
    } finally {
      server.close();
    }
    expect(seen.map((request) => request.path)).to.deep.equal([
      '/v1/quote',
      '/v1/quote',
      '/v1/quote',
      '/v1/devnet/sources',
      '/healthz',
      '/devnet',
      '/devnet/bots',
    ]);
    expect(seen[6]?.method).to.equal('POST');
    const known = new Set([...devnet.tokens.map((token) => token.address as string), '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee']);
    for (const { query, key } of seen.slice(0, 3)) {
      expect(key).to.equal('devnet-key');
      expect(query.get('chainId')).to.equal('31337');
      expect(known.has(query.get('sellToken')?.toLowerCase() ?? '')).to.equal(true);
      expect(known.has(query.get('buyToken')?.toLowerCase() ?? '')).to.equal(true);
    }
    expect(seen[2]?.query.get('mode')).to.equal('buy');
    expect(banner).to.contain(devnet.accounts[0]?.privateKey).and.contain(devnet.rpcUrl);
  });
});
