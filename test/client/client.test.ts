import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import { type BraidRefusal, createBraidClient, type QuoteParameters, type SwapParameters } from '../../src/client/client.ts';
import { BIG_INTEGERS, type operations } from '../../src/client/openapi.gen.ts';
import { type Edge, type EdgeOptions, endsWith, liveChain, startEdge } from '../http/support/edge.ts';
import { NATIVE, type RealSolving, realSolving, USDC, WETH } from '../http/support/real-solving.ts';
import { ROOT } from '../support/source-files.ts';
import { until } from '../support/until.ts';

type NamesOf<Union> = Union extends unknown ? keyof Union : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
// The parameters are written by hand: that the document has these and no others is checked by the compiler.
const SAME_NAMES: readonly [
  Same<NamesOf<QuoteParameters>, keyof operations['quote']['parameters']['query']>,
  Same<NamesOf<SwapParameters>, keyof operations['swap']['parameters']['query']>,
] = [true, true];

const TRADE = { chainId: 1, mode: 'sell', sellToken: WETH, buyToken: USDC, sellAmount: 10n ** 18n } as const;

describe('the client against the service', () => {
  let real: RealSolving;
  let edge: Edge;
  before(async () => {
    real = await realSolving();
  });
  after(() => real.solving.close());
  afterEach(() => edge.close());

  async function start(options: EdgeOptions = {}, key: number | null = 1000) {
    edge = await startEdge({ chains: [real.hosted], solve: (job, caller) => real.solving.solve(job, caller), ...options });
    return createBraidClient({ baseUrl: edge.url, ...(key === null ? {} : { apiKey: edge.key(key) }) });
  }

  it('a quote: amounts as text, the budget, and gasPriceWei beyond 2^53 with every digit', async () => {
    const braid = await start({ budgetsStandStill: true }, 50);
    const answer = await braid.quote({ ...TRADE, gasPriceGwei: '123456789012.345678901' });
    if (!answer.ok) throw new Error(answer.error);
    expect(answer.body.gasPriceWei).to.equal(123456789012345678901n);
    expect(answer.body.sellAmount).to.equal('1000000000000000000');
    expect(answer.body.chainId).to.equal(1);
    expect(answer.rate).to.deep.equal({ limit: 50, remaining: 69 });
    expect(answer.httpStatus).to.equal(200);
    expect(answer.requestId).to.match(/^[0-9a-f-]{36}$/);
  });

  it('every kind of parameter arrives', async () => {
    const braid = await start();
    await braid.quote({
      ...TRADE,
      sellAmount: '5',
      maxHops: 4,
      timeLimitMs: 700,
      excludeRfq: true,
      excludeRwa: false,
      excludeVenues: ['Uniswap_V2', 'x'],
      taker: undefined,
    });
    await braid.quote({ chainId: 1n, mode: 'buy', sellToken: NATIVE, buyToken: USDC, buyAmount: 2n ** 200n + 1n, includeVenues: ['sushiswap_v2'] });
    const [sell, buy] = edge.jobs;
    expect(sell).to.deep.include({ mode: 'sell', amount: 5n, maxHops: 4 });
    expect(sell?.filter).to.deep.include({ exclude: ['uniswap_v2', 'x'], excludeRfq: true, excludeRwa: false });
    expect(buy).to.deep.include({ mode: 'buy', amount: 2n ** 200n + 1n, sellToken: NATIVE });
    expect(buy?.filter.include).to.deep.equal(['sushiswap_v2']);
  });

  it('an amount that is a number is a TypeError before anything is sent', async () => {
    const braid = await start();
    // As a program without types would.
    const careless = JSON.parse('{"chainId":1,"mode":"sell","sellAmount":1000}') as QuoteParameters;
    await braid.quote(careless).then(
      () => expect.fail('sent'),
      (error: unknown) => expect(error).to.be.instanceOf(TypeError),
    );
    expect(edge.lines.length).to.equal(0);
  });

  it('sources and health', async () => {
    const braid = await start();
    const [sources, health] = [await braid.sources('Eth'), await braid.health()];
    expect(sources.ok && sources.body).to.deep.include({ chainId: 1, chain: 'ethereum' });
    expect(health.ok && health.body.status).to.equal('ok');
    // /healthz takes no key.
    expect(health.rate?.limit).to.equal(3);
  });

  it('without a key: the anonymous rate and fee', async () => {
    const braid = await start({}, null);
    const answer = await braid.quote(TRADE);
    expect(answer.ok && [answer.body.fee?.feeBps, answer.rate?.limit]).to.deep.equal([10, 3]);
  });

  const expectRefusal = (answer: { readonly ok: boolean }, expected: Partial<BraidRefusal>) => {
    expect(answer).to.deep.include({ ok: false, ...expected });
    expect((answer as BraidRefusal).error)
      .to.be.a('string')
      .and.not.equal('');
  };
  const plain = { code: null, retryAfterSeconds: null };

  it('400 and 404 are values, the plain-text 404 of sources too', async () => {
    const braid = await start();
    expectRefusal(await braid.quote({ ...TRADE, buyToken: WETH }), { status: 400, ...plain });
    expectRefusal(await braid.quote({ ...TRADE, includeVenues: ['none'] }), { status: 404, ...plain });
    expectRefusal(await braid.swap({ ...TRADE, chainId: 424242, taker: USDC }), { status: 404, ...plain });
    expectRefusal(await braid.sources('../healthz'), { status: 404, ...plain, error: 'chain not hosted' });
  });

  it('429 has code and retryAfterSeconds', async () => {
    const braid = await start({ budgetsStandStill: true }, 1);
    await braid.sources(1);
    expectRefusal(await braid.sources(1), { status: 429, code: 'rate_limited', retryAfterSeconds: 1, rate: { limit: 1, remaining: 0 } });
  });

  it('503: overloaded has a code, stale has none; a degraded health is an answer', async () => {
    const overloaded = await start({ solve: endsWith('expired') });
    expectRefusal(await overloaded.quote(TRADE), { status: 503, code: 'overloaded', retryAfterSeconds: 1 });
    await edge.close();
    const chain = liveChain();
    chain.age(60_000);
    const stale = await start({ chains: [chain.hosted] });
    expectRefusal(await stale.quote(TRADE), { status: 503, ...plain });
    const health = await stale.health();
    expect(health).to.deep.include({ ok: true, httpStatus: 503 });
    expect(health.ok && health.body.status).to.equal('degraded');
  });

  it('500 while a chain is coming up', async () => {
    const braid = await start({ chains: [liveChain('ethereum', false).hosted] });
    expectRefusal(await braid.swap({ ...TRADE, taker: USDC }), { status: 500, ...plain });
  });

  it('an aborted call rejects, and the service drops its work', async () => {
    let [asked, dropped] = [false, false];
    const braid = await start({
      solve: (_job, { signal }) =>
        new Promise((resolve) => {
          asked = true;
          signal.addEventListener('abort', () => {
            dropped = true;
            resolve({ result: { ok: false, reason: 'cancelled' }, queueMs: 0, runMs: 0 });
          });
        }),
    });
    const call = new AbortController();
    const answer = braid.quote(TRADE, { signal: call.signal });
    expect(await until(() => asked, 30_000), 'asked').to.equal(true);
    call.abort();
    await answer.then(
      () => expect.fail('answered'),
      (error: Error) => expect(error.name).to.equal('AbortError'),
    );
    expect(await until(() => dropped, 30_000), 'dropped').to.equal(true);
  });
});

describe('the client against what is not the service', () => {
  let server: Server;
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function serve(listener: RequestListener): Promise<ReturnType<typeof createBraidClient>> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    return createBraidClient({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: 'canary' });
  }

  for (const [status, body] of [
    [502, '<html>bad gateway</html>'],
    [503, 'Service Unavailable'],
    [503, '{"status":503}'],
    [403, '{"error":"no","code":"waf"}'],
    [200, '<html>welcome</html>'],
    [200, '[]'],
    [429, '{"error":"slow down"}'],
  ] as const) {
    it(`${status} ${body} is 'unexpected'`, async () => {
      const braid = await serve((_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(body));
      for (const answer of [await braid.quote(TRADE), await braid.sources('eth')]) {
        expect(answer).to.deep.include({ ok: false, status: 'unexpected', httpStatus: status, rate: null, requestId: null, code: null });
        expect(!answer.ok && answer.error).to.not.include('<html>');
      }
    });
  }

  it('a redirect is refused: the key is for one host alone', async () => {
    const asked: (string | undefined)[] = [];
    const braid = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await braid.quote(TRADE).then(
      () => expect.fail('followed'),
      (error: unknown) => expect(error).to.be.instanceOf(TypeError),
    );
    expect(asked).to.have.length(1);
  });

  it('a chain’s name can not leave its place in the path, and health sends no key', async () => {
    const seen: (readonly [string | undefined, unknown])[] = [];
    const braid = await serve((request, response) => {
      seen.push([request.url, request.headers['x-api-key']]);
      response.writeHead(200).end('{}');
    });
    await braid.sources('../../admin?x=');
    await braid.health();
    expect(seen).to.deep.equal([
      ['/v1/..%2F..%2Fadmin%3Fx%3D/sources', 'canary'],
      ['/healthz', undefined],
    ]);
  });
});

describe('the client’s types', () => {
  it('are generated from the document that is committed', () => {
    const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
    const digest = createHash('sha256').update(read('schemas/openapi.json')).digest('hex');
    expect(read('src/client/openapi.gen.ts').split('\n')[1], 'run npm run client').to.equal(`// SHA-256 of the document: ${digest}`);
    expect(BIG_INTEGERS).to.deep.equal(['deadline', 'gasPriceWei', 'rfqExpiry']);
    expect(SAME_NAMES).to.deep.equal([true, true]);
  });
});
