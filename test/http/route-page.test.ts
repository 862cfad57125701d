import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { SEED } from '../support/seeded-random.ts';
import { expectQuote } from './support/checks.ts';
import { type Edge, endsWith, liveChain, startEdge } from './support/edge.ts';
import { DAI, LONELY, type RealSolving, realSolving, USDC, WETH } from './support/real-solving.ts';

type Amounts = {
  toBaseUnits(text: string, decimals: number | null): string | null;
  toWholeTokens(units: string | bigint, decimals: number | null): string;
  shownName(symbol: unknown, address: string): string;
  basisPointsAbove(one: bigint, other: bigint): number | null;
};
type Flow = { sharesOf(route: readonly { readonly tokenIn: string; readonly tokenOut: string; readonly amountIn: string }[]): number[] };

/** The page's own scripts, which no browser is needed for. */
const script = async <Exports>(name: string) => (await import(new URL(`../../src/http/page/${name}.js`, import.meta.url).href)) as Exports;

const TRADE = { chainId: '1', mode: 'sell', sellToken: USDC, buyToken: WETH, sellAmount: '300000000000', maxHops: '2' };
const query = (changes: Readonly<Record<string, string>> = {}) => new URLSearchParams({ ...TRADE, ...changes });

describe('the page that shows a route', () => {
  let real: RealSolving;
  let edge: Edge;
  before(async () => {
    real = await realSolving();
    edge = await startEdge({ chains: [real.hosted], solve: (job, caller) => real.solving.solve(job, caller) });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });
  const ask = (path: string) => fetch(`${edge.internalUrl}${path}`);

  it('answers what /v1/quote answers, with how long each phase took, and takes no budget for it', async () => {
    const theirs = await expectQuote(await fetch(`${edge.url}/v1/quote?${query()}`));
    const response = await ask(`/route/answer?${query()}`);
    const { quote, facts, times, decimals } = (await response.json()) as Record<string, Record<string, unknown>>;
    expect(response.status).to.equal(200);
    expect({ ...quote, quoteId: '' }).to.deep.equal({ ...theirs, quoteId: '' });
    expect(facts?.phases).to.have.all.keys('subgraph', 'path', 'columns', 'gas', 'exact');
    expect(times).to.include.all.keys('queueMs', 'runMs', 'totalMs');
    expect(decimals).to.have.all.keys('sell', 'buy').and.to.include({ sell: 6 });
    expect([response.headers.get('x-ratelimit-limit'), response.headers.get('access-control-allow-origin')]).to.deep.equal([null, null]);
  });

  it('asks by names that the interface has', async () => {
    const { paths } = JSON.parse(readFileSync(new URL('../../schemas/openapi.json', import.meta.url), 'utf8')) as {
      readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly { readonly name: string }[] } }>>;
    };
    const known = paths['/v1/quote']?.get.parameters.map(({ name }) => name) ?? [];
    const page = await (await ask('/route/page.js')).text();
    const names = [...page.matchAll(/parameters\.(?:set|get|has)\('([^']+)'|\['(\w+)'(?:, '(\w+)')+\]/g)].flatMap(([all]) =>
      [...all.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? ''),
    );
    expect(names).to.include.members(['gasPriceGwei', 'maxHops', 'includeVenues', 'sellToken']);
    expect(names.filter((name) => /^[a-z]/.test(name) && !known.includes(name))).to.deep.equal([]);
    const { quote } = (await (await ask(`/route/answer?${query({ gasPriceGwei: '5' })}`)).json()) as { readonly quote: { readonly gasPriceWei: number } };
    expect(quote.gasPriceWei).to.equal(5_000_000_000);
  });

  it('without splits it is one path, and no better', async () => {
    type Answered = { readonly quote: { readonly buyAmount: string; readonly route: readonly { readonly bps: number }[] } };
    const [free, alone] = (await Promise.all(['', '/unsplit'].map(async (part) => (await ask(`/route/answer${part}?${query()}`)).json()))) as [
      Answered,
      Answered,
    ];
    expect(free.quote.route.some(({ bps }) => bps < 10_000)).to.equal(true);
    expect(alone.quote.route.every(({ bps }) => bps === 10_000)).to.equal(true);
    expect(BigInt(alone.quote.buyAmount) < BigInt(free.quote.buyAmount)).to.equal(true);
  });

  it('the option to leave splits out is none of the public interface', async () => {
    const response = await fetch(`${edge.url}/v1/quote?${query({ unsplit: 'true' })}`, { headers: { 'x-api-key': edge.key(1000) } });
    const { route } = await expectQuote(response);
    expect(route.some(({ bps }) => bps < 10_000)).to.equal(true);
    expect((await fetch(`${edge.url}/route`)).status).to.equal(404);
    expect((await fetch(`${edge.url}/route/answer?${query()}`)).status).to.equal(404);
  });

  it('says the service’s own errors as they are', async () => {
    for (const [changes, status] of [
      [{ sellAmount: '-1' }, 400],
      [{ chainId: '2' }, 404],
      [{ sellToken: LONELY }, 404],
      [{ sellToken: DAI, sellAmount: '1', maxHops: '1' }, 404],
    ] as const) {
      const [own, theirs] = await Promise.all([
        ask(`/route/answer?${query(changes)}`),
        fetch(`${edge.url}/v1/quote?${query(changes)}`, { headers: { 'x-api-key': edge.key(1000) } }),
      ]);
      expect([own.status, theirs.status]).to.deep.equal([status, status]);
      const [said, wanted] = [await own.json(), await theirs.json()] as [{ readonly error: string }, { readonly error: string }];
      expect(said).to.have.all.keys('error');
      expect(said).to.deep.equal(wanted);
    }
  });

  it('a chain that is stale or coming up, and a queue that is too long, are said with the public status', async () => {
    for (const [chain, solve, status] of [
      [liveChain('ethereum', false), undefined, 500],
      [liveChain(), endsWith('expired'), 503],
      [liveChain(), endsWith('failed'), 500],
    ] as const) {
      const other = await startEdge({ chains: [chain.hosted], ...(solve === undefined ? {} : { solve }) });
      try {
        const response = await fetch(`${other.internalUrl}/route/answer?${query()}`);
        expect(response.status).to.equal(status);
        expect(await response.json()).to.include.keys('error');
      } finally {
        await other.close();
      }
    }
  });

  it('tells which chains there are, and is made of files of its own alone', async () => {
    expect(await (await ask('/route/chains')).json()).to.deep.equal({
      publicUrl: null,
      chains: [{ chainId: 1, name: 'ethereum', wrappedNative: WETH.toLowerCase(), venues: real.hosted.view().labels }],
    });
    const page = await ask('/route');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'").and.to.include("connect-src 'self'").and.not.to.include('unsafe');
    const text = await page.text();
    const files = [...text.matchAll(/(?:src|href)="(\/route\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).to.have.length.at.least(6);
    const imported = await (await ask('/route/page.js')).text();
    for (const file of [...files, ...[...imported.matchAll(/from '(\/route\/[^']+)'/g)].map(([, name]) => name ?? '')]) {
      expect((await ask(file)).status, file).to.equal(200);
    }
    expect(text).not.to.match(/<script(?![^>]* src=)/);
    expect(text).not.to.match(/https?:/);
  });
});

describe('the scripts of the page that shows a route', () => {
  it('base units and whole tokens are one another’s way back, for every amount and every number of decimals', async () => {
    const { toBaseUnits, toWholeTokens } = await script<Amounts>('amounts');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.option(fc.integer({ min: 0, max: 255 })), (units, decimals) => {
        expect(toBaseUnits(toWholeTokens(units, decimals), decimals)).to.equal(String(units));
      }),
      { seed: SEED },
    );
    expect(['1.5', '1,000.25', '.5', '7.', '007'].map((text) => toBaseUnits(text, 2))).to.deep.equal(['150', '100025', '50', '700', '700']);
    for (const text of ['', '.', '1.234', '-1', '1e3', '0x1', '1 2', '٣', '1.5.5']) expect(toBaseUnits(text, 2), text).to.equal(null);
    expect(toBaseUnits('1.5', null)).to.equal(null);
  });

  it('of a symbol it shows twenty letters that can be seen, and the address where there are none', async () => {
    const { shownName } = await script<Amounts>('amounts');
    const address = '0x1234567890abcdef1234567890abcdef12345678';
    const short = '0x1234…5678';
    for (const [symbol, shown] of [
      ['USDC', 'USDC'],
      [null, short],
      [undefined, short],
      ['', short],
      ['\u202e\u200b\u0000\n', short],
      ['US\u200bDC\u202e', 'USDC'],
      ['x'.repeat(10_000), `${'x'.repeat(20)}…`],
      ['<img src=x>', '<imgsrc=x>'],
    ] as const) {
      expect(shownName(symbol, address)).to.equal(shown);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (symbol) => {
        expect([...shownName(symbol, address)].length).to.be.within(1, 21);
        expect(shownName(symbol, address)).not.to.match(/[\p{C}\p{Z}]/u);
      }),
      { seed: SEED },
    );
  });

  it('what each hop carries of the trade adds up to all of it at the end', async () => {
    const { sharesOf } = await script<Flow>('flow');
    const hop = (tokenIn: string, tokenOut: string, amountIn: number) => ({ tokenIn, tokenOut, amountIn: String(amountIn) });
    expect(sharesOf([hop('a', 'b', 60), hop('a', 'c', 40), hop('b', 'c', 1), hop('c', 'd', 30), hop('c', 'd', 10)])).to.deep.equal([0.6, 0.4, 0.6, 0.75, 0.25]);
  });

  it('basis points are to a hundredth', async () => {
    const { basisPointsAbove } = await script<Amounts>('amounts');
    expect([basisPointsAbove(10_001n, 10_000n), basisPointsAbove(1n, 0n), basisPointsAbove(99n, 100n)]).to.deep.equal([1, null, -100]);
  });
});
