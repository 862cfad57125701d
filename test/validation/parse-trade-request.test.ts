import { expect } from 'chai';
import { decimalText, parseTradeRequest } from '../../src/validation/validation.ts';
import { accepted, type Changes, NATIVE, parse, queryText, RECIPIENT, refused, TAKER, USDC, WETH, ZERO } from './queries.ts';

const MAX_WEI = 2n ** 256n - 1n;
const FULL_WIDTH_ONE = '%EF%BC%91';

/** Every parameter of the list is refused with each value, naming the parameter. */
function refusesEach(name: string, values: readonly string[], others: Changes = {}, endpoint: 'quote' | 'swap' = 'quote') {
  for (const value of values) {
    it(`refuses ${name}=${value.slice(0, 30)}`, () => expect(refused({ ...others, [name]: value }, endpoint)).to.match(new RegExp(`^${name} is `)));
  }
}

describe('a trade request', () => {
  it('is decoded whole, with defaults', () => {
    expect(accepted({})).to.deep.equal({
      endpoint: 'quote',
      chainId: 1n,
      mode: 'sell',
      sellToken: WETH.toLowerCase(),
      buyToken: USDC.toLowerCase(),
      amount: 1000n,
      slippage: { numerator: 5n, scale: 1 },
      maxHops: null,
      gasPriceWei: null,
      taker: null,
      recipient: null,
      feeRecipient: null,
      requestFee: null,
      timeLimitMs: 5000,
      excludeRfq: false,
      excludeRwa: false,
      excludeVenues: null,
      includeVenues: null,
      userAddress: null,
      deadline: null,
      funding: 'allowanceHolder',
      overrides: { router: null, allowanceHolder: null },
      echo: { sellToken: WETH, buyToken: USDC, taker: null, recipient: null },
    });
  });

  describe('required parameters', () => {
    for (const name of ['chainId', 'mode', 'sellToken', 'buyToken', 'sellAmount']) {
      it(`refuses a request without ${name}`, () => expect(refused({ [name]: undefined })).to.match(new RegExp(`^${name} is missing`)));
    }
    it('mode=buy without buyAmount is refused, sellAmount or not', () => {
      expect(refused({ mode: 'buy' })).to.match(/^buyAmount is missing/);
      expect(accepted({ mode: 'buy', sellAmount: undefined, buyAmount: '7' }).amount).to.equal(7n);
    });
    it('taker is required on swap only', () => {
      expect(refused({ taker: undefined }, 'swap')).to.match(/^taker is missing/);
      expect(accepted({ taker: undefined }, 'quote').taker).to.equal(null);
    });
    refusesEach('mode', ['', 'SELL', 'sell ', 'swap', 'sellbuy', 'constructor']);
  });

  describe('Wei strings (R6, D1, D2)', () => {
    const bad = [
      '',
      '+',
      ' ',
      '%2B1',
      '-1',
      '1e18',
      '0x10',
      '1.0',
      '1_0',
      FULL_WIDTH_ONE,
      '1%0A',
      '%0A1',
      'null',
      '1,0',
      '1+',
      'NaN',
      '0',
      '000',
      `${MAX_WEI + 1n}`,
      '9'.repeat(7000),
    ];
    refusesEach('sellAmount', bad);
    refusesEach('buyAmount', bad, { mode: 'buy', sellAmount: undefined });
    it('takes 1, 2^256−1 and what floats round, exactly', () => {
      for (const value of [1n, 9007199254740993n, 2n ** 200n + 1n, MAX_WEI]) expect(accepted({ sellAmount: `${value}` }).amount).to.equal(value);
    });
    it('takes leading zeros, any number of them', () => expect(accepted({ sellAmount: `${'0'.repeat(7000)}42` }).amount).to.equal(42n));
    it('ignores the amount of the other mode if it is an amount, else refuses (R9)', () => {
      expect(accepted({ buyAmount: '5' }).amount).to.equal(1000n);
      expect(accepted({ mode: 'buy', buyAmount: '5' }).amount).to.equal(5n);
      expect(refused({ buyAmount: '1e3' })).to.match(/^buyAmount is '1e3'/);
      expect(refused({ buyAmount: '0' })).to.match(/^buyAmount is '0'/);
      expect(refused({ mode: 'buy', buyAmount: '5', sellAmount: 'x' })).to.match(/^sellAmount is 'x'/);
    });
  });

  describe('addresses (D4, D5, D6, R10, R11)', () => {
    const hex = USDC.slice(2);
    const bad = ['', `0x${hex.slice(1)}`, `0x${hex}0`, hex, `0X${hex}`, `${USDC}+`, `+${USDC}`, `${USDC}%0A`, `0x${'g'.repeat(40)}`, 'eth', '__proto__'];
    for (const name of ['sellToken', 'buyToken', 'taker', 'recipient', 'feeRecipient']) refusesEach(name, [...bad, ZERO]);
    refusesEach('userAddress', [...bad, ZERO], {}, 'swap');

    it("takes any letter case and keeps the caller's text for the echo", () => {
      for (const text of [USDC, USDC.toLowerCase(), `0x${hex.toUpperCase()}`]) {
        const request = accepted({ buyToken: text, taker: text, recipient: TAKER }, 'swap');
        expect(request.buyToken).to.equal(USDC.toLowerCase());
        expect(request.echo).to.deep.equal({ sellToken: WETH, buyToken: text, taker: text, recipient: TAKER });
      }
    });
    it('refuses the same token twice, whatever the case, the sentinel included', () => {
      expect(refused({ sellToken: USDC, buyToken: USDC.toLowerCase() })).to.match(/^sellToken and buyToken are both/);
      expect(refused({ sellToken: NATIVE, buyToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' })).to.match(/both 0xeeee/);
    });
    it('takes the sentinel against the wrapped token: they differ', () => {
      expect(accepted({ sellToken: NATIVE, buyToken: WETH }).sellToken).to.equal(NATIVE);
      expect(accepted({ sellToken: WETH, buyToken: NATIVE }).buyToken).to.equal(NATIVE);
    });
    it("the recipient is the taker unless sent, in the caller's letters", () => {
      const byDefault = accepted({ taker: TAKER });
      expect([byDefault.recipient, byDefault.echo.recipient]).to.deep.equal([TAKER.toLowerCase(), TAKER]);
      expect(accepted({ taker: TAKER, recipient: RECIPIENT }).recipient).to.equal(RECIPIENT.toLowerCase());
      expect(accepted({ recipient: RECIPIENT }).taker).to.equal(null);
    });
  });

  describe('slippagePct (R7, D10)', () => {
    refusesEach('slippagePct', [
      '',
      '+',
      'NaN',
      'Infinity',
      '-Infinity',
      '%2B1',
      '0x1',
      '.5',
      '5.',
      '1e',
      '1e1234',
      '1e+',
      '5%25',
      `5${FULL_WIDTH_ONE}`,
      '0.5%0A',
      '1,5',
      '1'.repeat(65),
      'abc',
      '--1',
    ]);
    const rows: readonly (readonly [string, string])[] = [
      ['0.5', '0.5'],
      ['0.50', '0.5'],
      ['-1', '0.00001'],
      ['0', '0.00001'],
      ['-0.0', '0.00001'],
      ['1e-9', '0.00001'],
      ['1e-300', '0.00001'],
      ['1e-5', '0.00001'],
      ['0.00001', '0.00001'],
      ['0.000011', '0.000011'],
      ['50', '50'],
      ['50.1', '50'],
      ['1e6', '50'],
      ['1e308', '50'],
      ['1e400', '50'],
      ['-1e999', '0.00001'],
      ['5E-1', '0.5'],
      ['0.1000000000000000000000000000000000000001', '0.1000000000000000000000000000000000000001'],
    ];
    for (const [text, applied] of rows) {
      it(`applies ${applied} for ${text}`, () => expect(decimalText(accepted({ slippagePct: text }).slippage)).to.equal(applied));
    }
    it('is checked in buy too, where it does not apply', () =>
      expect(refused({ mode: 'buy', buyAmount: '5', slippagePct: 'x' })).to.match(/^slippagePct is 'x'/));
  });

  describe('gasPriceGwei (R7, D13, D14)', () => {
    refusesEach('gasPriceGwei', [
      '',
      '0',
      '-1',
      '-0',
      '0.0',
      '0e5',
      'Infinity',
      'NaN',
      '1e400',
      '0x1',
      '1e22',
      '1000000000000000000001',
      '1.000000000000000000000000000001e21',
      '%2B1',
    ]);
    const rows: readonly (readonly [string, bigint])[] = [
      ['1', 10n ** 9n],
      ['1e-9', 1n],
      ['0.0000000001', 1n],
      ['1e-999', 1n],
      ['0.0000000015', 2n],
      ['0.00000000149999999999999999999', 1n],
      ['0.0000000025', 3n],
      ['123456789.123456789', 123456789123456789n],
      ['9007199.254740993', 9007199254740993n],
      ['1e15', 10n ** 24n],
      ['1e21', 10n ** 30n],
      ['1.0000000000000000000000000000004e21', 10n ** 30n],
    ];
    for (const [gwei, wei] of rows) it(`values ${gwei} gwei at ${wei} wei`, () => expect(accepted({ gasPriceGwei: gwei }).gasPriceWei).to.equal(wei));
  });

  describe('integers (R8, D9, D12, D15, D26, D28)', () => {
    refusesEach('timeLimitMs', ['', '49', '0', '-50', '5001', '50.5', '5e2', '0x64', '100+', '%2B100', '9'.repeat(40)]);
    for (const value of [50, 299, 300, 5000]) it(`takes timeLimitMs=${value}`, () => expect(accepted({ timeLimitMs: `${value}` }).timeLimitMs).to.equal(value));
    it('takes leading zeros', () =>
      expect(accepted({ timeLimitMs: '00050', chainId: '01', feeBps: '007', feeRecipient: TAKER })).to.deep.include({ timeLimitMs: 50, chainId: 1n }));

    refusesEach('maxHops', ['', '2.5', '1e400', '0x2', '%2B2', 'many', '--1', 'Infinity']);
    const depths: readonly (readonly [string, number])[] = [
      ['1', 1],
      ['7', 7],
      ['0', 1],
      ['-1', 1],
      ['8', 7],
      ['9'.repeat(5000), 7],
      [`-${'9'.repeat(5000)}`, 1],
      ['0003', 3],
    ];
    for (const [text, depth] of depths)
      it(`clamps maxHops=${text.slice(0, 12)} to ${depth}`, () => expect(accepted({ maxHops: text }).maxHops).to.equal(depth));

    refusesEach('chainId', ['', '1.0', '1e0', '0x1', '-1', '%2B1', '9223372036854775808', '99999999999999999999', 'ethereum']);
    it('takes a chain id up to int64, not rounded', () => {
      expect(accepted({ chainId: '9223372036854775807' }).chainId).to.equal(9223372036854775807n);
      expect(accepted({ chainId: '9007199254740993' }).chainId).to.equal(9007199254740993n);
    });

    refusesEach('feeBps', ['', '-1', '1501', '1.5', '1e2', '9'.repeat(30)], { feeRecipient: TAKER });
    it('takes feeBps 0 to 1500 with feeRecipient', () => {
      for (const feeBps of [0, 1, 1500])
        expect(accepted({ feeBps: `${feeBps}`, feeRecipient: TAKER }).requestFee).to.deep.equal({ feeBps, feeRecipient: TAKER.toLowerCase() });
    });
    it('refuses feeBps without feeRecipient, 0 too (R12); takes feeRecipient alone', () => {
      for (const feeBps of ['25', '0']) expect(refused({ feeBps })).to.match(/^feeBps is sent without feeRecipient/);
      expect(accepted({ feeRecipient: TAKER })).to.deep.include({ requestFee: null, feeRecipient: TAKER.toLowerCase() });
    });

    refusesEach('deadline', ['', '-1', 'abc', '1e9', '1.5', '0x1', '9223372036854775808'], {}, 'swap');
    it('takes a deadline up to int64, not rounded', () =>
      expect(accepted({ deadline: '9223372036854775807' }, 'swap').deadline).to.equal(9223372036854775807n));
  });

  describe('booleans (R5, D8)', () => {
    for (const name of ['excludeRfq', 'excludeRwa'] as const) {
      refusesEach(name, ['', 'yes', 'on', '2', '00', 'true+', 'null', 'truefalse', 't']);
      for (const text of ['true', 'TRUE', 'True', '1']) it(`reads ${name}=${text} as true`, () => expect(accepted({ [name]: text })[name]).to.equal(true));
      for (const text of ['false', 'FALSE', 'False', '0']) it(`reads ${name}=${text} as false`, () => expect(accepted({ [name]: text })[name]).to.equal(false));
    }
  });

  describe('repeated and unknown names (R3, R4, D16, D17, D18)', () => {
    for (const name of ['chainId', 'mode', 'sellToken', 'sellAmount', 'slippagePct', 'taker', 'excludeRfq']) {
      it(`refuses ${name} sent twice, the same value too`, () => {
        const value = { chainId: '1', mode: 'sell', sellToken: WETH, sellAmount: '1000', slippagePct: '1', taker: TAKER, excludeRfq: 'true' }[name] ?? '';
        expect(refused({ [name]: [value, value] })).to.equal(`${name} is sent more than once; expected one value`);
      });
    }
    it('refuses a name sent twice of which one is empty', () => expect(refused({ taker: ['', TAKER] })).to.match(/^taker is sent more than once/));
    it('joins repeated lists, lower-cases, trims, drops blanks and repeats', () => {
      expect(accepted({ excludeVenues: ['Uniswap_V2,,+sushi:x+', 'b,UNISWAP_v2', ''] }).excludeVenues).to.deep.equal(['uniswap_v2', 'sushi:x', 'b']);
      expect(accepted({ includeVenues: ['a', 'b'] }).includeVenues).to.deep.equal(['a', 'b']);
    });
    it('counts a list without entries as not sent', () => {
      for (const blank of ['', ',', '+,+', '%20'])
        expect(accepted({ includeVenues: blank, excludeVenues: 'a' })).to.deep.include({ includeVenues: null, excludeVenues: ['a'] });
    });
    it('refuses both lists, unknown labels or not', () =>
      expect(refused({ includeVenues: 'nobody', excludeVenues: 'a' })).to.match(/^excludeVenues and includeVenues are both sent/));
    it('compares by ASCII: a KELVIN SIGN is no k, and no-break, ideographic and zero-width spaces are part of a label', () => {
      for (const label of ['\u212Ayber', '\u00A0kyber', 'kyber\u3000', '\u200Bkyber', '\uFEFFkyber'])
        expect(accepted({ includeVenues: ` ${encodeURIComponent(label)} ` }).includeVenues).to.deep.equal([label]);
    });
    it('takes odd and many labels: unknown ones match nothing (D24)', () => {
      const labels = [':x', 'x:', 'family:variant', ...Array.from({ length: 300 }, (_, i) => `label${i}`)];
      expect(accepted({ excludeVenues: labels.join(',') }).excludeVenues).to.deep.equal(labels);
    });

    const unknown = [
      'chainId[]',
      'chainId[0]',
      'sellToken[$ne]',
      'sellToken.x',
      'SELLTOKEN',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '__defineGetter__',
      'utm_source',
      '',
    ];
    for (const name of unknown) {
      it(`ignores ${name || 'an empty name'}, sent twice too`, () => {
        expect(accepted({ [`${name}`]: ['x', 'y'] })).to.deep.equal(accepted({}));
        expect(({} as { readonly [key: string]: unknown }).x).to.equal(undefined);
      });
    }
    it('does not take a bracketed name for the plain one', () =>
      expect(refused({ sellToken: undefined, 'sellToken[]': WETH })).to.match(/^sellToken is missing/));

    for (const name of ['routerAddress', 'allowanceHolderAddress']) {
      it(`refuses ${name}, well-formed, empty or junk, on both endpoints`, () => {
        for (const endpoint of ['quote', 'swap'] as const) {
          for (const value of [RECIPIENT, '', 'junk']) expect(refused({ [name]: value }, endpoint)).to.match(new RegExp(`^${name} is not a parameter`));
        }
      });
      it(`takes ${name} in developmentMode if it is an address, once`, () => {
        const { overrides } = accepted({ [name]: RECIPIENT }, 'quote', true);
        expect(Object.values(overrides)).to.have.members([RECIPIENT.toLowerCase(), null]);
        for (const value of ['', 'junk', ZERO]) expect(refused({ [name]: value }, 'quote', true)).to.match(new RegExp(`^${name} is `));
        expect(refused({ [name]: [RECIPIENT, RECIPIENT] }, 'quote', true)).to.match(/more than once/);
      });
    }
  });

  describe('swap-only parameters (R18)', () => {
    it('are ignored on quote, malformed and repeated too', () => {
      expect(accepted({ userAddress: 'x', deadline: ['abc', '0'], funding: 'cash' })).to.deep.equal(accepted({}));
    });
    it('are read on swap', () => {
      const request = accepted({ userAddress: RECIPIENT, deadline: '1893456000', funding: 'permit2' }, 'swap');
      expect(request).to.deep.include({ userAddress: RECIPIENT.toLowerCase(), deadline: 1893456000n, funding: 'permit2' });
    });
    refusesEach('funding', ['', 'Permit2', 'allowanceholder', 'none'], {}, 'swap');
  });

  describe('the text of a query (R16, D20)', () => {
    const parseText = (rawQuery: string) => parseTradeRequest('quote', rawQuery, { developmentMode: false });
    it('refuses malformed percent signs anywhere, unknown names included', () => {
      for (const bad of ['%', 'x=%zz', 'x=%c0%af', '%=1']) expect(parseText(`${queryText()}&${bad}`).ok, bad).to.equal(false);
    });
    it('refuses more than 8 KiB or 64 pairs', () => {
      expect(parseText(`${queryText()}&x=${'y'.repeat(8192)}`).ok).to.equal(false);
      expect(parseText(`${queryText()}${'&x=1'.repeat(59)}`).ok).to.equal(true);
      expect(parseText(`${queryText()}${'&x=1'.repeat(60)}`).ok).to.equal(false);
    });
    it('never repeats more than 60 characters of a value, and none that does not print', () => {
      const message = refused({ sellAmount: `%0d%0aSet-Cookie:%20x%00%e2%80%ae${'z'.repeat(500)}` });
      expect(message).to.contain('\\u{d}\\u{a}Set-Cookie: x\\u{0}\\u{202e}zzz');
      expect(message).to.have.length.below(160);
    });
    it('gives the same message each time when several things are wrong', () => {
      const bad: Changes = { chainId: 'x', sellAmount: '0', feeBps: '1501', taker: ZERO, timeLimitMs: '1' };
      expect(new Set(Array.from({ length: 5 }, () => refused(bad)))).to.have.property('size', 1);
      expect(parse({ ...bad, chainId: '1' })).to.deep.include({
        ok: false,
        message: "sellAmount is '0'; expected a decimal integer of base units from 1 to 2^256-1",
      });
    });
  });
});
