import fc from 'fast-check';
import { PARAMETER_NAMES } from '../../support/parameter-names.ts';
import { DAI, NATIVE, USDC, WETH } from './real-solving.ts';

const ODD_NAMES = ['__proto__', 'constructor', 'a[]', 'sellToken[$ne]', '', '%', '%zz', '%00', 'toString', 'x'.repeat(500)];
const VALUES = [
  ...['', ' ', '0', '1', '-1', '+1', '1e3', '1e400', '1e-400', '0x10', '1.0', 'NaN', 'Infinity', '-Infinity', 'null', 'true', 'TRUE', 'sell', 'buy'],
  ...[WETH, USDC, DAI, NATIVE, WETH.toLowerCase(), `0x${'0'.repeat(40)}`, '0x', WETH.slice(0, 40)],
  ...[(2n ** 256n - 1n).toString(), (2n ** 256n).toString(), '9'.repeat(100), '9007199254740993', '1000000000000000000', '50', '5000', '1500'],
  ...[
    '%',
    '%zz',
    '%00',
    '%0d%0aset-cookie:x',
    '%c0%af',
    '%F0%9F%92%A9',
    '１',
    '<script>',
    '"',
    "'",
    '\\',
    '{}',
    '[]',
    'uniswap_v2',
    'uniswap_v2,:x',
    'permit2',
  ],
];
const VALID = {
  chainId: '1',
  mode: 'sell',
  sellToken: WETH,
  buyToken: USDC,
  sellAmount: '1000000000000000000',
  taker: '0x00000000000000000000000000000000000A11cE',
};

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text)) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 260n }).map(String) },
);
const name = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...PARAMETER_NAMES) }, { weight: 1, arbitrary: fc.constantFrom(...ODD_NAMES) });
const pair = fc.tuple(name, value).map(([left, right]) => `${left}=${right}`);
/** A good query with some pairs put in its place or beside it, or no good query at all. */
const query = fc
  .record({
    keep: fc.subarray(Object.entries(VALID), { minLength: 4 }),
    extra: fc.array(pair, { maxLength: 6 }),
    glue: fc.constantFrom('&', '&', '&', '&&', ';', '?'),
  })
  .map(({ keep, extra, glue }) => [...keep.map(([left, right]) => `${left}=${right}`), ...extra].join(glue));
const path = fc.oneof(
  { weight: 5, arbitrary: fc.constant('/v1/quote') },
  { weight: 2, arbitrary: fc.constant('/v1/swap') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/v1/quote/',
      '/v1/%zz/sources',
      '/v1/__proto__/sources',
      '/v1/eth/sources',
      '/healthz',
      '//',
      '/%',
      '/v1/quote%00',
      '*',
      'http://[bad/',
      'http://x/v1/quote',
    ),
  },
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'TRACE', 'DELETE', 'get') },
);
const headers = fc.array(
  fc.constantFrom('Content-Length: 3', 'X-Forwarded-For: \u0001', 'X-Request-Id: <b>', 'Accept: text/html', 'Cookie: a=b', 'Range: bytes=0-1'),
  {
    maxLength: 3,
  },
);

/** One request of HTTP on a connection of its own, more often than not with something wrong about it. */
export type MalformedRequest = { readonly verb: string; readonly bytes: Buffer };

export function malformedRequest(apiKey: string): fc.Arbitrary<MalformedRequest> {
  return fc.tuple(method, path, query, headers).map(([verb, where, text, extra]) => {
    // The caller's bytes as they are: a client library would repair half of them.
    const target = `${where}?${text}`.replace(/\s/g, '%20');
    const lines = [`${verb} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', `x-api-key: ${apiKey}`, ...extra];
    return { verb, bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\nabc`, 'utf8') };
  });
}
