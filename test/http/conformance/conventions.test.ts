import { expect } from 'chai';
import type { QuoteResponse } from '../../../schemas/types.gen.ts';
import { expectCommonHeaders } from '../support/checks.ts';
import { internalPaths } from './support/internal-paths.ts';
import { leaveOut, NATIVE, needsSwaps, useService } from './support/service.ts';
import { askQuote, atOneBlock, buying, queryOf, quoteOf, sellOf, swapOf } from './support/trades.ts';

const ADDRESS_FIELDS = new Set([
  'sellToken',
  'buyToken',
  'taker',
  'recipient',
  'allowanceTarget',
  'poolAddress',
  'hook',
  'tokenIn',
  'tokenOut',
  'feeToken',
  'partner',
  'from',
  'to',
]);
const WEI_FIELDS = new Set(['sellAmount', 'buyAmount', 'minBuyAmount', 'amountIn', 'amountOut', 'feeAmount', 'partnerAmount', 'protocolAmount', 'value']);

type Member = { readonly name: string; readonly value: unknown };

/** Every member of a body, however deep. */
function membersOf(value: unknown): readonly Member[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.entries(value).map(([name, member]) => ({ name, value: member }));
  return [...own, ...Object.values(value).flatMap(membersOf)];
}

describe('What the service does: general conventions', () => {
  const service = useService();

  /** Bodies of each kind that has amounts and addresses; swaps where they are built. */
  async function bodies(): Promise<readonly unknown[]> {
    const trades = [
      {},
      buying(service()),
      { feeBps: '10', feeRecipient: '0x00000000000000000000000000000000000000Ab' },
      { sellToken: NATIVE, buyToken: service().buyToken },
    ];
    const found: unknown[] = [];
    for (const changes of trades) {
      found.push(await quoteOf(service(), changes));
      if (service().settlement !== null) found.push(await swapOf(service(), changes));
    }
    return found;
  }

  it('Token amounts on the wire are decimal strings of base units (wei), never floats', async () => {
    const amounts = (await bodies()).flatMap(membersOf).filter(({ name }) => WEI_FIELDS.has(name));
    expect(amounts.length).to.be.at.least(20);
    for (const { name, value } of amounts)
      expect(value, name)
        .to.be.a('string')
        .and.match(/^(0|[1-9][0-9]*)$/);
  });

  it('Addresses are 0x-prefixed 20-byte hex, case-insensitive: checksummed, lower and upper hex give the same route (complaint 5)', async function () {
    const addresses = (await bodies()).flatMap(membersOf).filter(({ name, value }) => ADDRESS_FIELDS.has(name) && value !== null);
    expect(addresses.length).to.be.at.least(20);
    for (const { name, value } of addresses)
      expect(value, name)
        .to.be.a('string')
        .and.match(/^0x[0-9a-fA-F]{40}$/);
    const { sellToken, buyToken } = service();
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
    const routeOf = ({ route }: QuoteResponse) => JSON.stringify(route).toLowerCase();
    for (const spelt of [(text: string) => text.toLowerCase(), upper]) {
      const pair = await atOneBlock(
        () => quoteOf(service()),
        () => quoteOf(service(), { sellToken: spelt(sellToken), buyToken: spelt(buyToken) }),
      );
      if (pair === null) return leaveOut(this, 'the chain moves too fast for two answers of one block');
      expect(routeOf(pair[1])).to.equal(routeOf(pair[0]));
    }
  });

  it('The native token of a chain is the sentinel address, valid as `sellToken` and as `buyToken`, in any case (complaint 5)', async () => {
    const upper = `0x${NATIVE.slice(2).toUpperCase()}`;
    for (const native of [NATIVE, upper, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE']) {
      const sold = await quoteOf(service(), { sellToken: native, sellAmount: '1000000000000000000' });
      expect(sold.sellToken).to.equal(native);
      expect(sold.route[0]?.tokenIn.toLowerCase()).to.equal(NATIVE);
      expect(sold.allowanceTarget).to.equal(null);
      const bought = await quoteOf(service(), { sellToken: service().buyToken, buyToken: native, sellAmount: service().buyAmount });
      expect(bought.route.at(-1)?.tokenOut.toLowerCase()).to.equal(NATIVE);
    }
  });

  it('Every field name is camelCase', async () => {
    const { client, chain } = service();
    const others = await Promise.all(['/healthz', `/v1/${chain}/sources`, '/v1/quote'].map(async (path) => (await client.ask(path)).json()));
    const names = [...(await bodies()), ...others].flatMap(membersOf).map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z][a-zA-Z0-9]*$/.test(name))).to.deep.equal([]);
  });

  it('A repeated query parameter uses the unindexed form: `name[]=` and `name[0]=` are unknown names (R3)', async () => {
    const query = queryOf(sellOf(service()));
    for (const name of ['excludeVenues[]', 'excludeVenues[0]', 'excludeVenues[a]']) {
      const all = service().labels.map((label) => `&${name}=${encodeURIComponent(label)}`);
      expect((await service().client.ask(`/v1/quote?${query}${all.join('')}`)).status, name).to.equal(200);
    }
  });

  it('Quotes are stateless: there is no quote-id handshake, and a `quoteId` is unique per response', async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 5; i++) ids.add((await quoteOf(service())).quoteId);
    if (service().settlement !== null) ids.add((await swapOf(service())).quoteId);
    expect(ids.size).to.equal(service().settlement === null ? 5 : 6);
    // An id sent along is an unknown parameter.
    const [quoteId = ''] = ids;
    expect((await quoteOf(service(), { quoteId })).quoteId).not.to.equal(quoteId);
  });

  it('Prices must not be cached: `Cache-Control: no-store` and no `ETag` on every answer, and nothing makes a 304 (S12)', async () => {
    const { client, chain } = service();
    for (const path of [
      `/v1/quote?${queryOf(sellOf(service()))}`,
      '/v1/quote',
      '/v1/swap',
      '/healthz',
      `/v1/${chain}/sources`,
      '/v1/nowhere/sources',
      '/nothing',
    ]) {
      const response = await client.ask(path, { headers: { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() } });
      expect(response.status, path).not.to.equal(304);
      expectCommonHeaders(response);
      expect(response.headers.get('last-modified')).to.equal(null);
    }
  });

  const internal = internalPaths();

  it('the internal paths are known here, those of every part', () => {
    expect(internal).to.include.members(['/metrics', '/livez', '/readyz', '/openapi.json', '/docs', '/docs/', '/docs/swagger-ui.css', '/switches']);
    expect(internal).to.include.members(['/devnet', '/devnet/bots', '/route', '/route/page.js', '/route/chains', '/route/answer', '/route/answer/unsplit']);
  });

  for (const path of internal) {
    it(`The internal introspection routes are not available on the public host: ${path}`, async () => {
      const response = await service().client.ask(path);
      expect(response.status).to.equal(404);
      expect(await response.json()).to.have.all.keys('error');
    });
  }

  it('Any origin may call: rate headers and `Retry-After` are exposed (S13)', async () => {
    const response = await askQuote(service(), {}, { headers: { origin: 'https://app.example' } });
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    const exposed = response.headers.get('access-control-expose-headers')?.toLowerCase().split(/, */);
    expect(exposed).to.include.members(['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after', 'x-request-id']);
  });

  describe('request ids (S14)', () => {
    const idOf = async (sent: string) =>
      (await service().client.ask(`/v1/${service().chain}/sources`, { headers: { 'x-request-id': Buffer.from(sent, 'utf8').toString('latin1') } })).headers.get(
        'x-request-id',
      );

    it("the caller's when it is harmless", async () => {
      for (const id of ['abc.DEF-1_2', '0', 'x'.repeat(64)]) expect(await idOf(id)).to.equal(id);
    });

    it('else a new uuid', async () => {
      for (const id of ['', 'a b', 'x'.repeat(65), 'a"b', '<b>', 'a,b', 'ä'])
        expect(await idOf(id), id).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });
  });
});

describe('What the service does: execution semantics', () => {
  const service = useService();

  it('Surplus is not a request parameter and is never part of the fee breakdown', async () => {
    const { fee } = await quoteOf(service(), { surplus: 'taker', surplusDestination: 'taker' }, { key: null });
    expect(fee).to.have.all.keys('feeBps', 'feeToken', 'feeAmount', 'partnerAmount', 'protocolAmount', 'partnerShareBps', 'partner');
    expect(BigInt(fee?.partnerAmount ?? 0) + BigInt(fee?.protocolAmount ?? 0)).to.equal(BigInt(fee?.feeAmount ?? -1));
  });

  it('No `gasLimit` is returned: `transaction` has exactly from, to, data, value (S22); gasPriceGwei affects route selection, never execution', async function () {
    needsSwaps(this, service());
    for (const changes of [{}, { gasPriceGwei: '77' }, { sellToken: NATIVE, sellAmount: '1000000000000000000' }, buying(service())]) {
      const { transaction } = await swapOf(service(), changes);
      expect(transaction).to.have.all.keys('from', 'to', 'data', 'value');
    }
  });
});
