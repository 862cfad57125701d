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
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(() => state.fromPoolSet(entry, 2)).to.throw(PoolRefused);
    });
  }
});
