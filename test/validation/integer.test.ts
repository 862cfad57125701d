import { expect } from 'chai';
import fc from 'fast-check';
import { decodeInteger } from '../../src/validation/integer.ts';
import { seeded } from './seeded.ts';

describe('decodeInteger', () => {
  it('reads what BigInt reads, up to 78 digits after any leading zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 78n) + 1n, max: 10n ** 78n - 1n }), fc.nat({ max: 100 }), (value, zeros) => {
        const magnitude = '0'.repeat(zeros) + (value < 0n ? -value : value);
        expect(decodeInteger((value < 0n ? '-' : '') + magnitude)).to.equal(value);
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
