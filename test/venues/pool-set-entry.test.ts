import { expect } from 'chai';
import { readAmplification, readInteger, readList, readSigned, readUnsigned } from '../../src/venues/pool-set-entry.ts';
import { PoolRefused } from '../../src/venues/venues.ts';

const refused = (read: () => unknown, what: string) => expect(read, what).to.throw(PoolRefused).with.property('reason', 'malformed');

describe('numbers of a pool set', () => {
  it('that are amounts fit their bits, to the last one', () => {
    expect(readUnsigned('0', 'x', 8)).to.equal(0n);
    expect(readUnsigned('255', 'x', 8)).to.equal(255n);
    expect(readUnsigned(String(2n ** 256n - 1n), 'x', 256)).to.equal(2n ** 256n - 1n);
    for (const text of ['256', '-1', '', ' 1', '1.0', '0x1', '1e3', '9'.repeat(79)]) refused(() => readUnsigned(text, 'x', 8), text);
    refused(() => readUnsigned(1, 'x', 8), 'a number');
  });

  it('that are signed do too, on both sides', () => {
    expect(['-128', '127', '-0'].map((text) => readSigned(text, 'x', 8))).to.deep.equal([-128n, 127n, 0n]);
    for (const text of ['-129', '128', '--1', '+1', '']) refused(() => readSigned(text, 'x', 8), text);
    refused(() => readSigned(1, 'x', 8), 'a number');
  });

  it('that are integers are within their bounds, these included', () => {
    expect([3, 5].map((value) => readInteger(value, 'x', 3, 5))).to.deep.equal([3, 5]);
    for (const value of [2, 6, 3.5, Number.NaN, '4', null]) refused(() => readInteger(value, 'x', 3, 5), String(value));
  });

  it('that are amplifications may have a fraction, of which what is finer than the precision is cut off', () => {
    expect(['7', '7.5', '7.1239', '0.0009'].map((text) => readAmplification(text, 1000n))).to.deep.equal([7000n, 7500n, 7123n, 0n]);
    for (const text of ['7.', '.5', '-7', '7.5.5', '1e3', '']) refused(() => readAmplification(text, 1000n), text);
    for (const value of [7, null, undefined, ['7']]) refused(() => readAmplification(value, 1000n), String(value));
  });

  it('come in lists, and what is wrong is told shortly', () => {
    expect(readList(['1'], 'x')).to.deep.equal(['1']);
    for (const value of ['1', { length: 1 }, null]) refused(() => readList(value, 'x'), String(value));
    expect(() => readUnsigned('y'.repeat(500), 'x', 8)).to.throw(/^x is "y{59}; it has to be decimal text of at most 2\^8 − 1$/);
  });
});
