import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { expectPlainRefusal } from '../support/checks.ts';
import { needsOwn, useService } from './support/service.ts';
import { askQuote, queryOf, quoteOf, rateOf, sellOf } from './support/trades.ts';

describe('Limits', () => {
  const service = useService();

  it('Rate headers: `X-RateLimit-Limit` and `X-RateLimit-Remaining` on every response, including successes: 200, 204, 400, 404, 405 (complaint 9)', async () => {
    const { client, chain, key } = { ...service(), key: service().own?.key(50) };
    const caller = key === undefined ? {} : { key };
    const expected = new Map<string, number>();
    for (const [path, method, status] of [
      [`/v1/quote?${queryOf(sellOf(service()))}`, 'GET', 200],
      [`/v1/${chain}/sources`, 'GET', 200],
      ['/v1/quote', 'OPTIONS', 204],
      ['/v1/quote', 'GET', 400],
      ['/v1/swap', 'GET', 400],
      ['/v1/nowhere/sources', 'GET', 404],
      ['/nothing', 'GET', 404],
      ['/v1/quote', 'DELETE', 405],
    ] as const) {
      const response = await client.ask(path, { ...caller, method });
      expect(response.status, `${method} ${path}`).to.equal(status);
      const { limit, remaining } = rateOf(response);
      expected.set(String(limit), limit);
      expect(remaining).to.be.at.most(Math.floor(Math.min(limit * 1.5, limit + 20)));
    }
    // One identity, one sustained rate.
    expect(expected.size).to.equal(1);
  });

  it('Burst reservoir: min(rps x 1.5, rps + 20) tokens: keys of 2, 10 and 50 have 3, 15 and 70, then their rate and no more', async function () {
    const own = needsOwn(this, service());
    const { client, chain } = service();
    const path = `/v1/${chain}/sources`;
    const spend = async ([rps, burst]: readonly [2 | 10 | 50, number]) => {
      const caller = { key: own.key(rps) };
      let startedAt = 0;
      // 405 looks and takes nothing.
      const isFull = async () => {
        startedAt = performance.now();
        const { limit, remaining } = rateOf(await client.askNow(path, { ...caller, method: 'DELETE' }));
        expect([limit, remaining <= burst]).to.deep.equal([rps, true]);
        return remaining === burst;
      };
      expect(await until(isFull, 60_000), 'what earlier tests took flows in again').to.equal(true);
      let [served, refused] = [0, 0];
      while (refused === 0) {
        const batch = await Promise.all(Array.from({ length: burst + 8 }, () => client.askNow(path, caller)));
        served += batch.filter(({ status }) => status === 200).length;
        refused += batch.filter(({ status }) => status === 429).length;
      }
      const seconds = (performance.now() - startedAt) / 1000;
      expect(served, `${rps} rps`).to.be.within(burst, Math.floor(burst + rps * seconds));
    };
    await Promise.all(
      (
        [
          [2, 3],
          [10, 15],
          [50, 70],
        ] as const
      ).map(spend),
    );
  });

  it('The anonymous reservoir is 4 whole tokens of 4.5; refilling continuously at the sustained rate', async () => {
    const { client } = service();
    // /healthz looks and takes nothing.
    const look = async () => rateOf(await client.askNow('/healthz')).remaining;
    expect(await until(async () => (await look()) === 4, 60_000), 'nobody else on this address: its bucket fills').to.equal(true);
    expect(rateOf(await client.askNow('/healthz'))).to.deep.equal({ limit: 3, remaining: 4 });
    const startedAt = performance.now();
    for (let i = 0; i < 2; i++) await client.askNow('/nothing', { key: null });
    const { remaining } = rateOf(await client.askNow('/nothing', { key: null }));
    const seconds = (performance.now() - startedAt) / 1000;
    expect(remaining).to.be.within(1, Math.floor(Math.min(4.5, 1.5 + 3 * seconds)));
    expect(await until(async () => (await look()) > remaining, 60_000), 'it refills').to.equal(true);
    expect(await until(async () => (await look()) === 4, 60_000), 'and fills').to.equal(true);
  });

  it('`feeBps`: 0 to 1500 (15% cap); `timeLimitMs`: 50 to 5000 ms: the ends are in, what is next to them is out', async () => {
    const feeRecipient = '0x00000000000000000000000000000000000000Ab';
    for (const changes of [{ feeBps: '0', feeRecipient }, { feeBps: '1500', feeRecipient }, { timeLimitMs: '50' }, { timeLimitMs: '5000' }])
      await quoteOf(service(), changes);
    for (const changes of [{ feeBps: '1501', feeRecipient }, { timeLimitMs: '49' }, { timeLimitMs: '5001' }])
      await expectPlainRefusal(await askQuote(service(), changes), 400);
  });
});
