import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { useBraid } from '../support/braid.ts';
import { useBrowser } from '../support/browser.ts';
import { ROOT } from '../support/source-files.ts';
import { until } from '../support/until.ts';
import { endsWith, liveChain, startEdge } from './support/edge.ts';
import { USDC, WETH } from './support/real-solving.ts';

const PICTURES = path.join(ROOT, 'build', 'pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDE = { width: 1200, height: 1600 };
const NARROW = { width: 360, height: 1600 };

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

describe('the page that shows a route, in a browser', function suite() {
  this.timeout(600_000);
  const braid = useBraid({ devnetBots: false });
  const browser = useBrowser();
  before(async () => {
    mkdirSync(PICTURES, { recursive: true });
    // Right after a start not every token is measured yet, and what is not measured no route goes through.
    const split = async (): Promise<boolean> => {
      const [, query = ''] = tradeOf('WETH', 'USDC', 250n * 10n ** 18n).split('?');
      const response = await fetch(`${braid.current().internalUrl}/route/answer?${query}`);
      const { quote } = (await response.json()) as { readonly quote?: { readonly route: readonly unknown[] } };
      return (quote?.route.length ?? 0) > 1;
    };
    expect(await until(split, 240_000), 'a trade that is split').to.equal(true);
  });

  const text = (page: Page, id: string) => page.$eval(`#${id}`, (element) => element.textContent ?? '');
  const opened = async (address: string) => {
    const { page, complaints } = await browser.open(`${braid.current().internalUrl}${address}`);
    await page.setViewport(WIDE);
    await page.waitForSelector('select[name="chainId"] option');
    return { page, complaints };
  };
  const answered = (page: Page) => page.waitForSelector('#compared tbody tr:nth-child(2)');
  const tradeOf = (sell: string, buy: string, amount: bigint): string => {
    const { devnet } = braid.current();
    const address = (symbol: string) => devnet?.tokens.find((token) => token.symbol === symbol)?.address ?? '';
    return `/route?${new URLSearchParams({ chainId: '31337', mode: 'sell', sellToken: address(sell), buyToken: address(buy), sellAmount: String(amount) })}`;
  };
  const violations = async (page: Page): Promise<readonly string[]> => {
    await page.evaluate(AXE);
    const found = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] };
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  };

  it('finds a route by keyboard alone, tells each hop where its band has the focus, and gives a link that asks again', async () => {
    const { page, complaints } = await opened('/route');
    await page.focus('[name="chainId"]');
    for (const typed of ['', '', 'WETH', 'USDC']) {
      if (typed !== '') await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('250');
    await page.keyboard.press('Enter');
    await answered(page);
    const facts = await text(page, 'facts');
    expect(facts)
      .to.include('250 WETH')
      .and.to.match(/Bought[\d.]+ USDC/);
    const bands = await page.$$eval('#flow path', (found) => found.map((band) => band.getAttribute('aria-label') ?? ''));
    expect(bands.length).to.be.at.least(2);
    expect(bands.length).to.equal((await page.$$('#hops tbody tr')).length);
    await page.$eval('#flow path:nth-of-type(2)', (band) => (band as unknown as { focus(): void }).focus());
    expect(await text(page, 'hop')).to.equal(bands[1]);
    await page.hover('#flow path:nth-of-type(1)');
    const again = await page.$eval('#link', (link) => (link as unknown as { href: string }).href);
    const { page: second, complaints: others } = await browser.open(again);
    await answered(second);
    expect(await text(second, 'facts')).to.include('250 WETH');
    expect(await text(second, 'times')).to.include('Solve: single paths');
    expect([...complaints, ...others]).to.deep.equal([]);
    await Promise.all([page.close(), second.close()]);
  });

  it('shows what splits and depth earned beside the answer', async () => {
    const { page, complaints } = await opened(tradeOf('WETH', 'USDC', 800n * 10n ** 18n));
    await answered(page);
    const rows = await page.$$eval('#compared tbody tr', (found) => found.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
    expect(rows.map(([name]) => name?.replace(/\d/, 'N'))).to.deep.equal(['As answered', 'At most N hops', 'Without splits']);
    expect(Number.parseFloat(rows[2]?.[2] ?? '')).to.be.greaterThan(0);
    expect(complaints).to.deep.equal([]);
    await page.close();
  });

  it('executes on the local chain, and shows that what was quoted arrived', async () => {
    for (const [sell, buy, amount] of [
      ['USDC', 'WBTC', 50_000n * 10n ** 6n],
      ['WETH', 'DAI', 10n ** 18n],
    ] as const) {
      const { page, complaints } = await opened(tradeOf(sell, buy, amount));
      await answered(page);
      await page.click('#execute');
      await page.waitForFunction("/Arrived|:/.test(document.getElementById('executed').textContent)", { timeout: 120_000 });
      const said = await text(page, 'executed');
      const [, arrived, quoted] = /^Arrived ([\d.]+) \S+ in block \d+; quoted ([\d.]+) /.exec(said) ?? [];
      expect(arrived, said).to.equal(quoted);
      expect(complaints).to.deep.equal([]);
      await page.close();
    }
  });

  it('says what the service says where there is no route, and where an amount is none', async () => {
    const { page } = await opened(tradeOf('WETH', 'TRAP', 10n ** 18n));
    await page.waitForSelector('#message:not([hidden])');
    expect(await text(page, 'message')).to.match(/^404: .+/);
    await page.$eval('[name="amount"]', (field) => Object.assign(field, { value: 'many' }));
    await page.click('button[type="submit"]');
    expect(await text(page, 'message')).to.include('a number with at most');
    await page.close();
  });

  it('says so where the service is stale, overloaded or gone, and goes on when it is back', async () => {
    for (const [ageMs, words] of [
      [31_000, /^503: the view of the chain is older than the freshness bound/],
      [0, /^503: demand exceeds what the solver can answer in time/],
    ] as const) {
      const chain = liveChain();
      chain.age(ageMs);
      // A queue that is too long ends a job so.
      const edge = await startEdge({ chains: [chain.hosted], solve: endsWith('expired') });
      try {
        const trade = new URLSearchParams({ chainId: '1', mode: 'sell', sellToken: USDC, buyToken: WETH, sellAmount: '1000' });
        const { page } = await browser.open(`${edge.internalUrl}/route?${trade}`);
        await page.waitForSelector('#message:not([hidden])');
        expect(await text(page, 'message')).to.match(words);
        await page.close();
      } finally {
        await edge.close();
      }
    }
    const { page } = await opened(tradeOf('WETH', 'USDC', 10n ** 18n));
    await answered(page);
    await page.setOfflineMode(true);
    await page.click('button[type="submit"]');
    await page.waitForSelector('#message:not([hidden])');
    expect(await text(page, 'message')).to.equal('the service can not be reached.');
    await page.setOfflineMode(false);
    await page.click('button[type="submit"]');
    await page.waitForSelector('#message[hidden]');
    await answered(page);
    await page.close();
  });

  it('has room on 360 pixels, in dark and in light, without a violation that axe-core knows', async () => {
    const { page, complaints } = await opened(tradeOf('WETH', 'USDC', 500n * 10n ** 18n));
    await answered(page);
    for (const value of ['light', 'dark']) {
      for (const [size, name] of [
        [WIDE, 'wide'],
        [NARROW, 'narrow'],
      ] as const) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
        await page.setViewport(size);
        await page.waitForFunction(
          `Math.abs(document.querySelector('#flow svg').viewBox.baseVal.width - Math.max(280, document.getElementById('flow').clientWidth)) < 2`,
        );
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${value}, ${name}`).to.be.at.most(size.width);
        await page.screenshot({ path: path.join(PICTURES, `route-${value}-${name}.png`), fullPage: true });
        expect(await violations(page), `${value}, ${name}`).to.deep.equal([]);
      }
    }
    expect(complaints).to.deep.equal([]);
    await page.close();
  });

  it('shows a hostile symbol as text, cut short, and runs nothing of it', async () => {
    const { page } = await browser.open('about:blank');
    await page.setRequestInterception(true);
    const hostile = `<img src=x onerror="document.title='taken'">${'x'.repeat(10_000)}\u202e`;
    page.on('request', async (request) => {
      if (!request.url().endsWith('/devnet') && !request.url().endsWith('/devnet?')) return request.continue();
      const described = await (await fetch(`${braid.current().internalUrl}/devnet`)).json();
      const tokens = (described as { tokens: { symbol: string }[] }).tokens.map((token) => (token.symbol === 'USDC' ? { ...token, symbol: hostile } : token));
      await request.respond({ contentType: 'application/json', body: JSON.stringify({ ...(described as object), tokens }) });
    });
    await page.goto(`${braid.current().internalUrl}${tradeOf('WETH', 'USDC', 10n ** 18n)}`);
    await answered(page);
    expect(await page.title()).not.to.equal('taken');
    expect(await page.$$('main img')).to.have.length(0);
    expect(await text(page, 'facts')).to.include('<imgsrc=xonerror="do…');
    expect((await text(page, 'facts')).length).to.be.lessThan(1000);
    await page.close();
  });

  it('a browser without scripts gets a sentence', async () => {
    const { page } = await browser.open('about:blank');
    await page.setJavaScriptEnabled(false);
    await page.goto(`${braid.current().internalUrl}/route`);
    expect(await page.$eval('noscript', (element) => element.textContent ?? '')).to.include('a browser with scripts');
    await page.close();
  });
});
