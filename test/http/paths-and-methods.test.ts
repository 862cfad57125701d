import { expect } from 'chai';
import { expectCommonHeaders, expectPlainRefusal } from './support/checks.ts';
import { type Edge, liveChain, startEdge } from './support/edge.ts';
import { sendRaw } from './support/raw.ts';
import { expectSchema } from './support/schemas.ts';

const PATHS = ['/v1/quote', '/v1/swap', '/v1/ethereum/sources', '/healthz'] as const;
const OTHER_METHODS = ['POST', 'PUT', 'DELETE', 'PATCH'];

// What paths and methods answer is in conformance/paths.test.ts; here is what that costs and does inside.
describe('paths and methods', () => {
  let edge: Edge;
  const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));

  beforeEach(async () => {
    edge = await startEdge({ chains: [liveChain('ethereum').hosted, liveChain('bsc').hosted], budgetsStandStill: true });
  });
  afterEach(() => edge.close());

  const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(`${edge.url}${path}`, { method, headers: { 'x-api-key': edge.key(1000), ...headers } });

  for (const target of ['/v1\\quote', '/v1\\quote#x', '/v1/quote#x', '/healthz#', '\\v1/quote']) {
    it(`a target that is no path is not taken for one: ${target}`, async () => {
      const answer = await sendRaw(edge.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer.status).to.be.oneOf([400, 404]);
      expect(JSON.parse(answer.body)).to.have.all.keys('error');
    });
  }

  it('an unknown path is charged one token', async () => {
    const response = await ask('/nothing');
    expect(remaining(response)).to.equal(1019);
    await expectPlainRefusal(response, 404);
  });

  for (const path of PATHS) {
    it(`OPTIONS and 405 of ${path} cost nothing and carry the rate headers (R15)`, async () => {
      // /healthz is metered by address, whose bucket holds four.
      const untouched = path === '/healthz' ? 4 : 1020;
      for (const method of [...OTHER_METHODS, 'OPTIONS']) {
        const response = await ask(path, method);
        expect(remaining(response), method).to.equal(untouched);
        expectCommonHeaders(response);
      }
    });
  }

  it('no method but GET runs a solve (faults C15)', async () => {
    const query =
      '/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1';
    for (const method of [...OTHER_METHODS, 'HEAD', 'OPTIONS']) await ask(query, method);
    for (const method of ['TRACE', 'PROPFIND']) {
      const answer = await sendRaw(edge.port, `${method} ${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer.status, method).to.equal(405);
    }
    expect(edge.jobs).to.have.length(0);
    expect((await ask(query)).status).to.equal(404);
    expect(edge.jobs).to.have.length(1);
  });

  it('HEAD says how long the body of GET would be', async () => {
    for (const path of ['/v1/ethereum/sources', '/healthz']) {
      const [get, head] = [await ask(path), await ask(path, 'HEAD')];
      expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
    }
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
      ['1', 1, 'ethereum'],
      ['BNB', 56, 'bsc'],
      ['bsc', 56, 'bsc'],
      ['56', 56, 'bsc'],
    ] as const) {
      it(`a canonical chain name, a common alias or a numeric chain id: ${name} is ${chain}`, async () => {
        const response = await ask(`/v1/${name}/sources`);
        const body: unknown = await response.json();
        expectSchema('sources-response', body);
        expect(body).to.deep.equal({ chainId, chain, sources: ['sushiswap_v2', 'uniswap_v2', 'uniswap_v3'] });
      });
    }

    it('a chain of the catalogue that is not hosted here is 404', async () => {
      for (const name of ['polygon', 'base', '137']) expect((await ask(`/v1/${name}/sources`)).status, name).to.equal(404);
    });

    it('answers 200 while the chain is coming up, stale or overloaded; never shed (decisions B9)', async () => {
      const comingUp = liveChain('ethereum', false);
      const stale = liveChain('bsc');
      stale.age(31_000);
      const other = await startEdge({
        chains: [comingUp.hosted, stale.hosted],
        eventLoopIsLate: () => true,
        gauge: { outlook: () => ({ waitMs: 1, full: true, suspect: false }) },
      });
      try {
        const first = await fetch(`${other.url}/v1/ethereum/sources`);
        expect([first.status, await first.json()]).to.deep.equal([200, { chainId: 1, chain: 'ethereum', sources: [] }]);
        expect((await fetch(`${other.url}/v1/bsc/sources`)).status).to.equal(200);
      } finally {
        await other.close();
      }
    });
  });

  it('a request id is logged as it is echoed (S14)', async () => {
    await ask('/v1/eth/sources', 'GET', { 'x-request-id': 'abc.DEF-1_2' });
    expect(JSON.parse(edge.lines.at(-1) ?? '').reqId).to.equal('abc.DEF-1_2');
  });
});
