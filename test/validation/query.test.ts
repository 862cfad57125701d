import { expect } from 'chai';
import fc from 'fast-check';
import { parseQuery } from '../../src/validation/validation.ts';
import { expectReadable } from './queries.ts';
import { seeded } from './seeded.ts';

function pairsOf(rawQuery: string) {
  const parsed = parseQuery(rawQuery);
  if (!parsed.ok) throw new Error(`refused: ${parsed.message}`);
  return parsed.pairs;
}

function messageOf(rawQuery: string): string {
  const parsed = parseQuery(rawQuery);
  if (parsed.ok) throw new Error(`accepted: ${rawQuery}`);
  expectReadable(parsed.message);
  return parsed.message;
}

describe('parseQuery', () => {
  it('keeps pairs in order, repeats included', () => {
    expect(pairsOf('a=1&b=2&a=3')).to.deep.equal([
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ]);
  });

  it('skips empty pairs, takes a bare name as an empty value, cuts at the first equals sign', () => {
    expect(pairsOf('')).to.deep.equal([]);
    expect(pairsOf('&&a&&b=c=d&=e')).to.deep.equal([
      ['a', ''],
      ['b', 'c=d'],
      ['', 'e'],
    ]);
  });

  it('reads + and %20 as a space, %2B as a plus, %252e as the text %2e', () => {
    expect(pairsOf('a=x+y%20z%2B&b=%252e')).to.deep.equal([
      ['a', 'x y z+'],
      ['b', '%2e'],
    ]);
  });

  for (const bad of ['%', 'a=%', 'a=%zz', 'a=%4', '%zz=1', 'a=%c0%af', 'a=%ed%a0%80', 'a=%ff', 'a=%f8%88%80%80%80', 'a=%e2%82', 'a=1&tracking=%u0041']) {
    it(`refuses ${bad}: malformed percent signs and bytes that are not UTF-8`, () => {
      expect(messageOf(bad)).to.contain('percent-encoded UTF-8');
    });
  }

  it('takes 8 KiB and refuses one byte more', () => {
    expect(pairsOf(`a=${'1'.repeat(8190)}`)).to.have.length(1);
    expect(messageOf(`a=${'1'.repeat(8191)}`)).to.contain('8193 bytes');
  });

  it('takes 64 pairs and refuses 65', () => {
    expect(pairsOf(Array(64).fill('a=1').join('&'))).to.have.length(64);
    expect(messageOf(Array(65).fill('a=1').join('&'))).to.contain('65 pairs');
  });

  it('gives back what was encoded, as URLSearchParams writes it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (pairs) => {
        const encoded = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
        fc.pre(encoded.length <= 8192);
        // URLSearchParams writes a pair of two empty texts as '=', which is a pair; nothing else is lost.
        expect(pairsOf(encoded)).to.deep.equal(pairs);
      }),
      seeded(1000),
    );
  });

  it('agrees with URLSearchParams on every query that it accepts', () => {
    const unit = fc.constantFrom('a', 'b', '=', '&', '+', '%41', '%26', '%3D', '%2b', '%e2%82%ac', '%00', '%0d%0a', 'é', '[]', '__proto__');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (rawQuery) => {
        const parsed = parseQuery(rawQuery);
        if (parsed.ok) expect(parsed.pairs).to.deep.equal([...new URLSearchParams(rawQuery)]);
      }),
      seeded(2000),
    );
  });
});
