import { expect } from 'chai';
import { expectCommonHeaders, expectPlainRefusal } from './support/checks.ts';
import { type Edge, liveChain, startEdge } from './support/edge.ts';
import { sendRaw } from './support/raw.ts';
import { expectSchema } from './support/schemas.ts';

const PATHS = { '/v1/quote': 'GET, OPTIONS', '/v1/ethereum/sources': 'GET, HEAD, OPTIONS', '/healthz': 'GET, HEAD, OPTIONS' } as const;
const OTHER_METHODS = ['POST', 'PUT', 'DELETE', 'PATCH'];

describe('paths and methods', () => {
  let edge: Edge;
  const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));

  beforeEach(async () => {
    edge = await startEdge({ chains: [liveChain('ethereum').hosted, liveChain('bsc').hosted], budgetsStandStill: true });
  });
  afterEach(() => edge.close());

  const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(`${edge.url}${path}`, { method, headers: { 'x-api-key': edge.key(1000), ...headers } });

  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v1/swap/',
    '/v2/quote',
    '/v1/quote/',
    '/V1/quote',
    '/v1/QUOTE',
    '//v1/quote',
    '/healthz/',
    '/v1/ethereum/sources/',
  ]) {
    it(`${path} is an unknown path: a JSON 404 with the rate headers, charged one token`, async () => {
      const response = await ask(path);
      expect(remaining(response)).to.equal(1019);
      await expectPlainRefusal(response, 404);
    });
  }

  for (const path of ['/metrics', '/livez', '/readyz', '/openapi.json', '/docs', '/devnet', '/devnet/bots']) {
    it(`${path} is not available on the public host`, async () => expectPlainRefusal(await ask(path), 404));
  }

  for (const [path, allow] of Object.entries(PATHS)) {
    for (const method of OTHER_METHODS) {
      it(`${method} ${path} is 405 with Allow, costs nothing and carries the rate headers`, async () => {
        const response = await ask(path, method);
        expect(response.headers.get('allow')).to.equal(allow);
        expect(remaining(response)).to.be.at.least(4);
        expect(remaining(await ask(path, method))).to.equal(remaining(response));
        await expectPlainRefusal(response, 405);
      });
    }

    it(`OPTIONS ${path} answers CORS and costs nothing`, async () => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
      const response = await ask(path, 'OPTIONS', headers);
      expect(response.status).to.equal(204);
      expectCommonHeaders(response);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      expect(response.headers.get('access-control-allow-methods')).to.equal('GET, HEAD, OPTIONS');
      expect(response.headers.get('access-control-allow-headers')).to.include('x-api-key');
      expect(response.headers.get('allow')).to.equal(allow);
      expect(remaining(await ask(path, 'OPTIONS'))).to.equal(remaining(response));
      expect(await response.text()).to.equal('');
    });
  }

  it('HEAD on the trade routes is 405 without a body and runs no solve; other methods run none either (faults C15)', async () => {
    const query =
      '/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1';
    const head = await ask(query, 'HEAD');
    expect(head.status).to.equal(405);
    expectCommonHeaders(head);
    expect(await head.text()).to.equal('');
    for (const method of [...OTHER_METHODS, 'OPTIONS']) await ask(query, method);
    for (const method of ['TRACE', 'PROPFIND']) {
      const answer = await sendRaw(edge.port, `${method} ${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer.status, method).to.equal(405);
    }
    expect(edge.jobs).to.have.length(0);
    expect((await ask(query)).status).to.equal(404);
    expect(edge.jobs).to.have.length(1);
  });

  for (const path of ['/v1/ethereum/sources', '/healthz'] as const) {
    it(`HEAD ${path} is as GET without a body`, async () => {
      const get = await ask(path);
      const head = await ask(path, 'HEAD');
      expect(head.status).to.equal(200);
      expect(head.headers.get('content-type')).to.equal(get.headers.get('content-type'));
      expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
      expect(await head.text()).to.equal('');
    });
  }

  it('HEAD on an unknown path is 404 without a body', async () => {
    const response = await ask('/nothing', 'HEAD');
    expect([response.status, await response.text()]).to.deep.equal([404, '']);
    expectCommonHeaders(response);
  });

  it('a body on a GET is ignored', async () => {
    const answer = await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}');
    expect(answer.status).to.equal(200);
  });

  describe('/v1/{chain}/sources', () => {
    for (const [name, chainId, chain] of [
      ['ethereum', 1, 'ethereum'],
      ['eth', 1, 'ethereum'],
      ['ETH', 1, 'ethereum'],
      ['Ethereum', 1, 'ethereum'],
      ['1', 1, 'ethereum'],
      ['BNB', 56, 'bsc'],
      ['bsc', 56, 'bsc'],
      ['56', 56, 'bsc'],
      ['%65th', 1, 'ethereum'],
    ] as const) {
      it(`${name} is ${chain}`, async () => {
        const response = await ask(`/v1/${name}/sources`);
        const body: unknown = await response.json();
        expect(response.status).to.equal(200);
        expectCommonHeaders(response);
        expectSchema('sources-response', body);
        expect(body).to.deep.equal({ chainId, chain, sources: ['sushiswap_v2', 'uniswap_v2', 'uniswap_v3'] });
      });
    }

    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      '1e0',
      '0x1',
      '01',
      '+1',
      '1.0',
      '-1',
      '2',
      'polygon',
      'base',
      '%20',
      '%00',
      '%zz',
      'eth%2Fx',
      'ethereum%0d%0a',
    ]) {
      it(`${name} is not hosted: a plain-text 404 (faults D22)`, async () => {
        const response = await ask(`/v1/${name}/sources`);
        expect(response.status).to.equal(404);
        expectCommonHeaders(response);
        expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
        expect(await response.text()).not.to.match(/[{<]/);
      });
    }

    it('answers 200 while the chain is coming up, stale or overloaded; never shed (decisions B9)', async () => {
      const comingUp = liveChain('ethereum', false);
      const stale = liveChain('bsc');
      stale.age(31_000);
      const other = await startEdge({ chains: [comingUp.hosted, stale.hosted], eventLoopIsLate: () => true, gauge: { queueDepth: () => 512 } });
      try {
        const first = await fetch(`${other.url}/v1/ethereum/sources`);
        expect([first.status, await first.json()]).to.deep.equal([200, { chainId: 1, chain: 'ethereum', sources: [] }]);
        expect((await fetch(`${other.url}/v1/bsc/sources`)).status).to.equal(200);
      } finally {
        await other.close();
      }
    });
  });

  describe('request ids', () => {
    it("the caller's when it is harmless, echoed and logged", async () => {
      const response = await ask('/v1/eth/sources', 'GET', { 'x-request-id': 'abc.DEF-1_2' });
      expect(response.headers.get('x-request-id')).to.equal('abc.DEF-1_2');
      expect(JSON.parse(edge.lines.at(-1) ?? '').reqId).to.equal('abc.DEF-1_2');
    });

    for (const id of ['', 'a b', 'x'.repeat(65), 'a"b', '<b>', 'a,b', 'ä']) {
      it(`'${id.slice(0, 10)}' is replaced by a uuid`, async () => {
        const response = await ask('/v1/eth/sources', 'GET', { 'x-request-id': encodeHeader(id) });
        expect(response.headers.get('x-request-id')).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      });
    }
  });
});

/** fetch takes header bytes as latin-1. */
function encodeHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
