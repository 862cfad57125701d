import { expect } from 'chai';
import fc from 'fast-check';
import { WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { baseUnitsDown, baseUnitsUp, parseDecimal } from '../../src/venues/airswap/decimal.ts';
import { readRpcAnswer, rpcCall } from '../../src/venues/airswap/json-rpc.ts';
import { price } from '../../src/venues/airswap/price.ts';
import { readOrder } from '../../src/venues/airswap/read-order.ts';
import { readPricing } from '../../src/venues/airswap/read-pricing.ts';
import { type QuotedPair, state, validateState } from '../../src/venues/airswap/state.ts';
import { isLetPass } from '../../src/venues/venue.ts';
import { MOMENT } from '../support/moment.ts';

const [LOW, HIGH, OTHER] = [asAddress(`0x${'11'.repeat(20)}`), asAddress(`0x${'22'.repeat(20)}`), asAddress(`0x${'33'.repeat(20)}`)];
const DECIMALS = new Map([
  [LOW, 18],
  [HIGH, 6],
]);
const decimalsOf = (token: Address): number | null => DECIMALS.get(token) ?? null;
const WHOLE = 10n ** 18n;
const PAIR = {
  baseToken: LOW.toUpperCase().replace('0X', '0x'),
  quoteToken: HIGH,
  bid: [
    ['1', '2500.5'],
    ['3', '2499'],
  ],
  ask: [
    ['2', '2501'],
    ['4', '2503.25'],
  ],
};

describe('what makers of AirSwap say', () => {
  it('is read exactly: levels add up, down what the maker gives and up what it gets', () => {
    const read = readPricing([PAIR], decimalsOf);
    expect(read?.malformed).to.equal(0);
    const [pair] = read?.pairs ?? [];
    expect(pair?.tokens).to.deep.equal([LOW, HIGH]);
    expect(pair?.ladders).to.deep.equal([
      [
        { amountIn: WHOLE, amountOut: 2_500_500_000n },
        { amountIn: 3n * WHOLE, amountOut: 7_498_500_000n },
      ],
      [
        { amountIn: 5_002_000_000n, amountOut: 2n * WHOLE },
        { amountIn: 10_008_500_000n, amountOut: 4n * WHOLE },
      ],
    ]);
    const turned = readPricing([{ ...PAIR, baseToken: HIGH, quoteToken: LOW, minimum: '5' }], decimalsOf)?.pairs[0];
    expect(turned?.tokens).to.deep.equal([LOW, HIGH]);
    // Five of the dearer token's worth: what is paid in the one, and what is sold of the other.
    expect(turned?.least).to.deep.equal([12_505n * WHOLE, 5_000_000n]);
  });

  it('leaves out pairs that are malformed, counts them, and takes what is left', () => {
    const broken = [
      null,
      7,
      [],
      {},
      { ...PAIR, baseToken: HIGH },
      { ...PAIR, quoteToken: '0x12' },
      { ...PAIR, bid: 'x' },
      { ...PAIR, bid: [['1']] },
      { ...PAIR, ask: [['1', '-2']] },
      { ...PAIR, ask: [['1e3', '2']] },
      {
        ...PAIR,
        bid: [
          ['2', '3'],
          ['1', '3'],
        ],
      },
      { ...PAIR, bid: [[1, 2]] },
      { ...PAIR, minimum: 'all' },
      { ...PAIR, bid: [['9'.repeat(41), '1']] },
    ];
    expect(readPricing([...broken, PAIR], decimalsOf)).to.deep.include({ malformed: broken.length });
    expect(readPricing([...broken, PAIR], decimalsOf)?.pairs).to.have.length(1);
    expect(readPricing([{ ...PAIR, quoteToken: OTHER }], decimalsOf)).to.deep.equal({ pairs: [], malformed: 0 });
    for (const nothing of [null, undefined, {}, 'text', 3]) expect(readPricing(nothing, decimalsOf)).to.equal(null);
  });

  it('whatever is sent: no throw, and only states that are let pass and survive packing', () => {
    const decimal = fc.oneof(
      fc.bigInt(0n, 10n ** 40n).map(String),
      fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value.toFixed(9)),
      fc.string({ maxLength: 5 }),
    );
    const levels = fc.array(fc.tuple(decimal, decimal), { maxLength: 6 });
    const pair = fc.record({
      baseToken: fc.constantFrom(LOW, HIGH),
      quoteToken: fc.constantFrom(LOW, HIGH),
      bid: levels,
      ask: levels,
      minimum: fc.option(decimal),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pair),
          fc.json().map((text) => JSON.parse(text) as unknown),
        ),
        (sent) => {
          for (const { ladders, least } of readPricing(sent, decimalsOf)?.pairs ?? []) {
            const quoted: QuotedPair = { signer: OTHER, until: 9 as EpochSeconds, ladders, least };
            const nothing = ladders.every((ladder) => ladder.length === 0);
            expect(isLetPass(() => validateState(quoted))).to.equal(!nothing);
            const words = new WordWriter();
            state.pack(quoted, words);
            expect(state.unpack(new WordReader(words.finish()))).to.deep.equal(quoted);
            expect(state.curves(quoted).every(({ curve }) => Number.isFinite(curve.capacity) && curve.capacity > 0)).to.equal(true);
          }
        },
      ),
    );
  });

  it('prices along the levels, nothing above the last, and nothing below what the maker trades', () => {
    const quoted: QuotedPair = {
      signer: OTHER,
      until: 9 as EpochSeconds,
      ladders: [
        [
          { amountIn: 100n, amountOut: 50n },
          { amountIn: 200n, amountOut: 90n },
        ],
        [],
      ],
      least: [10n, 0n],
    };
    const gives = (slotIn: number, amountIn: bigint) => {
      const quote = price.exactIn(quoted, slotIn, 1 - slotIn, amountIn, MOMENT);
      return quote.ok ? quote.amountOut : quote.reason;
    };
    expect([9n, 10n, 100n, 150n, 200n, 201n].map((amount) => gives(0, amount))).to.deep.equal(['reverts', 5n, 50n, 70n, 90n, 'reverts']);
    expect(gives(1, 50n)).to.equal('reverts');
  });

  it('decimal texts and base units: exact, down and up', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 36n), fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 24 }), (digits, places, decimals) => {
        const text = digits.toString().padStart(places + 1, '0');
        const written = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
        const read = parseDecimal(written);
        expect(read).to.deep.equal({ digits, places });
        if (read === null) return;
        const [down, up] = [baseUnitsDown(read, decimals), baseUnitsUp(read, decimals)];
        expect(down * 10n ** BigInt(places) <= digits * 10n ** BigInt(decimals)).to.equal(true);
        expect(up - down).to.equal((digits * 10n ** BigInt(decimals)) % 10n ** BigInt(places) === 0n ? 0n : 1n);
      }),
    );
  });

  it('answers are the protocol’s only with the version and the id that were asked with', () => {
    const twice = '{"jsonrpc":"2.0","id":"a-1","result":[],"result":[]}';
    expect(readRpcAnswer({ ok: true, text: twice }, 'a-1')).to.deep.include({ ok: false, reason: 'garbled' });
    const said = (body: unknown) => readRpcAnswer({ ok: true, text: typeof body === 'string' ? body : JSON.stringify(body) }, 'a-1');
    expect(JSON.parse(rpcCall('a-1', 'ping', { of: 1 }))).to.deep.equal({ jsonrpc: '2.0', id: 'a-1', method: 'ping', params: { of: 1 } });
    expect(said({ jsonrpc: '2.0', id: 'a-1', result: 3 })).to.deep.equal({ ok: true, result: 3 });
    for (const other of [
      '',
      '{',
      '[]',
      'null',
      '7',
      { jsonrpc: '2.0', id: 'a-2', result: 1 },
      { id: 'a-1', result: 1 },
      { jsonrpc: '2.0', id: 'a-1', error: 'no' },
      '['.repeat(60_000),
    ]) {
      expect(said(other), String(other).slice(0, 40)).to.deep.include({ ok: false, reason: 'garbled' });
    }
    const error = (code: number) => said({ jsonrpc: '2.0', id: 'a-1', error: { code, message: '\u001b[31m' } });
    expect([error(-33605), error(-33604), error(-33601)].map((answer) => !answer.ok && answer.reason)).to.deep.equal(['busy', 'refused', 'refused']);
    expect(JSON.stringify(error(-33601))).to.not.include('[31m');
  });

  it('orders are read strictly', () => {
    const order = {
      nonce: '1',
      expiry: 1_700_000_000,
      signerWallet: OTHER,
      signerToken: LOW,
      signerAmount: '5',
      senderToken: HIGH,
      senderAmount: '7',
      v: '28',
      r: `0x${'ab'.repeat(32)}`,
      s: `0x${'cd'.repeat(32)}`,
    };
    expect(readOrder(order)?.order).to.deep.include({ nonce: 1n, expiry: 1_700_000_000n, signerAmount: 5n, senderAmount: 7n, v: 28 });
    expect(readOrder({ ...order, v: 1 })?.order.v).to.equal(28);
    const wrong: readonly Readonly<Record<string, unknown>>[] = [
      { nonce: '-1' },
      { nonce: '0x1' },
      { nonce: 2 ** 53 },
      { expiry: (2n ** 256n).toString() },
      { signerAmount: '1.5' },
      { senderAmount: null },
      { signerWallet: 'me' },
      { v: '29' },
      { r: '0x12' },
      { s: `0x${'zz'.repeat(32)}` },
    ];
    for (const changes of wrong) expect(readOrder({ ...order, ...changes }), JSON.stringify(changes)).to.equal(null);
    for (const nothing of [null, [], 'text', 3]) expect(readOrder(nothing)).to.equal(null);
  });
});
