import { expect } from 'chai';
import { withSignature } from '../../src/client/client.ts';

describe('withSignature of the client', () => {
  const place = { signatureOffset: 3, signatureLength: 65 } as const;
  const data = `0xaabbcc${'00'.repeat(65)}ddee`;
  const signature = `0x${'7f'.repeat(64)}1b`;

  it('writes the 65 bytes and leaves every other one (complaint 18)', () => {
    expect(withSignature(data, place, signature)).to.equal(`0xaabbcc${'7f'.repeat(64)}1bddee`);
  });

  it('refuses a signature of another length, and calldata without room for it', () => {
    for (const wrong of ['0x', signature.slice(0, -2), `${signature}00`, `0x${'zz'.repeat(65)}`, 'x'.repeat(132)]) {
      expect(() => withSignature(data, place, wrong)).to.throw(RangeError, 'expected 65');
    }
    expect(() => withSignature('0xaabbcc', place, signature)).to.throw(RangeError, 'calldata');
  });
});
