import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { rememberedLenders } from '../../src/market/find-lenders.ts';
import { type Address, asAddress } from '../../src/units/units.ts';

const at = (n: number): Address => asAddress(`0x${n.toString(16).padStart(40, '0')}`);
const [TOKEN, OTHER, NATIVE, STRANGE] = [at(1), at(2), at(3), at(4)];
const [shared, ...lenders] = [at(100), at(101), at(102), at(103), at(104)];
const { blocks } = LIMITS.measuring.codes;

describe('who lends a probe what a token is traded against', () => {
  const setup = () => {
    let reads = 0;
    const lendersOf = rememberedLenders({
      contractsOf: (token) => (token === TOKEN ? [shared] : [shared, ...lenders]),
      deepestPools: () => [],
      pricesOthers: (token) => token !== STRANGE,
      readAt: () => async (calls) => {
        reads++;
        return calls.map(() => `0x${1000n.toString(16).padStart(64, '0')}` as const);
      },
      wrappedNative: NATIVE,
    });
    const block = (number: number) => ({ number, hash: `0x${'ab'.repeat(32)}` as const, baseFeePerGas: null });
    return { reads: () => reads, lend: async (other: Address, number: number) => await lendersOf(TOKEN, block(number))(other) };
  };

  it('are some that have most of it and do not trade the token; nobody for wrapped native', async () => {
    const { lend, reads } = setup();
    expect(await lend(OTHER, 1)).to.deep.equal(lenders.slice(0, LIMITS.measuring.lenders));
    expect([await lend(NATIVE, 1), reads()]).to.deep.equal([[], 1]);
    expect([await lend(STRANGE, 1), reads()], 'nothing is paid with what nobody knows').to.deep.equal([null, 1]);
  });

  it('are looked for again after a while, and after a block before', async () => {
    const { lend, reads } = setup();
    for (const number of [10, 10 + blocks - 1]) await lend(OTHER, number);
    expect(reads()).to.equal(1);
    await lend(OTHER, 10 + blocks);
    expect(reads()).to.equal(2);
    await lend(OTHER, 5);
    expect(reads()).to.equal(3);
  });
});
