import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeRow, type OfflineRequest, readRequests } from '../../src/offline/offline.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { seedOr } from '../support/seeded-random.ts';

const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const SELL = { mode: 'sell', sellToken: WETH, buyToken: USDC, sellAmount: '1000' };
const plain = { chainId: 1, defaults: {} };

function accepted(row: OfflineRequest) {
  if (!row.ok) throw new Error(row.message);
  return row.request;
}
function refusal(row: OfflineRequest): string {
  return row.ok ? '' : row.message;
}

describe('a row of a requests file', () => {
  it('means what the same query of /v1/quote means', () => {
    const request = accepted(
      decodeRow({ ...SELL, maxHops: 9, gasPriceGwei: '1.5', timeLimitMs: 200, excludeRfq: true, excludeVenues: ['A_V2', 'b:x'] }, 0, plain),
    );
    expect(request).to.deep.include({ mode: 'sell', amount: 1000n, maxHops: 7, gasPriceWei: 1_500_000_000n, timeLimitMs: 200, excludeRfq: true });
    expect(request.excludeVenues).to.deep.equal(['a_v2', 'b:x']);
    expect(request.sellToken).to.equal(WETH.toLowerCase());
  });

  it('ignores the amount that the mode does not use, members that are no parameter, and nulls', () => {
    expect(accepted(decodeRow({ ...SELL, buyAmount: 'rubbish', userFee: '0', routerAddress: WETH, taker: null }, 0, plain)).amount).to.equal(1000n);
    expect(accepted(decodeRow({ ...SELL, mode: 'buy', buyAmount: '7', sellAmount: '' }, 0, plain))).to.deep.include({ mode: 'buy', amount: 7n });
  });

  it('may be a list of sell token, buy token, amount and mode', () => {
    expect(accepted(decodeRow([WETH, USDC, '5', 'sell'], 0, plain))).to.deep.include({ mode: 'sell', amount: 5n });
    expect(accepted(decodeRow([WETH, USDC, '6', 'buy'], 0, plain))).to.deep.include({ mode: 'buy', amount: 6n });
  });

  it('has the id that it carries, else its uid, else its position', () => {
    expect(decodeRow({ ...SELL, id: 'a', uid: 'b' }, 4, plain).id).to.equal('a');
    expect(decodeRow({ ...SELL, uid: 'b' }, 4, plain).id).to.equal('b');
    expect(decodeRow({ ...SELL, id: 12 }, 4, plain).id).to.equal('12');
    expect(decodeRow(SELL, 4, plain).id).to.equal('4');
    expect(decodeRow([WETH, USDC, '5', 'sell'], 4, plain).id).to.equal('4');
  });

  it('takes the defaults of the command line where it says nothing', () => {
    const defaults = { maxHops: '2', gasPriceGwei: '3' };
    expect(accepted(decodeRow(SELL, 0, { chainId: 1, defaults }))).to.deep.include({ maxHops: 2, gasPriceWei: 3_000_000_000n });
    expect(accepted(decodeRow({ ...SELL, maxHops: '5' }, 0, { chainId: 1, defaults })).maxHops).to.equal(5);
  });

  const refused: [string, unknown, string][] = [
    ['a number', 7, 'an object, or [sellToken, buyToken, amount, mode]'],
    ['a list of three', [WETH, USDC, '1'], 'an object, or'],
    ['no mode', { ...SELL, mode: undefined }, 'mode is missing'],
    ['an unknown mode', { ...SELL, mode: 'swap' }, 'mode is'],
    ['amount 0', { ...SELL, sellAmount: '0' }, 'sellAmount is'],
    ['no amount', { ...SELL, sellAmount: undefined }, 'sellAmount is missing'],
    ['an amount as a JSON number', { ...SELL, sellAmount: 2 ** 60 }, 'a decimal string is expected'],
    ['a token that is no address', { ...SELL, buyToken: 'USDC' }, 'buyToken is'],
    ['one token twice', { ...SELL, buyToken: WETH.toLowerCase() }, 'sellToken and buyToken are both'],
    ['another chain', { ...SELL, chainId: 56 }, 'the pool set is of chain 1'],
    ['a parameter that is an object', { ...SELL, maxHops: { a: 1 } }, 'maxHops is'],
    ['a scalar sent twice', { ...SELL, maxHops: ['1', '2'] }, 'maxHops is sent more than once'],
    ['half a surrogate pair', { ...SELL, sellAmount: '\ud800' }, 'sellAmount is'],
  ];
  for (const [what, row, message] of refused) {
    it(`is refused with the message of the service, not dropped: ${what}`, () => expect(refusal(decodeRow(row, 0, plain))).to.contain(message));
  }

  it('never throws, whatever JSON it is', () => {
    const runs = { seed: seedOr(20260101), numRuns: 2000 };
    const names = ['id', 'mode', 'sellToken', 'buyToken', 'sellAmount', 'buyAmount', 'maxHops', 'excludeVenues', 'feeBps', '__proto__', 'toString'];
    const row = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constantFrom('sell', WETH, USDC, '1'))),
    );
    fc.assert(
      fc.property(row, (value) => {
        const decoded = decodeRow(value, 3, plain);
        if (!decoded.ok) expect(decoded.message).to.be.a('string').and.not.equal('');
      }),
      runs,
    );
  });
});

describe('a requests file', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-requests-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const read = async (document: unknown, selection: object = {}) => {
    const file = path.join(folder, 'requests.json');
    writeFileSync(file, JSON.stringify(document));
    return readRequests(file, { every: 1, limit: null, ...plain, ...selection });
  };
  const ids = async (document: unknown, selection: object = {}): Promise<readonly string[]> => {
    const result = await read(document, selection);
    if (!result.ok) throw new Error(result.message);
    return result.requests.map(({ id }) => id);
  };

  it('is a list, or holds one under requests or orders', async () => {
    expect(await ids([SELL, SELL])).to.deep.equal(['0', '1']);
    expect(await ids({ requests: [SELL], chainId: 1 })).to.deep.equal(['0']);
    expect(await ids({ orders: [{ ...SELL, uid: '0xab' }] })).to.deep.equal(['0xab']);
    expect(await ids([])).to.deep.equal([]);
  });

  it('gives each n-th row, at most so many, with the positions they have in the file', async () => {
    const rows = Array.from({ length: 10 }, () => SELL);
    expect(await ids(rows, { every: 3 })).to.deep.equal(['0', '3', '6', '9']);
    expect(await ids(rows, { every: 3, limit: 2 })).to.deep.equal(['0', '3']);
    expect(await ids(rows, { limit: 100 })).to.have.length(10);
  });

  for (const document of [null, 7, 'text', {}, { requests: {} }, { orders: 1 }]) {
    it(`is refused with a message when it holds no list: ${JSON.stringify(document)}`, async () => {
      const result = await read(document);
      expect(result.ok ? '' : result.message).to.contain('holds no requests');
    });
  }
});

describeWithSharedData('the real request files', () => {
  const all = { every: 1, limit: null, ...plain };

  it('527 orders, 33 of them buys, and 1,000 trades decode', async () => {
    const orders = await readRequests(sharedData('requests/cow-ethereum-auction-7400681.orders.json.gz'), all);
    const trades = await readRequests(sharedData('requests/fynd-1k-requests.json.gz'), all);
    if (!orders.ok || !trades.ok) throw new Error('a file is refused');
    expect(orders.requests).to.have.length(527);
    expect(orders.requests.filter((row) => accepted(row).mode === 'buy')).to.have.length(33);
    expect(trades.requests).to.have.length(1000);
    expect(trades.requests.every((row) => accepted(row).mode === 'sell')).to.equal(true);
  });
});
