import { expect } from 'chai';
import type { EpochSeconds } from '../../src/units/units.ts';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { price } from '../../src/venues/curve_crypto/price.ts';
import { state } from '../../src/venues/curve_crypto/state.ts';
import { SAMPLING_TOLERANCE } from '../../src/venues/sampled/sample-concave.ts';
import { momentOf } from '../../src/venues/venues.ts';
import { evaluateCurve } from '../support/evaluate-curve.ts';
import { cryptoStateOf } from './samples/curve_crypto.ts';

const DAY = 86_400n;

describe('the curve of a crypto pool', () => {
  it('is no more than its tolerance below where an exchange leaves the pool less even than it was', () => {
    const edges = state.curves(EVEN);
    expect(edges).to.have.lengthOf(6);
    for (const { slotIn, slotOut, curve } of edges) {
      for (const part of [0.001, 0.02, 0.3, 0.9]) {
        const amountIn = BigInt(Math.floor(curve.capacity * part));
        const exact = price.exactIn(EVEN, slotIn, slotOut, amountIn, momentOf({ number: 1, timestamp: 0 as EpochSeconds }));
        if (!exact.ok) throw new Error(`the exchange of ${amountIn} is refused within the capacity`);
        const missing = 1 - evaluateCurve(curve, Number(amountIn)) / Number(exact.amountOut);
        expect(missing, `${slotIn} to ${slotOut}, ${part}`).to.be.within(0, SAMPLING_TOLERANCE);
      }
    }
  });

  it('promises no more than is given at either end of moving parameters, nor on their way', () => {
    const from = { amplification: POOL.to.amplification / 5n, gamma: POOL.to.gamma * 3n };
    const ramp: CryptoState = { possible: [{ ...POOL, from, lastPricesAt: 0n, rampStartsAt: DAY, rampEndsAt: 3n * DAY }] };
    const edges = state.curves(ramp);
    expect(edges).to.have.lengthOf(6);
    for (const { slotIn, slotOut, curve } of edges) {
      for (const part of [1e-6, 0.01, 0.2, 1]) {
        const amountIn = BigInt(Math.floor(curve.capacity * part));
        for (const time of [DAY, 2n * DAY, 3n * DAY - 1n, 4n * DAY]) {
          const exact = price.exactIn(ramp, slotIn, slotOut, amountIn, momentOf({ number: 1, timestamp: Number(time) as EpochSeconds }));
          if (!exact.ok) throw new Error(`the exchange of ${amountIn} is refused at ${time}`);
          expect(evaluateCurve(curve, Number(amountIn)), `${slotIn} to ${slotOut} at ${time}`).to.be.at.most(Number(exact.amountOut) + rounding(ramp));
        }
      }
    }
  });

  it('is not there for a pool whose prices may be two', () => {
    const moved: CryptoPool = { ...POOL, priceScale: POOL.priceScale.map((scale) => scale + 1n) };
    expect(state.curves({ possible: [POOL, moved] })).to.deep.equal([]);
    expect(state.curves({ possible: [POOL, { ...POOL, adjusting: true }] })).to.have.lengthOf(6);
  });
});

describe('a crypto pool that may be on its way to its average prices', () => {
  it('is promised what it gives either way, and a second time only where both ways leave the same prices', () => {
    const pool = { ...POOL, allowedExtraProfit: 10n ** 16n };
    const at = momentOf({ number: 1, timestamp: 600 as EpochSeconds });
    const amountIn = (pool.balances[0] ?? 0n) / 100n;
    const known = [false, true].map((adjusting) => price.exactIn({ possible: [{ ...pool, adjusting }] }, 0, 1, amountIn, at));
    const either = price.exactIn({ possible: [pool, { ...pool, adjusting: true }] }, 0, 1, amountIn, at);
    const [still, moving] = known;
    if (!still?.ok || !moving?.ok || !either.ok) throw new Error('an exchange is refused');
    expect([either.amountOut, either.next.possible]).to.deep.equal([still.amountOut, [still.next.possible[0], moving.next.possible[0]]]);
    expect(moving.next.possible[0].priceScale).to.not.deep.equal(still.next.possible[0].priceScale);
    expect(price.exactIn(either.next, 0, 1, amountIn, at)).to.deep.equal({ ok: false, reason: 'reverts' });
    // Where nothing is earned that pays for a step, both ways end in the same.
    const poor = { ...pool, profit: 2n * pool.virtualPrice };
    const settled = price.exactIn({ possible: [poor, { ...poor, adjusting: true }] }, 0, 1, amountIn, at);
    if (!settled.ok) throw new Error('an exchange is refused');
    expect(settled.next.possible).to.have.lengthOf(1);
    expect(price.exactIn(settled.next, 0, 1, amountIn, at).ok).to.equal(true);
  });
});

/** Even, of a million of each coin's worth. */
const EVEN = cryptoStateOf({
  ...{ decimals: [6, 8, 18], parts: [100, 100, 100], dollars: 1_000_000, prices: [30_000, 2_000], known: true },
  ...{ amplification: 1_707_629n, gamma: 11_809_167_828_997n, midFee: 3_000_000n, outFee: 30_000_000n },
});
const [POOL] = EVEN.possible;

/** What rounding may take of an output: a few units of the coarsest coin. */
function rounding({ possible: [{ precisions, priceScale }] }: CryptoState): number {
  const worth = precisions.map((precision, slot) => Number(precision) * (Number(priceScale[slot - 1] ?? 10n ** 18n) / 1e18));
  return (4 * Math.max(...worth)) / Math.min(...worth);
}
