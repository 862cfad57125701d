import { expect } from 'chai';
import fc from 'fast-check';
import { asciiLowerCase, asciiTrim } from '../../src/units/units.ts';
import { check } from '../support/property.ts';

const ascii = fc.string({ unit: 'binary-ascii' });

describe('text is compared by ASCII alone', () => {
  it('A to Z are lower-cased, and nothing else', () => {
    expect(asciiLowerCase('\u212Ayber KYBER \u0130 \u00C4')).to.equal('\u212Ayber kyber \u0130 \u00C4');
    check(
      fc.property(ascii, (text) => void expect(asciiLowerCase(text)).to.equal(text.toLowerCase())),
      200,
    );
  });

  it('ASCII white space at the ends is taken off, and nothing else', () => {
    for (const space of ['\u00A0', '\u3000', '\u200B', '\uFEFF', '\u2003', '\u0085']) expect(asciiTrim(`${space}a${space}`)).to.equal(`${space}a${space}`);
    check(
      fc.property(ascii, (text) => void expect(asciiTrim(text)).to.equal(text.trim())),
      200,
    );
  });
});
