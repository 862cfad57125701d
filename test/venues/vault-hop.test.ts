import { expect } from 'chai';
import { encodeVaultHop } from '../../src/venues/balancer/encode-vault-hop.ts';
import type { HopToEncode } from '../../src/venues/encode.ts';

const legData = (poolKey: string) => encodeVaultHop.legData({ poolKey } as HopToEncode);

describe('the leg of a pool of the vault', () => {
  it('names the pool by its id of 32 bytes', () => {
    const id = `0x${'0a9f'.repeat(16)}`;
    expect(legData(id)).to.equal(id);
  });

  for (const key of [
    '',
    '0x',
    '0xa',
    `0x${'a'.repeat(63)}`,
    `0x${'a'.repeat(65)}`,
    `0x${'A'.repeat(64)}`,
    `0x${'g'.repeat(64)}`,
    `0x${'a'.repeat(40)}`,
    `x0x${'a'.repeat(64)}`,
    `0x${'a'.repeat(64)}\n`,
  ])
    it(`is refused for ${JSON.stringify(key.slice(0, 20))} of ${key.length} characters`, () => {
      expect(() => legData(key)).to.throw(RangeError, 'not the id of a pool of the vault');
    });
});
