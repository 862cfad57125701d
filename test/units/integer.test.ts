import { expect } from 'chai';
import fc from 'fast-check';
import { decodeInteger, parseInteger, parseSafeInteger } from '../../src/units/units.ts';
import { seeded } from '../validation/seeded.ts';

const MOST = 10n ** 77n;
const any = fc.bigInt({ min: -MOST, max: MOST });

function written(value: bigint, zeros: number): string {
  return (value < 0n ? '-' : '') + '0'.repeat(zeros) + (value < 0n ? -value : value);
}

describe('decodeInteger', () => {
  it('reads what BigInt reads, up to 78 digits after any leading zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 78n) + 1n, max: 10n ** 78n - 1n }), fc.nat({ max: 100 }), (value, zeros) => {
        expect(decodeInteger(written(value, zeros))).to.equal(value);
      }),
      seeded(1000),
    );
    expect(decodeInteger('-0')).to.equal(0n);
    expect(decodeInteger('000')).to.equal(0n);
    expect(decodeInteger(`${2n ** 256n}`)).to.equal(2n ** 256n);
  });

  it('saturates beyond, which is out of every range', () => {
    for (const digits of [79, 8000]) {
      expect(decodeInteger('9'.repeat(digits))).to.equal(10n ** 78n);
      expect(decodeInteger(`-1${'0'.repeat(digits - 1)}`)).to.equal(-(10n ** 78n));
    }
  });
});

describe('parseInteger', () => {
  it('reads every integer of its range, with any leading zeros, and none beside it', () => {
    fc.assert(
      fc.property(any, any, any, fc.nat({ max: 100 }), (value, one, other, zeros) => {
        const [least, most] = one < other ? [one, other] : [other, one];
        expect(parseInteger(written(value, zeros), least, most)).to.equal(value >= least && value <= most ? value : null);
      }),
      seeded(2000),
    );
    expect(parseInteger('9'.repeat(100_000), 0n, MOST)).to.equal(null);
  });

  it('takes nothing that is not digits', () => {
    const others = ['', '-', '+1', '--1', '1.0', '1e3', '0x10', '1_000', '1n', ' 1', '1 ', '1\n', '\u0661', '\uff11', 'NaN', 'Infinity', 'null', '-0x1'];
    for (const text of others) expect(parseInteger(text, -MOST, MOST), JSON.stringify(text)).to.equal(null);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('0', '7', '-', '+', '.', 'e', 'x', ' ', '_', '\u0661') }), (text) => {
        expect(parseInteger(text, -MOST, MOST) !== null).to.equal(/^-?[07]+$/.test(text) && text.length < 78);
      }),
      seeded(5000),
    );
  });

  it('takes a minus sign only where the range has negative numbers', () => {
    expect([parseInteger('-0', 0n, 9n), parseInteger('-0', -1n, 9n), parseInteger('-1', -1n, 9n)]).to.deep.equal([null, 0n, -1n]);
  });
});

describe('parseSafeInteger', () => {
  it('reads every safe integer as the number that it is', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat({ max: 30 }), (value, zeros) => {
        const text = written(BigInt(value), zeros);
        expect(parseSafeInteger(text, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).to.equal(value);
        expect(parseSafeInteger(text, value, value)).to.equal(value);
        if (value < Number.MAX_SAFE_INTEGER) expect(parseSafeInteger(text, value + 1, Number.MAX_SAFE_INTEGER)).to.equal(null);
      }),
      seeded(2000),
    );
    expect(parseSafeInteger(`${2n ** 53n}`, 0, Number.MAX_SAFE_INTEGER)).to.equal(null);
  });
});
