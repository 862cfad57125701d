import { expect } from 'chai';
import { expectPlainRefusal, expectRetryLater } from '../support/checks.ts';
import { useService } from './support/service.ts';
import { askQuote, askSwap, buying, type Changes } from './support/trades.ts';

describe('Errors', () => {
  const service = useService();

  const inconsistent: readonly [string, (path: 'quote' | 'swap') => Changes | null][] = [
    ['the amount required by the mode is missing', () => ({ sellAmount: undefined })],
    ['the amount required by the mode is missing in buy', () => ({ ...buying(service()), buyAmount: undefined })],
    ['a malformed wei string', () => ({ sellAmount: '1.5' })],
    ['`sellToken` equal to `buyToken`', () => ({ buyToken: service().sellToken })],
    ['`timeLimitMs` out of range', () => ({ timeLimitMs: '49' })],
    ['`feeBps` without `feeRecipient`', () => ({ feeBps: '10' })],
    ['`taker` missing on swap', (path) => (path === 'swap' ? { taker: undefined } : null)],
    ['both `excludeVenues` and `includeVenues` sent', () => ({ excludeVenues: 'a', includeVenues: 'b' })],
    ['a `routerAddress` override', () => ({ routerAddress: '0x00000000000000000000000000000000000000Ab' })],
    ['an `allowanceHolderAddress` override', () => ({ allowanceHolderAddress: '0x00000000000000000000000000000000000000Ab' })],
  ];
  for (const [title, changesOf] of inconsistent) {
    it(`400 Missing or inconsistent parameters: ${title}: \`error\` only, on quote and on swap`, async () => {
      for (const path of ['quote', 'swap'] as const) {
        const changes = changesOf(path);
        if (changes === null) continue;
        await expectPlainRefusal(await (path === 'quote' ? askQuote(service(), changes) : askSwap(service(), changes)), 400);
      }
    });
  }

  it('404 Chain unknown or not hosted, or no route exists for the pair and size: `error` only', async () => {
    for (const changes of [{ chainId: '4294967297' }, { buyToken: '0x00000000000000000000000000000000000010FE' }]) {
      await expectPlainRefusal(await askQuote(service(), changes), 404);
      await expectPlainRefusal(await askSwap(service(), changes), 404);
    }
  });

  it('parse and validate (400) → chain hosted (404) (R1)', async () => {
    const elsewhere = { chainId: '4294967297' };
    await expectPlainRefusal(await askQuote(service(), { ...elsewhere, maxHops: 'x' }), 400);
    await expectPlainRefusal(await askSwap(service(), { ...elsewhere, taker: undefined }), 400);
    // A deadline has passed whatever the chain.
    await expectPlainRefusal(await askSwap(service(), { ...elsewhere, deadline: '1700000000' }), 400);
  });

  it('429 The caller identity exceeded its request budget: `error`, `code` = `rate_limited`, `retryAfterSeconds`; header `Retry-After` in seconds, integer, minimum 1, never 0; after that long it is served (complaint 9)', async function () {
    this.timeout(300_000);
    const { client, chain } = service();
    // The anonymous identity: a registered key's own budget is its owner's, and may be large.
    const caller = { key: null };
    const path = `/v1/${chain}/sources`;
    let refused: Response | null = null;
    for (let i = 0; i < 400 && refused === null; i++) {
      const batch = await Promise.all(Array.from({ length: 4 }, () => client.askNow(path, caller)));
      refused = batch.find(({ status }) => status === 429) ?? null;
    }
    if (refused === null) throw new Error('1,600 requests at once and none refused');
    expect(refused.headers.get('x-ratelimit-remaining')).to.equal('0');
    const wait = Number(refused.headers.get('retry-after'));
    await expectRetryLater(refused, 429, 'rate_limited');
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    expect((await client.askNow(path, caller)).status).to.equal(200);
  });

  it('Only admission-control refusals carry a stable `code`: 400, 404 and 405 have exactly one member and no Retry-After (S21)', async () => {
    for (const [path, status, method] of [
      ['/v1/quote', 400, 'GET'],
      ['/v1/swap?chainId=1', 400, 'GET'],
      ['/nothing', 404, 'GET'],
      ['/v1/quote', 405, 'POST'],
      ['/healthz', 405, 'POST'],
    ] as const) {
      await expectPlainRefusal(await service().client.ask(path, { method }), status);
    }
  });

  it('`error`: Human-readable message: it names what was wrong, with what was sent, and never HTML or a stack', async () => {
    const message = await expectPlainRefusal(await askQuote(service(), { timeLimitMs: 'soon' }), 400);
    expect(message).to.contain('timeLimitMs').and.to.contain('soon').and.to.match(/50/);
  });
});
