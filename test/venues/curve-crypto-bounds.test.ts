import { expect } from 'chai';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import { validateState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { PoolRefused } from '../../src/venues/venue.ts';
import { EVEN } from './even-crypto-pool.ts';

const LIMB = (1n << 64n) - 1n;
const TWO_LIMBS = (1n << 128n) - 1n;

/** What is said of the pool with such changes; null: nothing. */
function refusal(changes: Partial<CryptoPool>): string | null {
  try {
    validateState({ possible: [{ ...EVEN, ...changes }] });
    return null;
  } catch (error) {
    if (error instanceof PoolRefused) return error.message;
    throw error;
  }
}

const others = (list: readonly bigint[], last: bigint) => [...list.slice(0, -1), last];
const WORDS: Readonly<Record<string, readonly [most: bigint, (word: bigint) => Partial<CryptoPool>]>> = {
  feeGamma: [LIMB, (feeGamma) => ({ feeGamma })],
  allowedExtraProfit: [LIMB, (allowedExtraProfit) => ({ allowedExtraProfit })],
  adjustmentStep: [LIMB, (adjustmentStep) => ({ adjustmentStep })],
  averageHalfTime: [LIMB, (averageHalfTime) => ({ averageHalfTime })],
  lastPricesAt: [LIMB, (lastPricesAt) => ({ lastPricesAt })],
  rampStartsAt: [LIMB, (rampStartsAt) => ({ rampStartsAt })],
  priceOracle: [TWO_LIMBS, (word) => ({ priceOracle: others(EVEN.priceOracle, word) })],
  lastPrices: [TWO_LIMBS, (word) => ({ lastPrices: others(EVEN.lastPrices, word) })],
  shares: [TWO_LIMBS, (shares) => ({ shares })],
};

describe('the words of a crypto pool', () => {
  it('are all right as a real pool has them', () => {
    expect(refusal({})).to.equal(null);
  });

  for (const [name, [most, change]] of Object.entries(WORDS))
    it(`${name} may be all that its place in the snapshot holds, and no more`, () => {
      expect(refusal(change(most))).to.equal(null);
      expect(refusal(change(most + 1n))).to.match(/is above 2\^(64|128)$/);
    });
});
