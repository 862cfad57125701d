// How much longer the page that shows a route takes than the service itself, in a real browser: from the press of the button to the picture, beside /v1/quote for the same trade, in turns.
//   npm run bench:page -- [--rounds N] [--json] [--record]
import { parseArgs } from 'node:util';
import { integerOption } from '../scripts/integer-option.ts';
import { startTestBraid } from '../test/support/braid.ts';
import { startBrowser } from '../test/support/browser.ts';
import { recordFigures } from './history/history.ts';
import { type Spread, spread } from './snapshot/figures.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const rounds = integerOption('--rounds', values.rounds, 1, 10_000);
/** Rounds in which the code of the browser and of the service is still cold. */
const WARM_UP = 3;
/** In the page: from the press of the button until the picture of the answer is drawn and painted. */
const DRAWN = `new Promise((done) => {
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
  }).observe(document.getElementById('flow'), { childList: true });
  document.querySelector('button[type="submit"]').click();
})`;

const browser = await startBrowser();
if (browser === null) throw new Error('no chromium is installed; name one in CHROMIUM');
const braid = await startTestBraid();
try {
  const { devnet, apiKey, publicUrl, internalUrl } = braid;
  const address = (symbol: string): string => devnet?.tokens.find((token) => token.symbol === symbol)?.address ?? '';
  const trade = new URLSearchParams({
    chainId: String(devnet?.chainId),
    mode: 'sell',
    sellToken: address('WETH'),
    buyToken: address('USDC'),
    sellAmount: String(250n * 10n ** 18n),
  });
  const page = await browser.newPage();
  await page.goto(`${internalUrl}/route?${trade}`);
  await page.waitForSelector('#compared tbody tr:nth-child(2)');
  const [service, shown]: [number[], number[]] = [[], []];
  for (let round = -WARM_UP; round < rounds; round++) {
    const begun = performance.now();
    const response = await fetch(`${publicUrl}/v1/quote?${trade}`, { headers: { 'x-api-key': apiKey ?? '' } });
    await response.text();
    if (!response.ok) throw new Error(`the service answers ${response.status}`);
    const took = performance.now() - begun;
    const drawn = (await page.evaluate(DRAWN)) as number;
    // What splits and depth earned is asked for beside it, and would be in the next quote's way.
    await page.waitForNetworkIdle({ idleTime: 100 });
    if (round < 0) continue;
    service.push(took);
    shown.push(drawn);
  }
  const figures = { rounds, service: spread(service), page: spread(shown) };
  const beyond = figures.page.median - figures.service.median;
  if (values.json) console.log(JSON.stringify({ ...figures, beyond }));
  else {
    const told = ({ median, p95 }: Spread): string => `${median.toFixed(1)} / ${p95.toFixed(1)} ms`;
    console.log(`${rounds} rounds in turns, median / p95: the service ${told(figures.service)}, the page ${told(figures.page)}`);
    console.log(`the page takes ${beyond.toFixed(1)} ms more (goal: at most 100)`);
  }
  if (values.record) recordFigures('page', { ...figures, beyondMs: beyond });
} finally {
  await braid.stop();
  await browser.close();
}
