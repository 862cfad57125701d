import { expect } from 'chai';
import * as fc from 'fast-check';
import { WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { SEED } from '../support/seeded-random.ts';

const value = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()).chain(([limbs, signed]) =>
  fc.record({
    limbs: fc.constant(limbs),
    signed: fc.constant(signed),
    value: signed
      ? fc.bigInt({ min: -(2n ** BigInt(64 * limbs - 1)), max: 2n ** BigInt(64 * limbs - 1) - 1n })
      : fc.bigInt({ min: 0n, max: 2n ** BigInt(64 * limbs) - 1n }),
  }),
);

describe('Packed words', () => {
  it('give back what was written, in limbs that Node writes the same way', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), (values) => {
        const writer = new WordWriter();
        for (const one of values) one.signed ? writer.signed(one.value, one.limbs) : writer.unsigned(one.value, one.limbs);
        const words = writer.finish();
        const hex = values.map((one) =>
          BigInt.asUintN(64 * one.limbs, one.value)
            .toString(16)
            .padStart(16 * one.limbs, '0'),
        );
        const littleEndian = hex.map((text) => Buffer.from(text, 'hex').reverse());
        expect(Buffer.from(words.buffer).equals(Buffer.concat(littleEndian))).to.equal(true);
        const reader = new WordReader(words);
        for (const one of values) expect(one.signed ? reader.signed(one.limbs) : reader.unsigned(one.limbs)).to.equal(one.value);
        expect(reader.remaining).to.equal(0);
        expect(() => reader.unsigned(1)).to.throw(RangeError);
      }),
      { seed: SEED },
    );
  });

  it('refuse what does not fit', () => {
    const writer = new WordWriter();
    for (const wrong of [-1n, 2n ** 64n]) expect(() => writer.unsigned(wrong, 1)).to.throw(RangeError);
    for (const wrong of [2n ** 63n, -(2n ** 63n) - 1n]) expect(() => writer.signed(wrong, 1)).to.throw(RangeError);
    expect(writer.finish().length).to.equal(0);
  });
});
