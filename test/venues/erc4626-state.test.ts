import { expect } from 'chai';
import { price } from '../../src/venues/erc4626/price.ts';
import { state } from '../../src/venues/erc4626/state.ts';
import { PoolRefused } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

const ONE = '1000000000000000000';
const [ASSET, SHARE] = [0, 1];

describe('the state of a vault', () => {
  // Recorded by Balancer at 0x8a88124522dbbf1e56352ba3de1d9f78c143751e, a wrapper on Sepolia, block 5955145.
  const recorded = state.fromPoolSet({ rates: [ONE, '1026429645525566689'] }, 2);

  it('gives what a recorded wrapper answered, for an exact input and for an exact output', () => {
    const inFor = (slotIn: number, slotOut: number, amount: bigint) => {
      const quote = price.exactOut?.(recorded, slotIn, slotOut, amount, MOMENT);
      return quote?.ok && quote.amountIn;
    };
    const outFor = (slotIn: number, slotOut: number, amount: bigint) => {
      const quote = price.exactIn(recorded, slotIn, slotOut, amount, MOMENT);
      return quote.ok && quote.amountOut;
    };
    expect(outFor(ASSET, SHARE, 10_000_000n)).to.equal(9_742_508n);
    expect(inFor(ASSET, SHARE, 10_000_000n)).to.equal(10_264_297n);
    expect(outFor(SHARE, ASSET, 111_111_111n)).to.equal(114_047_738n);
    expect(inFor(SHARE, ASSET, 111_111_111n)).to.equal(108_250_100n);
  });

  // pufETH at 0xd9a442856c234a39a81a089c06451ebaa4306a72, Ethereum, block 23319067: a redemption loses a hundredth.
  for (const [form, fields] of [
    ['a fee', { redeemFeePpm: 10_000 }],
    ['rates of its own', { redeemRates: [ONE, '1046793202268710558'] }],
  ] as const) {
    it(`gives each direction its own price: a recorded vault with an exit fee, told by ${form}`, () => {
      const vault = state.fromPoolSet({ rates: [ONE, '1057366870978495514'], maxRedeem: '1200300400200300400', ...fields }, 2);
      const outFor = (slotIn: number, amount: bigint) => {
        const quote = price.exactIn(vault, slotIn, 1 - slotIn, amount, MOMENT);
        return quote.ok ? quote.amountOut : quote.reason;
      };
      expect(outFor(ASSET, 1_100_000_000_000_000_000n)).to.equal(1_040_320_091_532_706_578n);
      expect(outFor(SHARE, 1_200_000_000_000_000_000n)).to.equal(1_256_151_842_722_452_669n);
      expect(outFor(SHARE, 1_300_000_000_000_000_000n)).to.equal('reverts');
    });
  }

  it('takes what its limits allow and not a unit more, swap after swap', () => {
    const vault = state.fromPoolSet({ rates: [ONE, ONE], maxDeposit: '100', maxRedeem: '7' }, 2);
    const first = price.exactIn(vault, ASSET, SHARE, 60n, MOMENT);
    if (!first.ok) throw new Error('a deposit within the limit was refused');
    expect(price.exactIn(first.next, ASSET, SHARE, 41n, MOMENT).ok).to.equal(false);
    expect(price.exactIn(first.next, ASSET, SHARE, 40n, MOMENT).ok).to.equal(true);
    expect(price.exactIn(first.next, SHARE, ASSET, 7n, MOMENT).ok).to.equal(true);
    expect(price.exactIn(first.next, SHARE, ASSET, 8n, MOMENT).ok).to.equal(false);
  });

  it('has a curve for each direction that takes anything, up to its limit', () => {
    const paused = state.fromPoolSet({ rates: [ONE, ONE], maxDeposit: '0', maxRedeem: '1000000' }, 2);
    expect(state.curves(paused).map(({ slotIn, curve }) => [slotIn, Math.round(curve.capacity)])).to.deep.equal([[SHARE, 1_000_000]]);
  });

  for (const [what, entry] of [
    ['both ways closed', { rates: [ONE, ONE], maxDeposit: '0', maxRedeem: '0' }],
    ['a share worth nothing', { rates: [ONE, '0'] }],
    ['a rate beyond 128 bits', { rates: [ONE, String(1n << 128n)] }],
    ['one rate', { rates: [ONE] }],
    ['no rates', {}],
    ['redemptions that pay more than deposits cost', { rates: [ONE, ONE], redeemRates: [ONE, '1000000000000000001'] }],
    ['a fee of all', { rates: [ONE, ONE], redeemFeePpm: 1_000_000 }],
    ['one rate of redemptions', { rates: [ONE, ONE], redeemRates: [ONE] }],
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(() => state.fromPoolSet(entry, 2)).to.throw(PoolRefused);
    });
  }
});
