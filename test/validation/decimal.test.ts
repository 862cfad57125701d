import { expect } from 'chai';
import fc from 'fast-check';
import { clampDecimal, compareDecimals, decimalText, decodeDecimal } from '../../src/validation/decimal.ts';
import { seeded } from './seeded.ts';

describe('decodeDecimal', () => {
  const rows: readonly (readonly [string, bigint, number])[] = [
    ['0', 0n, 0],
    ['-0.000', 0n, 0],
    ['0.50', 5n, 1],
    ['007', 7n, 0],
    ['1e3', 1000n, 0],
    ['1E+3', 1000n, 0],
    ['1.5e-3', 15n, 4],
    ['15e1', 150n, 0],
    ['1.25e1', 125n, 1],
    ['-2.5', -25n, 1],
    ['123456789.123456789', 123456789123456789n, 9],
    ['0.1000000000000000055511151231257827', 1000000000000000055511151231257827n, 34],
  ];
  for (const [text, numerator, scale] of rows) {
    it(`reads ${text} exactly`, () => expect(decodeDecimal(text)).to.deep.equal({ numerator, scale }));
  }

  it('reads any digits moved by any exponent as that fraction', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 20 }), fc.integer({ min: -50, max: 50 }), (digits, places, exponent) => {
        const magnitude = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0');
        const point = magnitude.length - places;
        const fraction = places === 0 ? '' : `.${magnitude.slice(point)}`;
        const value = decodeDecimal(`${digits < 0n ? '-' : ''}${magnitude.slice(0, point)}${fraction}e${exponent}`);
        if (value === null) throw new Error('refused');
        // numerator / 10^scale = digits · 10^(exponent − places), both sides times 10^120.
        expect(value.numerator * 10n ** BigInt(120 - value.scale)).to.equal(digits * 10n ** BigInt(120 + exponent - places));
      }),
      seeded(1000),
    );
  });

  it('gives the text of its value without exponent, and reads it back as the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat({ max: 60 }), (numerator, scale) => {
        const text = decimalText({ numerator, scale });
        expect(text).to.match(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
        const back = decodeDecimal(text);
        if (back === null) throw new Error(`refused ${text}`);
        expect(compareDecimals(back, { numerator, scale })).to.equal(0);
      }),
      seeded(1000),
    );
  });

  it('clamps by exact comparison', () => {
    const [least, most] = [
      { numerator: 1n, scale: 5 },
      { numerator: 50n, scale: 0 },
    ];
    const clamped = (text: string) => decimalText(clampDecimal(decodeDecimal(text) ?? least, least, most));
    expect(clamped('0.000009999999999999999999999999999999999999')).to.equal('0.00001');
    expect(clamped('50.000000000000000000000000000000000000000001')).to.equal('50');
    expect(clamped('49.999999999999999999999999999999999999999999')).to.equal('49.999999999999999999999999999999999999999999');
  });
});
