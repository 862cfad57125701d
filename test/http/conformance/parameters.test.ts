import { expect } from 'chai';
import { expectPlainRefusal, expectQuote } from '../support/checks.ts';
import { NATIVE, needsOwn, type Service, useService, ZERO } from './support/service.ts';
import { askQuote, buying, type Changes, queryOf, quoteOf, sellOf } from './support/trades.ts';

const ADDRESS = '0x00000000000000000000000000000000000000Ab';
/** A token that no pool trades. */
const LONELY = '0x00000000000000000000000000000000000010FE';
const MAX = (1n << 256n) - 1n;
const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;

/** What a row requires: one of these statuses, and of a 200 some fields as the exact text of the body shows them. */
type Expected = { readonly statuses: readonly number[]; readonly echo?: Readonly<Record<string, string>> };
/** The ordinary sell with these changes. */
type Row = { readonly changes: Changes; readonly expected: Expected };

const BAD: Expected = { statuses: [400] };
const OK: Expected = { statuses: [200] };
const NONE: Expected = { statuses: [404] };
const echo = (fields: Readonly<Record<string, string>>): Expected => ({ statuses: [200], echo: fields });
const row = (changes: Changes, expected: Expected): Row => ({ changes, expected });
const each = (name: string, values: readonly string[], expected: Expected, base: Changes = {}): readonly Row[] =>
  values.map((value) => row({ ...base, [name]: value }, expected));

/** Section D of the faults catalogue; titles are its ids and words, or those of the interface and the decisions. */
const SECTIONS: readonly (readonly [string, (service: Service) => readonly Row[]])[] = [
  [
    'D1 wei: ``, ` `, `+1`, `-1`, `1e18`, `0x10`, `1.0`, `1_0`, `１`, `1%0A`, `null`: 400',
    (service) => [
      ...each('sellAmount', ['', ' ', '+1', '-1', '1e18', '0x10', '1.0', '1_0', '１', '1\n', 'null', '1 ', '0b1', 'NaN'], BAD),
      ...each('buyAmount', ['', ' ', '+1', '1e18', '１', '1\n'], BAD, buying(service)),
    ],
  ],
  [
    'D2 wei `0`: 400; 2^256−1: 200/404; 2^256: 400; leading zeros are normalised in the echo (R6)',
    (service) => [
      ...each('sellAmount', ['0', '000', (MAX + 1n).toString(), '9'.repeat(300)], BAD),
      ...each('buyAmount', ['0', (MAX + 1n).toString()], BAD, buying(service)),
      row({ ...buying(service), buyAmount: MAX.toString() }, NONE),
      row({ sellAmount: MAX.toString() }, { statuses: [200, 404] }),
      row({ sellAmount: `000${service.sellAmount}` }, echo({ sellAmount: `"${service.sellAmount}"` })),
    ],
  ],
  [
    'the amount required by the mode is missing: 400; the other one is ignored, but must be well-formed (R9)',
    (service) => [
      row({ sellAmount: undefined }, BAD),
      row({ ...buying(service), buyAmount: undefined }, BAD),
      row({ sellAmount: undefined, buyAmount: '1' }, BAD),
      row({ buyAmount: '7' }, OK),
      row({ buyAmount: '0' }, BAD),
      row({ buyAmount: '1e3' }, BAD),
    ],
  ],
  [
    'D4 address 39/41 hex, no `0x`, `0X`, space: 400; wrong checksum case, ALL-UPPER hex: valid, echoed as sent (R14)',
    ({ sellToken }) => [
      ...each(
        'sellToken',
        [
          sellToken.slice(0, -1),
          `${sellToken}0`,
          sellToken.slice(2),
          sellToken.replace('0x', '0X'),
          ` ${sellToken}`,
          `${sellToken} `,
          '',
          'WETH',
          `${sellToken}\n`,
        ],
        BAD,
      ),
      ...['taker', 'recipient', 'feeRecipient'].flatMap((name) => each(name, [ADDRESS.slice(0, -1), `${ADDRESS}0`, ''], BAD)),
      row({ sellToken: sellToken.toLowerCase() }, echo({ sellToken: `"${sellToken.toLowerCase()}"` })),
      row({ sellToken: upper(sellToken) }, echo({ sellToken: `"${upper(sellToken)}"` })),
      row({ taker: ADDRESS }, echo({ taker: `"${ADDRESS}"`, recipient: `"${ADDRESS}"` })),
      row({ taker: ADDRESS, recipient: LONELY }, echo({ taker: `"${ADDRESS}"`, recipient: `"${LONELY}"` })),
      row({}, echo({ taker: 'null', recipient: 'null' })),
    ],
  ],
  [
    'D5 sellToken==buyToken by case; sentinel==sentinel in mixed case: 400',
    ({ sellToken }) => [
      row({ buyToken: sellToken.toLowerCase() }, BAD),
      row({ buyToken: upper(sellToken) }, BAD),
      row({ sellToken: NATIVE, buyToken: upper(NATIVE) }, BAD),
    ],
  ],
  [
    'R11 the zero address as a token, taker, recipient or feeRecipient: 400; as a userAddress only on swap',
    () => [...['sellToken', 'buyToken', 'taker', 'recipient', 'feeRecipient'].map((name) => row({ [name]: ZERO }, BAD)), row({ userAddress: ZERO }, OK)],
  ],
  [
    'D8 bool `yes`, empty, `on`, `2`: 400 (`TRUE`, `1`, `True` are accepted)',
    () =>
      ['excludeRfq', 'excludeRwa'].flatMap((name) => [
        ...each(name, ['yes', '', 'on', '2', ' true', 'null'], BAD),
        ...each(name, ['TRUE', '1', 'True', 'false', '0', 'FALSE'], OK),
      ]),
  ],
  [
    'D9 timeLimitMs 49/50/299/300/5000/5001/50.5/`5e2`/`0x64`/``: only integers 50–5000 pass',
    () => [
      ...each('timeLimitMs', ['49', '5001', '50.5', '5e2', '0x64', '', '-50', '99999999999999999999', ' 50', 'Infinity'], BAD),
      ...each('timeLimitMs', ['50', '299', '300', '5000', '0300'], OK),
    ],
  ],
  [
    'D10 slippagePct `NaN`,`Infinity`,`-Infinity`,`abc`,``: 400; `-1`,`0`,`1e-9`,`50.1`,`1e6`: clamp, echo the clamp (`1e400` is a number by R7); in buy it is ignored and 0 (complaint 19)',
    (service) => [
      ...each('slippagePct', ['NaN', 'Infinity', '-Infinity', 'abc', '', ' ', '+1', '0x1', '.5', '5.', '５０', '1e4000', '1e', '0'.repeat(65)], BAD),
      ...each('slippagePct', ['-1', '0', '1e-9', '-1e300', '1e-300'], echo({ slippagePct: '0.00001' })),
      ...each('slippagePct', ['50.1', '1e6', '1e308', '1e400', '50', '5e1'], echo({ slippagePct: '50' })),
      row({ slippagePct: '0.00001' }, echo({ slippagePct: '0.00001' })),
      row({ slippagePct: '0.123456789' }, echo({ slippagePct: '0.123456789' })),
      row({}, echo({ slippagePct: '0.5' })),
      row({ ...buying(service), slippagePct: '7' }, echo({ slippagePct: '0' })),
      row({ ...buying(service), slippagePct: 'x' }, BAD),
    ],
  ],
  [
    'D12 maxHops 0/8/−1: clamp, echo the clamp; 2.5, `1e400`, ``: 400',
    () => [
      ...each('maxHops', ['2.5', '1e400', '', '+1', '0x1', ' 1', 'all'], BAD),
      ...each('maxHops', ['0', '-1', '1', '-99999999999999999999'], echo({ maxHops: '1' })),
      ...each('maxHops', ['8', '7', '99999999999999999999'], echo({ maxHops: '7' })),
    ],
  ],
  ['D13 gasPriceGwei 0, −1, `Infinity`: 400', () => each('gasPriceGwei', ['0', '-1', 'Infinity', '', '0.0', '-0', 'NaN', '1e22', '1e999', '0x1'], BAD)],
  [
    'D14 gasPriceGwei `1e-9`, `0.0000000001`, `123456789.123456789`, `1e15`: gasPriceWei exact raw JSON integer beyond 2^53',
    () => [
      row({ gasPriceGwei: '1e-9' }, echo({ gasPriceWei: '1' })),
      row({ gasPriceGwei: '0.0000000001' }, echo({ gasPriceWei: '1' })),
      row({ gasPriceGwei: '123456789.123456789' }, echo({ gasPriceWei: '123456789123456789' })),
      row({ gasPriceGwei: '1e15' }, echo({ gasPriceWei: '1000000000000000000000000' })),
      row({ gasPriceGwei: '1e21' }, echo({ gasPriceWei: '1000000000000000000000000000000' })),
      row({ gasPriceGwei: '0.0000000015' }, echo({ gasPriceWei: '2' })),
    ],
  ],
  [
    'D15 feeBps −1/1501/1.5: 400; feeBps without feeRecipient: 400; feeRecipient alone: ok',
    () => [
      ...['-1', '1501', '1.5', '', '1e2', '99999999999999999999'].map((feeBps) => row({ feeBps, feeRecipient: ADDRESS }, BAD)),
      row({ feeBps: '10' }, BAD),
      row({ feeBps: '0' }, BAD),
      row({ feeRecipient: ADDRESS }, OK),
      row({ feeBps: '1500', feeRecipient: ADDRESS }, OK),
      row({ feeBps: '0', feeRecipient: ADDRESS }, OK),
    ],
  ],
  [
    'D17 `a[]=1`, `a[b]=1`, `sellToken[$ne]=`, `sellToken.x`: unknown names ignored; required missing: 400',
    ({ sellToken }) => [
      row({ 'a[]': '1', 'a[b]': '1', 'sellToken[$ne]': '', 'sellToken.x': '1', utm_source: 'x' }, OK),
      row({ sellToken: undefined, 'sellToken[]': sellToken, 'sellToken[0]': sellToken, 'sellToken[a]': sellToken }, BAD),
      ...['chainId', 'mode', 'sellToken', 'buyToken'].map((name) => row({ [name]: undefined }, BAD)),
      ...each('mode', ['SELL', 'exact', '', 'sell ', 'constructor'], BAD),
    ],
  ],
  [
    'D18 names `__proto__`,`constructor`,`toString`,`hasOwnProperty`,`__defineGetter__`: ignored',
    () => [
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', '__proto__[mode]', 'constructor[prototype][x]'].map((name) =>
        row({ [name]: 'x' }, OK),
      ),
      row({ mode: undefined, '__proto__[mode]': 'sell' }, BAD),
    ],
  ],
  [
    'D26 deadline past, 0, −1, abc: swap-only, so ignored on /v1/quote, malformed values included (R18)',
    () => [...each('deadline', ['1', '0', '-1', 'abc', ''], OK), ...each('funding', ['cash', ''], OK), ...each('userAddress', ['nobody', ''], OK)],
  ],
  [
    'D28 chainId `1.0`,`1e0`,`0x1`,`01`,`99999999999999999999`: 400/404; routerAddress / allowanceHolderAddress: 400',
    ({ chainId }) => [
      ...each('chainId', ['1.0', '1e0', '0x1', '99999999999999999999', '', '-1', '9223372036854775808', ' 1', 'ethereum'], BAD),
      ...each('chainId', ['0', '9223372036854775807', '9007199254740993', '4294967297'], NONE),
      row({ chainId: `0${chainId}` }, echo({ chainId: String(chainId) })),
      ...['routerAddress', 'allowanceHolderAddress'].flatMap((name) => each(name, [ADDRESS, '', 'x'], BAD)),
    ],
  ],
  [
    'no route exists for the pair and size: 404, and dust whose output is 0 is 404, never 200 with "0" (complaint 7)',
    (service) => [
      row({ buyToken: LONELY }, NONE),
      row({ buyToken: ADDRESS }, NONE),
      // The first way of the pair that has the finer unit on its input side yields nothing for one of them.
      ...(BigInt(service.sellAmount) > BigInt(service.buyAmount)
        ? [row({ sellAmount: '1' }, NONE)]
        : [row({ sellToken: service.buyToken, buyToken: service.sellToken, sellAmount: '1' }, NONE)]),
    ],
  ],
];

describe('Endpoints: common query parameters (`/v1/quote` and `/v1/swap`)', () => {
  const service = useService();

  for (const [title, rowsOf] of SECTIONS) {
    it(title, async () => {
      for (const { changes, expected } of rowsOf(service())) {
        const response = await askQuote(service(), changes);
        const shown = JSON.stringify(changes).slice(0, 200);
        expect(expected.statuses, shown).to.include(response.status);
        if (response.status !== 200) {
          await expectPlainRefusal(response, response.status);
          continue;
        }
        const text = await response.clone().text();
        await expectQuote(response);
        for (const [field, value] of Object.entries(expected.echo ?? {}))
          expect(text, shown).to.match(new RegExp(`"${field}":${value.replaceAll('.', '\\.')}[,}]`));
      }
    });
  }

  const ask = (rawQuery: string) => service().client.ask(`/v1/quote?${rawQuery}`);
  const query = () => queryOf(sellOf(service()));

  it('D16 repeated scalar: 400; repeated include/excludeVenues: union (R3)', async () => {
    for (const repeated of [
      'mode=sell',
      'mode=buy',
      `chainId=${service().chainId}`,
      'sellAmount=1',
      'timeLimitMs=50&timeLimitMs=50',
      'slippagePct=1&slippagePct=2',
    ]) {
      await expectPlainRefusal(await ask(`${query()}&${repeated}`), 400);
    }
    const { source = '' } = (await quoteOf(service())).route.find(({ protocol }) => protocol !== 'WRAP') ?? {};
    const include = await expectQuote(await ask(`${query()}&includeVenues=nobody&includeVenues=&includeVenues=${source}`));
    expect([...new Set(include.route.map((hop) => hop.source))]).to.deep.equal([source]);
    const all = service()
      .labels.map((label) => `&excludeVenues=${encodeURIComponent(label)}`)
      .join('');
    await expectPlainRefusal(await ask(query() + all), 404);
  });

  it('D20 `%`, `%zz`, overlong UTF-8, `%00`, `%0d%0a`, `%252e`, `+` as space: 400 or literal; no header injection', async () => {
    for (const bad of [
      'x=%',
      'x=%zz',
      'x=%c0%af',
      '%=1',
      'taker=%00',
      'taker=%0d%0aset-cookie:a',
      'timeLimitMs=+50',
      'timeLimitMs=%2050',
      'slippagePct=1%252e5',
    ]) {
      const response = await ask(`${query()}&${bad}`);
      expect(response.headers.get('set-cookie')).to.equal(null);
      await expectPlainRefusal(response, 400);
    }
    expect((await ask(`${query()}&note=a+b%20c%E2%82%AC&&&=`)).status, 'harmless').to.equal(200);
  });

  it('R16 a query above 8 KiB or 64 pairs is 400', async () => {
    const pad = (length: number) => `${query()}&pad=${'x'.repeat(length - query().length - '&pad='.length)}`;
    expect((await ask(pad(8192))).status).to.equal(200);
    await expectPlainRefusal(await ask(pad(8193)), 400);
    const pairs = (count: number) => `${query()}${'&u=1'.repeat(count - 5)}`;
    expect((await ask(pairs(64))).status).to.equal(200);
    await expectPlainRefusal(await ask(pairs(65)), 400);
  });

  it('a prototype is never touched by names that callers send (D18)', async function () {
    needsOwn(this, service());
    await ask(`${query()}&__proto__=polluted&constructor=polluted&__proto__.x=1`);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
    expect(Object.prototype.toString.call({})).to.equal('[object Object]');
  });
});
