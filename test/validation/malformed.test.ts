import { expect } from 'chai';
import fc from 'fast-check';
import { parseTradeRequest } from '../../src/validation/validation.ts';
import { PARAMETER_NAMES } from '../support/parameter-names.ts';
import { expectReadable, NATIVE, queryText, TAKER, USDC, WETH, ZERO } from './queries.ts';
import { seeded } from './seeded.ts';

const NAMES = [...PARAMETER_NAMES, '__proto__', 'constructor', 'chainId[]', 'sellToken[$ne]', '%zz', ''];

const VALUES = [
  ...[
    '',
    '0',
    '1',
    '-1',
    '1e18',
    '1e400',
    '0x10',
    '1.0',
    '%0A',
    '%',
    '%zz',
    '%c0%af',
    '%00',
    '%ef%bc%91',
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'undefined',
    'true',
    'TRUE',
    'sell',
    'buy',
  ],
  ...[
    WETH,
    USDC,
    NATIVE,
    TAKER,
    ZERO,
    'permit2',
    'uniswap_v2,x',
    ',',
    `${2n ** 256n - 1n}`,
    `${2n ** 256n}`,
    '9'.repeat(3000),
    '1e999',
    '1e-999',
    '[object Object]',
    '<script>',
    '{{7*7}}',
  ],
];

describe('10,000 malformed requests', () => {
  it('never throw: each is a request or a readable message (D31)', () => {
    const value = fc.oneof(
      fc.constantFrom(...VALUES),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('%', '4', 'z', '+', '&', '=', ';', 'é'), maxLength: 12 }),
    );
    const change = fc.tuple(fc.constantFrom(...NAMES), value);
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('quote', 'swap'),
        fc.boolean(),
        fc.boolean(),
        (changes, endpoint, developmentMode, replace) => {
          const rawQuery = replace ? queryText(Object.fromEntries(changes)) : `${queryText()}&${changes.map(([name, text]) => `${name}=${text}`).join('&')}`;
          const parsed = parseTradeRequest(endpoint, rawQuery, { developmentMode });
          counts[parsed.ok ? 'accepted' : 'refused'] += 1;
          if (!parsed.ok) return expectReadable(parsed.message);
          const { request } = parsed;
          expect(request.amount > 0n && request.amount < 2n ** 256n).to.equal(true);
          expect(request.timeLimitMs).to.be.within(50, 5000);
          expect(request.maxHops ?? 1).to.be.within(1, 7);
          expect(request.requestFee?.feeBps ?? 0).to.be.within(0, 1500);
          expect(request.sellToken).not.to.equal(request.buyToken);
          expect(request.gasPriceWei ?? 1n).to.satisfy((wei: bigint) => wei >= 1n && wei <= 10n ** 30n);
        },
      ),
      seeded(10_000),
    );
    expect(counts.refused).to.be.above(5000);
    expect(counts.accepted).to.be.above(100);
  });

  it('never throw on arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (rawQuery) => {
        const parsed = parseTradeRequest('swap', rawQuery, { developmentMode: true });
        if (!parsed.ok) expectReadable(parsed.message);
        expect(parsed.ok).to.equal(false);
      }),
      seeded(2000),
    );
  });
});
