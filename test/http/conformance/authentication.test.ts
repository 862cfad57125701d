import { expect } from 'chai';
import { leaveOut, needsOwn, POLICY, useService } from './support/service.ts';
import { askQuote, askSwap, queryOf, quoteOf, rateOf, sellOf } from './support/trades.ts';

describe('Authentication', () => {
  const service = useService();

  it('1. Authentication is optional on every route. Every route works without credentials', async () => {
    const { client, chain, settlement } = service();
    const anonymous = { key: null };
    expect((await askQuote(service(), {}, anonymous)).status).to.equal(200);
    if (settlement !== null) expect((await askSwap(service(), {}, anonymous)).status).to.equal(200);
    expect((await client.ask(`/v1/${chain}/sources`, anonymous)).status).to.equal(200);
    expect((await client.ask('/healthz', anonymous)).status).to.be.oneOf([200, 503]);
  });

  it('3. Without a key the caller is served at the anonymous rate of 3 requests per second; the anonymous fee is 10 bps (0.10%) on the buy token, reported in the `fee` block of every response', async () => {
    const response = await askQuote(service(), {}, { key: null });
    expect(rateOf(response).limit).to.equal(3);
    expect(((await response.json()) as { fee?: { feeBps: number } }).fee?.feeBps).to.equal(10);
    if (service().settlement === null) return;
    const swap = (await (await askSwap(service(), {}, { key: null })).json()) as { fee?: { feeBps: number } };
    expect(swap.fee?.feeBps).to.equal(10);
  });

  it('4. With a registered key: the rate budget provisioned for that key, in place of the per-IP budget', async function () {
    const { client, own } = service();
    if (client.key === null) return leaveOut(this, 'BRAID_API_KEY is not set');
    const { limit, remaining } = rateOf(await askQuote(service()));
    expect(limit).to.be.greaterThan(0);
    expect(remaining).to.be.at.most(Math.floor(Math.min(limit * 1.5, limit + 20)));
    if (own === null) return;
    for (const rps of [2, 10, 50] as const) expect(rateOf(await askQuote(service(), {}, { key: own.key(rps) })).limit).to.equal(rps);
  });

  it('4. a negotiated fee policy that replaces the anonymous fee and overrides any fee in the request; for most keys, no fee', async function () {
    const own = needsOwn(this, service());
    expect(await quoteOf(service(), {}, { key: own.key(50) })).not.to.have.property('fee');
    const { fee } = await quoteOf(service(), {}, { key: own.policyKey });
    expect(fee).to.include({ feeBps: POLICY.feeBps, partnerShareBps: POLICY.partnerShareBps });
  });

  it('5. An unrecognised key is treated exactly like no key; rotating key values does not widen a budget (faults E5, E6)', async () => {
    const { client } = service();
    const keys = ['x', 'k'.repeat(7000), '<API_KEY>', `${client.key ?? 'braid'}x`, `${client.key ?? 'a'}, ${client.key ?? 'b'}`];
    const feeOf = async (key: string | null) => (await quoteOf(service(), {}, { key })).fee;
    const anonymous = await feeOf(null);
    for (const key of keys) {
      // Paced as the anonymous caller that it is: the pause is that of the identity without a key.
      const path = `/v1/quote?${queryOf(sellOf(service()))}`;
      const response = await client.ask(path, { key: null, headers: { 'x-api-key': key } });
      expect(response.status).to.equal(200);
      expect(rateOf(response).limit).to.equal(3);
      const { fee } = (await response.json()) as { fee?: Record<string, unknown> };
      expect(fee).to.include({ feeBps: 10, partner: anonymous?.partner, partnerShareBps: 0 });
    }
  });

  it('6. Rate-limit identity is the API key when a registered one is sent, otherwise the client IP: an empty anonymous bucket does not touch a key’s', async function () {
    const own = needsOwn(this, service());
    const { client, chain } = service();
    const path = `/v1/${chain}/sources`;
    const statusOf = async (key: string | null) => (await client.askNow(path, { key })).status;
    const burstAs = (key: string | null) => Promise.all(Array.from({ length: 12 }, () => statusOf(key)));
    let emptiedAt = performance.now();
    while (!(await burstAs(null)).includes(429)) emptiedAt = performance.now();
    const [ofKey, others] = await Promise.all([statusOf(own.key(50)), burstAs('another made-up key')]);
    expect(ofKey).to.equal(200);
    // A bucket of its own would hold four at once; of the shared one only what has flowed in since is left.
    const seconds = (performance.now() - emptiedAt) / 1000;
    expect(others.filter((status) => status !== 429).length).to.be.at.most(Math.floor(1 + 3 * seconds));
  });

  it('7. A key is a secret: no answer repeats it', async () => {
    const key = service().client.key ?? 'canary-key-of-the-conformance-suite';
    for (const path of [`/v1/quote?${queryOf(sellOf(service()))}`, '/v1/quote', `/v1/${service().chain}/sources`, '/healthz', '/nothing']) {
      const response = await service().client.ask(path, { headers: { 'x-api-key': key } });
      expect(await response.text()).not.to.contain(key);
      expect([...response.headers.values()].join('\n')).not.to.contain(key);
    }
  });

  it('8. `/healthz` takes no key', async () => {
    const { client, own } = service();
    const key = own?.key(50) ?? client.key ?? 'any';
    expect(rateOf(await client.askNow('/healthz', { key })).limit).to.equal(3);
  });
});
