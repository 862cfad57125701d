import { expect } from 'chai';
import fc from 'fast-check';
import { serialise } from '../../src/quoting/quoting.ts';
import { seeded } from '../validation/seeded.ts';

/** A JSON text without its strings. */
const withoutStrings = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');

describe('serialise', () => {
  it('reads back as what JSON.stringify reads back as, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = serialise(value);
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)));
        expect(withoutStrings(text)).not.to.match(/[0-9]e/i);
      }),
      seeded(3000),
    );
  });

  it('writes every finite float so that it reads back as itself, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = serialise(value);
        expect(text).to.match(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
        expect(Number(text) === value, text).to.equal(true);
      }),
      seeded(5000),
    );
  });

  for (const [value, text] of [
    [1e21, '1000000000000000000000'],
    [1.5e21, '1500000000000000000000'],
    [-1.25e-7, '-0.000000125'],
    [1e-7, '0.0000001'],
    [0.1, '0.1'],
    [-0, '0'],
    [2 ** 53, '9007199254740992'],
    [Number.MIN_VALUE, `0.${'0'.repeat(323)}5`],
  ] as const) {
    it(`writes the float ${value} as ${text.slice(0, 30)}`, () => expect(serialise(value)).to.equal(text));
  }

  it('writes integers of any length as JSON numbers, digit by digit', () => {
    expect(serialise({ gasPriceWei: 10n ** 30n + 1n, deadline: 9223372036854775807n })).to.equal(
      '{"gasPriceWei":1000000000000000000000000000001,"deadline":9223372036854775807}',
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }), (value) => BigInt(serialise(value)) === value),
      seeded(1000),
    );
  });

  it('writes a decimal by its text', () => {
    expect(serialise({ slippagePct: { jsonNumber: '0.00001' } })).to.equal('{"slippagePct":0.00001}');
    expect(serialise([{ jsonNumber: '0.1000000000000000000000000000000000000001' }])).to.equal('[0.1000000000000000000000000000000000000001]');
  });

  for (const text of ['', '1e5', '01', '+1', '.5', '5.', 'NaN', '1,"x":2', ' 1', '1\n', '-', '0x1']) {
    it(`refuses ${JSON.stringify(text)} as the text of a number`, () => expect(() => serialise({ jsonNumber: text })).to.throw(TypeError));
  }

  it('refuses NaN, the infinities and what JSON has no word for, at any depth', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined, Symbol('x'), () => 0]) {
      expect(() => serialise(value)).to.throw(TypeError);
      expect(() => serialise({ a: [value] })).to.throw(TypeError);
    }
    expect(() => serialise({ a: Number.NaN })).to.throw(TypeError);
  });

  it('leaves out undefined members, keeps the order of the others, escapes names and texts', () => {
    expect(serialise({ b: 1, a: undefined, 'x"\n': '</script>\u2028"\\' })).to.equal('{"b":1,"x\\"\\n":"</script>\u2028\\"\\\\"}');
    expect(serialise('\ud800')).to.equal('"\\ud800"');
  });
});
