import { expect } from 'chai';
import { expectPlainRefusal, expectQuote } from './support/checks.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { DAI, LONELY, NATIVE, type RealSolving, realSolving, USDC, WETH } from './support/real-solving.ts';

const SELL = { chainId: '1', mode: 'sell', sellToken: WETH, buyToken: USDC, sellAmount: '1000000000000000000' };
const BUY = { chainId: '1', mode: 'buy', sellToken: WETH, buyToken: USDC, buyAmount: '2500000' };
const ADDRESS = '0x00000000000000000000000000000000000000Ab';
const MAX = (1n << 256n) - 1n;

type Query = Readonly<Record<string, string | undefined>>;
/** What a row requires: a status, and of a 200 some fields as the exact text of the body shows them. */
type Expected = { readonly status: number; readonly echo?: Readonly<Record<string, string>> };

const BAD: Expected = { status: 400 };
const OK: Expected = { status: 200 };
const NONE: Expected = { status: 404 };
const echo = (fields: Readonly<Record<string, string>>): Expected => ({ status: 200, echo: fields });

/** Replaces parameters of a base query; undefined takes one away. */
const row = (base: Query, changes: Query, expected: Expected) => ({ base, changes, expected });
const each = (name: string, values: readonly string[], expected: Expected, base: Query = SELL) => values.map((value) => row(base, { [name]: value }, expected));

// Raw text behind '?', for what URLSearchParams would not write. Section D of the faults catalogue; titles are its ids and words.
const SECTIONS: readonly (readonly [string, readonly { base: Query; changes: Query; expected: Expected }[]])[] = [
  [
    'D1 wei: ``, ` `, `+1`, `-1`, `1e18`, `0x10`, `1.0`, `1_0`, `１`, `1%0A`, `null`: 400',
    [
      ...each('sellAmount', ['', ' ', '+1', '-1', '1e18', '0x10', '1.0', '1_0', '１', '1\n', 'null', '1 ', '0b1', 'NaN'], BAD),
      ...each('buyAmount', ['', ' ', '+1', '1e18', '１', '1\n'], BAD, BUY),
    ],
  ],
  [
    'D2 wei `0`: 400; 2^256−1: 200/404; 2^256: 400',
    [
      ...each('sellAmount', ['0', '000', (MAX + 1n).toString(), '9'.repeat(300)], BAD),
      ...each('buyAmount', ['0', (MAX + 1n).toString()], BAD, BUY),
      row(BUY, { buyAmount: MAX.toString() }, NONE),
      row(SELL, { sellAmount: '0001000000000000000000' }, echo({ sellAmount: '"1000000000000000000"' })),
    ],
  ],
  [
    'the amount required by the mode is missing: 400; the other one is ignored, but must be well-formed (R9)',
    [
      row(SELL, { sellAmount: undefined }, BAD),
      row(BUY, { buyAmount: undefined }, BAD),
      row(SELL, { sellAmount: undefined, buyAmount: '1' }, BAD),
      row(SELL, { buyAmount: '7' }, OK),
      row(SELL, { buyAmount: '0' }, BAD),
      row(SELL, { buyAmount: '1e3' }, BAD),
    ],
  ],
  [
    'D4 address 39/41 hex, no `0x`, `0X`, space: 400; wrong checksum case, ALL-UPPER hex: valid',
    [
      ...each('sellToken', [WETH.slice(0, -1), `${WETH}0`, WETH.slice(2), WETH.replace('0x', '0X'), ` ${WETH}`, `${WETH} `, '', 'WETH', `${WETH}\n`], BAD),
      ...each('taker', [ADDRESS.slice(0, -1), `${ADDRESS}0`, ''], BAD),
      row(SELL, { sellToken: WETH.toLowerCase() }, echo({ sellToken: `"${WETH.toLowerCase()}"` })),
      row(SELL, { sellToken: `0x${WETH.slice(2).toUpperCase()}` }, echo({ sellToken: `"0x${WETH.slice(2).toUpperCase()}"` })),
      row(SELL, { sellToken: `0x${WETH.slice(2).replace('C', 'c')}` }, OK),
    ],
  ],
  [
    'D5 sellToken==buyToken by case; sentinel==sentinel in mixed case: 400',
    [row(SELL, { buyToken: WETH.toLowerCase() }, BAD), row(SELL, { sellToken: NATIVE, buyToken: `0x${NATIVE.slice(2).toUpperCase()}` }, BAD)],
  ],
  [
    'R11 the zero address as a token, taker, recipient or feeRecipient: 400; so is a receiver that is the router or the allowance holder',
    [
      ...['sellToken', 'buyToken', 'taker', 'recipient', 'feeRecipient'].map((name) => row(SELL, { [name]: `0x${'0'.repeat(40)}` }, BAD)),
      row(SELL, { recipient: '0x00000000000000000000000000000000000000f1' }, BAD),
      row(SELL, { recipient: '0x00000000000000000000000000000000000000F2' }, BAD),
      row(SELL, { feeBps: '5', feeRecipient: '0x00000000000000000000000000000000000000F1' }, BAD),
      row(SELL, { userAddress: `0x${'0'.repeat(40)}` }, OK),
    ],
  ],
  [
    'D8 bool `yes`, empty, `on`, `2`: 400 (`TRUE`, `1`, `True` are accepted)',
    ['excludeRfq', 'excludeRwa'].flatMap((name) => [
      ...each(name, ['yes', '', 'on', '2', ' true', 'null'], BAD),
      ...each(name, ['TRUE', '1', 'True', 'false', '0', 'FALSE'], OK),
    ]),
  ],
  [
    'D9 timeLimitMs 49/50/299/300/5000/5001/50.5/`5e2`/`0x64`/``: only integers 50–5000 pass',
    [
      ...each('timeLimitMs', ['49', '5001', '50.5', '5e2', '0x64', '', '-50', '99999999999999999999', ' 50', 'Infinity'], BAD),
      ...each('timeLimitMs', ['50', '299', '300', '5000', '0300'], OK),
    ],
  ],
  [
    'D10 slippagePct `NaN`,`Infinity`,`-Infinity`,`abc`,``: 400; `-1`,`0`,`1e-9`,`50.1`,`1e6`: clamp, echo the clamp (`1e400` is a number by R7)',
    [
      ...each('slippagePct', ['NaN', 'Infinity', '-Infinity', 'abc', '', ' ', '+1', '0x1', '.5', '5.', '５０', '1e4000', '1e', '0'.repeat(65)], BAD),
      ...each('slippagePct', ['-1', '0', '1e-9', '-1e300', '1e-300'], echo({ slippagePct: '0.00001' })),
      ...each('slippagePct', ['50.1', '1e6', '1e308', '1e400', '50', '5e1'], echo({ slippagePct: '50' })),
      row(SELL, { slippagePct: '0.00001' }, echo({ slippagePct: '0.00001' })),
      row(SELL, { slippagePct: '0.123456789' }, echo({ slippagePct: '0.123456789' })),
      row(SELL, {}, echo({ slippagePct: '0.5' })),
      row(BUY, { slippagePct: '7' }, echo({ slippagePct: '0' })),
      row(BUY, { slippagePct: 'x' }, BAD),
    ],
  ],
  [
    'D12 maxHops 0/8/−1: clamp, echo the clamp; 2.5, `1e400`, ``: 400',
    [
      ...each('maxHops', ['2.5', '1e400', '', '+1', '0x1', ' 1', 'all'], BAD),
      ...each('maxHops', ['0', '-1', '1', '-99999999999999999999'], echo({ maxHops: '1' })),
      ...each('maxHops', ['8', '7', '99999999999999999999'], echo({ maxHops: '7' })),
    ],
  ],
  ['D13 gasPriceGwei 0, −1, `Infinity`: 400', each('gasPriceGwei', ['0', '-1', 'Infinity', '', '0.0', '-0', 'NaN', '1e22', '1e999', '0x1'], BAD)],
  [
    'D14 gasPriceGwei `1e-9`, `0.0000000001`, `123456789.123456789`, `1e15`: gasPriceWei exact raw JSON integer beyond 2^53',
    [
      row(SELL, { gasPriceGwei: '1e-9' }, echo({ gasPriceWei: '1' })),
      row(SELL, { gasPriceGwei: '0.0000000001' }, echo({ gasPriceWei: '1' })),
      row(SELL, { gasPriceGwei: '123456789.123456789' }, echo({ gasPriceWei: '123456789123456789' })),
      row(SELL, { gasPriceGwei: '1e15' }, echo({ gasPriceWei: '1000000000000000000000000' })),
      row(SELL, { gasPriceGwei: '1e21' }, echo({ gasPriceWei: '1000000000000000000000000000000' })),
      row(SELL, { gasPriceGwei: '0.0000000015' }, echo({ gasPriceWei: '2' })),
    ],
  ],
  [
    'D15 feeBps −1/1501/1.5: 400; feeBps without feeRecipient: 400; feeRecipient alone: ok',
    [
      ...['-1', '1501', '1.5', '', '1e2', '99999999999999999999'].map((feeBps) => row(SELL, { feeBps, feeRecipient: ADDRESS }, BAD)),
      row(SELL, { feeBps: '10' }, BAD),
      row(SELL, { feeBps: '0' }, BAD),
      row(SELL, { feeRecipient: ADDRESS }, OK),
      row(SELL, { feeBps: '1500', feeRecipient: ADDRESS }, OK),
      row(SELL, { feeBps: '0', feeRecipient: ADDRESS }, OK),
    ],
  ],
  [
    'D17 `a[]=1`, `a[b]=1`, `sellToken[$ne]=`, `sellToken.x`: unknown names ignored; required missing: 400',
    [
      row(SELL, { 'a[]': '1', 'a[b]': '1', 'sellToken[$ne]': '', 'sellToken.x': '1', utm_source: 'x' }, OK),
      row(SELL, { sellToken: undefined, 'sellToken[]': WETH, 'sellToken[0]': WETH, 'sellToken[a]': WETH }, BAD),
      ...['chainId', 'mode', 'sellToken', 'buyToken'].map((name) => row(SELL, { [name]: undefined }, BAD)),
      ...each('mode', ['SELL', 'exact', '', 'sell ', 'constructor'], BAD),
    ],
  ],
  [
    'D18 names `__proto__`,`constructor`,`toString`,`hasOwnProperty`,`__defineGetter__`: ignored',
    [
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', '__proto__[mode]', 'constructor[prototype][x]'].map((name) =>
        row(SELL, { [name]: 'x' }, OK),
      ),
      row(SELL, { mode: undefined, '__proto__[mode]': 'sell' }, BAD),
    ],
  ],
  [
    'D26 deadline past, 0, −1, abc: swap-only, so ignored on /v1/quote, malformed values included (R18)',
    [...each('deadline', ['1', '0', '-1', 'abc', ''], OK), ...each('funding', ['cash', ''], OK), ...each('userAddress', ['nobody', ''], OK)],
  ],
  [
    'D28 chainId `1.0`,`1e0`,`0x1`,`01`,`99999999999999999999`: 400/404; routerAddress / allowanceHolderAddress: 400',
    [
      ...each('chainId', ['1.0', '1e0', '0x1', '99999999999999999999', '', '-1', '9223372036854775808', ' 1', 'ethereum'], BAD),
      ...each('chainId', ['2', '0', '56', '31337', '9223372036854775807', '9007199254740993'], NONE),
      row(SELL, { chainId: '01' }, echo({ chainId: '1' })),
      ...['routerAddress', 'allowanceHolderAddress'].flatMap((name) => each(name, [ADDRESS, '', 'x'], BAD)),
    ],
  ],
  [
    'D24 labels: case, spaces, `family`, `family:variant`, `:x`, `x:`, unknown, 300 labels: unknown ignored',
    [
      row(SELL, { excludeVenues: 'UNISWAP_V2, Sushiswap_V2' }, NONE),
      row(SELL, { excludeVenues: 'uniswap_v2:variant,:x,x:,nobody' }, OK),
      row(SELL, { excludeVenues: Array.from({ length: 300 }, (_, i) => `venue_${i}`).join(',') }, OK),
      row(SELL, { includeVenues: ' SUSHISWAP_V2 ' }, OK),
      row(SELL, { includeVenues: 'nobody' }, NONE),
      row(SELL, { includeVenues: ' , ,' }, OK),
      row(SELL, { includeVenues: 'nobody', excludeVenues: 'nobody_else' }, BAD),
      row(SELL, { includeVenues: ',', excludeVenues: 'uniswap_v2' }, OK),
      row({ ...SELL, sellToken: NATIVE, buyToken: WETH }, { includeVenues: 'nobody' }, OK),
    ],
  ],
  [
    'no route exists for the pair and size: 404',
    [
      row(SELL, { buyToken: LONELY }, NONE),
      row(SELL, { buyToken: ADDRESS }, NONE),
      row(SELL, { sellToken: USDC, buyToken: WETH, sellAmount: MAX.toString() }, NONE),
    ],
  ],
];

describe('the parameters of /v1/quote, over HTTP', () => {
  let real: RealSolving;
  let edge: Edge;

  before(async () => {
    real = await realSolving();
    edge = await startEdge({ chains: [real.hosted], solve: (job, signal) => real.solving.solve(job, signal) });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });

  const ask = (rawQuery: string) => fetch(`${edge.url}/v1/quote?${rawQuery}`, { headers: { 'x-api-key': edge.key(100_000) } });

  for (const [title, rows] of SECTIONS) {
    it(title, async () => {
      for (const { base, changes, expected } of rows) {
        const sent = Object.entries({ ...base, ...changes }).filter((pair): pair is [string, string] => pair[1] !== undefined);
        const rawQuery = sent.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        const response = await ask(rawQuery);
        const shown = JSON.stringify(changes).slice(0, 200);
        if (expected.status !== 200) {
          expect(response.status, shown).to.equal(expected.status);
          await expectPlainRefusal(response, expected.status);
          continue;
        }
        const text = await response.clone().text();
        await expectQuote(response);
        for (const [field, value] of Object.entries(expected.echo ?? {}))
          expect(text, shown).to.match(new RegExp(`"${field}":${value.replaceAll('.', '\\.')}[,}]`));
      }
    });
  }

  const query = new URLSearchParams(SELL).toString();

  it('D6 sentinel↔WETH: not an error: 200, one `WRAP` hop, zero pool address, 1:1 before fee', async () => {
    for (const [sellToken, buyToken] of [
      [NATIVE, WETH],
      [WETH, `0x${NATIVE.slice(2).toUpperCase()}`],
    ]) {
      const response = await ask(new URLSearchParams({ ...SELL, sellToken, buyToken } as Record<string, string>).toString());
      const body = await expectQuote(response);
      expect(body.route).to.have.length(1);
      expect(body.route[0]).to.include({
        protocol: 'WRAP',
        source: 'WRAP',
        poolAddress: `0x${'0'.repeat(40)}`,
        amountIn: SELL.sellAmount,
        amountOut: SELL.sellAmount,
      });
      expect(body.buyAmount).to.equal(SELL.sellAmount);
      expect(body).not.to.have.property('fee');
    }
  });

  it('D16 repeated scalar: 400; repeated include/excludeVenues: union', async () => {
    for (const repeated of ['mode=sell', 'mode=buy', 'chainId=1', 'sellAmount=1', 'timeLimitMs=50&timeLimitMs=50', 'slippagePct=1&slippagePct=2']) {
      await expectPlainRefusal(await ask(`${query}&${repeated}`), 400);
    }
    expect((await ask(`${query}&excludeVenues=uniswap_v2`)).status).to.equal(200);
    expect((await ask(`${query}&excludeVenues=uniswap_v2&excludeVenues=sushiswap_v2`)).status).to.equal(404);
    const include = await expectQuote(await ask(`${query}&includeVenues=nobody&includeVenues=&includeVenues=sushiswap_v2`));
    expect(include.route.map((hop) => hop.source)).to.deep.equal(['sushiswap_v2']);
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
      const response = await ask(`${query}&${bad}`);
      expect(response.headers.get('set-cookie')).to.equal(null);
      await expectPlainRefusal(response, 400);
    }
    expect((await ask(`${query}&note=a+b%20c%E2%82%AC&&&=`)).status, 'harmless').to.equal(200);
  });

  it('R16 a query above 8 KiB or 64 pairs is 400', async () => {
    const pad = (length: number) => `${query}&pad=${'x'.repeat(length - query.length - '&pad='.length)}`;
    expect((await ask(pad(8192))).status).to.equal(200);
    await expectPlainRefusal(await ask(pad(8193)), 400);
    const pairs = (count: number) => `${query}${'&u=1'.repeat(count - 5)}`;
    expect((await ask(pairs(64))).status).to.equal(200);
    await expectPlainRefusal(await ask(pairs(65)), 400);
  });

  it('a prototype is never touched by names that callers send', async () => {
    await ask(`${query}&__proto__=polluted&constructor=polluted&__proto__.x=1`);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
    expect(Object.prototype.toString.call({})).to.equal('[object Object]');
  });

  it('routerAddress is admitted where developmentMode is on', async () => {
    const other = await startEdge({ chains: [real.hosted], solve: (job, signal) => real.solving.solve(job, signal), developmentMode: true });
    try {
      expect((await fetch(`${other.url}/v1/quote?${query}&routerAddress=${ADDRESS}`)).status).to.equal(200);
    } finally {
      await other.close();
    }
  });

  it('amounts beyond 2^53 and of 0-decimals tokens go through untouched', async () => {
    for (const buyAmount of ['9007199254740993', '1', '123456789012345678901']) {
      const response = await ask(new URLSearchParams({ ...BUY, buyToken: DAI, buyAmount }).toString());
      const body = await expectQuote(response);
      expect(body.buyAmount).to.equal(buyAmount);
    }
  });
});
