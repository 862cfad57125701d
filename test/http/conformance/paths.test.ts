import { expect } from 'chai';
import { expectCommonHeaders, expectPlainRefusal } from '../support/checks.ts';
import { expectSchema } from '../support/schemas.ts';
import { NATIVE, useService } from './support/service.ts';
import { askQuote, queryOf, rateOf, sellOf } from './support/trades.ts';

type Health = { readonly status: string; readonly chains: readonly { readonly chain: string; readonly healthy: boolean }[] };

const OTHER_METHODS = ['POST', 'PUT', 'DELETE', 'PATCH'] as const;

describe('Endpoints: all use HTTP GET and return JSON, except that the unknown-chain answer of sources is plain text', () => {
  const service = useService();
  const known = (): readonly (readonly [path: string, allow: string])[] => [
    [`/v1/quote?${queryOf(sellOf(service()))}`, 'GET, OPTIONS'],
    ['/v1/swap', 'GET, OPTIONS'],
    [`/v1/${service().chain}/sources`, 'GET, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
  ];

  it('any other method on a known path is 405 with `Allow` (R15, faults C15)', async () => {
    for (const [path, allow] of known()) {
      for (const method of OTHER_METHODS) {
        const response = await service().client.ask(path, { method });
        expect(response.headers.get('allow'), path).to.equal(allow);
        await expectPlainRefusal(response, 405);
      }
    }
  });

  it('HEAD on `/healthz` and sources as GET without a body; on the trade routes 405 (R15)', async () => {
    for (const path of ['/healthz', `/v1/${service().chain}/sources`]) {
      const head = await service().client.ask(path, { method: 'HEAD' });
      expect(head.status).to.equal(200);
      expect(head.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(await head.text()).to.equal('');
    }
    for (const path of [`/v1/quote?${queryOf(sellOf(service()))}`, '/v1/swap']) {
      const head = await service().client.ask(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).to.deep.equal([405, '']);
      expectCommonHeaders(head);
    }
  });

  it('OPTIONS answers CORS: GET/HEAD/OPTIONS, `x-api-key` allowed (R15, S13)', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
    for (const [path, allow] of known()) {
      const response = await service().client.ask(path, { method: 'OPTIONS', headers });
      expect(response.status).to.equal(204);
      expectCommonHeaders(response);
      expect(response.headers.get('access-control-allow-methods')).to.equal('GET, HEAD, OPTIONS');
      expect(response.headers.get('access-control-allow-headers')).to.include('x-api-key');
      expect(response.headers.get('allow')).to.equal(allow);
      expect(await response.text()).to.equal('');
    }
  });

  it('everything else is a JSON 404: other spellings of the paths are other paths', async () => {
    const { chain } = service();
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
      `/v1/${chain}/sources/`,
      '/quote',
    ])
      await expectPlainRefusal(await service().client.ask(path), 404);
    const head = await service().client.ask('/nothing', { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([404, '']);
  });
});

describe('Endpoints: GET {base_url}/v1/{chain}/sources', () => {
  const service = useService();
  const sources = (segment: string) => service().client.ask(`/v1/${segment}/sources`);

  it('the canonical name, in any case, and the numeric chain id are the same chain (R19)', async () => {
    const { chain, chainId } = service();
    for (const segment of [chain, chain.toUpperCase(), String(chainId), `%${chain.charCodeAt(0).toString(16)}${chain.slice(1)}`]) {
      const response = await sources(segment);
      const body = (await response.json()) as { chainId: number; chain: string; sources: string[] };
      expect(response.status, segment).to.equal(200);
      expectCommonHeaders(response);
      expectSchema('sources-response', body);
      expect([body.chainId, body.chain]).to.deep.equal([chainId, chain]);
    }
  });

  it('sources: Sorted venue labels: unique, sorted by code unit, `WRAP` never listed, family or `family:variant` (B9)', async () => {
    const { sources: labels } = (await (await sources(service().chain)).json()) as { sources: string[] };
    expect(labels.length).to.be.greaterThan(0);
    expect(labels).to.deep.equal([...new Set(labels)].sort());
    for (const label of labels)
      expect(label)
        .to.match(/^[^:,\s]+(:[^:,\s]+)?$/)
        .and.not.equal('WRAP');
  });

  it('404 for a chain not hosted (plain-text body, not JSON): `__proto__`, `constructor`, `toString`, `1e0`, `0x1`, `01` (D22, B2)', async () => {
    const { chainId } = service();
    for (const segment of [
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nowhere', '%20', '%00', '%zz', '-1', '0', 'eth%2Fx', 'x%0d%0ax', '9'.repeat(70)],
      ...[`${chainId}e0`, `0x${chainId.toString(16)}`, `0${chainId}`, `+${chainId}`, `${chainId}.0`, `${chainId}%20`],
    ]) {
      const response = await sources(segment);
      expect(response.status, segment).to.equal(404);
      expectCommonHeaders(response);
      expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(await response.text()).not.to.match(/[{<]/);
    }
  });

  it('This is the only place venue labels are enumerated, and callers read them here: each one listed is understood by includeVenues', async () => {
    for (const label of service().labels) expect((await askQuote(service(), { includeVenues: label })).status, label).to.be.oneOf([200, 404]);
    const health = await (await service().client.ask('/healthz')).text();
    const refusal = await (await askQuote(service(), { includeVenues: 'nobody' })).text();
    for (const label of service().labels) for (const text of [health, refusal]) expect(text).not.to.contain(label);
  });
});

describe('Endpoints: GET {base_url}/healthz', () => {
  const service = useService();

  it('200 while serving: HealthResponse with `status` `ok`; Only `status`, and `chain` and `healthy` of each chain entry, are contractual', async () => {
    const response = await service().client.ask('/healthz');
    const body = (await response.json()) as Health;
    expectSchema('health-response', body);
    expect(body.chains.map(({ chain }) => chain)).to.include(service().chain);
    expect([response.status, body.status]).to.deep.equal(body.chains.every(({ healthy }) => healthy) ? [200, 'ok'] : [503, 'degraded']);
  });

  it('takes no key: it carries the rate headers of the IP’s bucket, costs nothing, never answers 429 (B1)', async () => {
    for (let i = 0; i < 20; i++) {
      const response = await service().client.askNow('/healthz');
      expect(response.status).to.be.oneOf([200, 503]);
      expect(rateOf(response).limit).to.equal(3);
    }
  });

  it('answers while a trade of the same caller is refused', async () => {
    await expectPlainRefusal(await askQuote(service(), { buyToken: NATIVE, sellToken: NATIVE }), 400);
    expect((await service().client.askNow('/healthz')).status).to.be.oneOf([200, 503]);
  });
});
