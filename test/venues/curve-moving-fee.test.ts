import { expect } from 'chai';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { price } from '../../src/venues/curve/price.ts';
import { MOMENT } from '../support/moment.ts';

/** Of a fee of half that grows a hundredfold off the peg. */
function pool(balances: readonly [bigint, bigint]): CurveState {
  const scales = [1n, 10n ** 12n].map((numerator) => ({ numerator, denominator: 1n }));
  return {
    form: 'early-ng',
    balances,
    scales,
    amplification: 20_000n,
    ramp: null,
    fee: 5_000_000_000n,
    adminFee: 5_000_000_000n,
    offpegFeeMultiplier: 10n ** 12n,
  };
}

describe('a fee that moves with the balances', () => {
  it('refuses an exchange of which it would take more than all: the contract reverts, and there is no less than nothing to give', () => {
    // Found by the whole figure against the pool's own bytecode.
    expect(price.exactIn(pool([1_197_306n, 1n]), 1, 0, 2n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
    // What the fee is computed by is beyond 256 bits.
    const vast = { ...pool([1_298_074_214_633_706_907_132_624_082_305_025n, 60_847_228_810_955_011_272n]), fee: 1_000_000n, amplification: 20_000n };
    expect(price.exactIn(vast, 1, 0, 3930n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
    for (const amount of [1n, 10n ** 3n, 10n ** 6n, 10n ** 12n]) {
      for (const balances of [
        [10n ** 18n, 10n ** 6n],
        [10n ** 24n, 10n ** 6n],
        [10n ** 18n, 10n ** 12n],
      ] as const) {
        for (const [slotIn, slotOut] of [
          [0, 1],
          [1, 0],
        ] as const) {
          const quote = price.exactIn(pool(balances), slotIn, slotOut, amount, MOMENT);
          if (!quote.ok) continue;
          expect(quote.amountOut > 0n && quote.next.balances.every((balance) => balance >= 0n)).to.equal(true);
        }
      }
    }
  });
});
