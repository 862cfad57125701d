import { expect } from 'chai';
import fc from 'fast-check';
import { addressAt, addressOfWord, allWords, exactWords, firstWords, onlyWord, signedAt, wordAt } from '../../src/venues/abi-words.ts';
import { wordsOf } from './made-up-contracts.ts';

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

describe('words of answers and logs', () => {
  it('are read back as they were written; what is cut or too long by a digit is not whole words', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), fc.nat(6), (values, count) => {
        const data = wordsOf(...values);
        expect(allWords(data)).to.deep.equal(values);
        expect(exactWords(data, count)).to.deep.equal(count === values.length ? values : null);
        expect(firstWords(data, count)).to.deep.equal(count <= values.length ? values.slice(0, count) : null);
        expect(onlyWord(data)).to.equal(values.length === 1 ? values[0] : null);
        for (const [at, value] of values.entries()) expect(wordAt(data, at)).to.equal(value);
        for (const other of [`${data}0`, data.slice(0, -1)] as `0x${string}`[]) {
          if (other.length >= 2) expect(allWords(other)).to.equal(null);
          expect(exactWords(other, values.length)).to.equal(null);
          expect(firstWords(other, values.length)).to.deep.equal(other.length > data.length ? values : null);
        }
      }),
    );
    for (const read of [allWords, onlyWord, (data: null | undefined) => firstWords(data, 0), (data: null | undefined) => exactWords(data, 0)]) {
      expect([read(null), read(undefined)]).to.deep.equal([null, null]);
    }
  });

  it('are addresses where they are 20 bytes and not zero; a topic has its address in the low ones, whatever lies above', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 160n - 1n }), fc.bigInt({ min: 1n, max: 2n ** 96n - 1n }), fc.nat(3), (value, above, at) => {
        const address = `0x${value.toString(16).padStart(40, '0')}`;
        expect(addressOfWord(value)).to.equal(address);
        expect(addressOfWord(value + (above << 160n))).to.equal(null);
        const words = wordsOf(...Array.from({ length: at }, () => 7n), value + (above << 160n));
        expect(addressAt(words, at)).to.equal(address);
        expect(() => addressAt(words, at + 1)).to.throw(RangeError, 'no word');
        expect(() => addressAt(words.slice(0, -1) as `0x${string}`, at)).to.throw(RangeError, 'no word');
      }),
    );
    expect([addressOfWord(null), addressOfWord(0n), addressOfWord(1n << 160n)]).to.deep.equal([null, null, null]);
    expect(addressOfWord((1n << 160n) - 1n)).to.equal(`0x${'f'.repeat(40)}`);
  });

  it('are signed numbers of 256 bits', () => {
    for (const tick of [0, 1, -1, 887_272, -887_272]) expect(signedAt(wordsOf(5, tick), 1)).to.equal(tick);
  });
});
