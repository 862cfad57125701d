import { expect } from 'chai';
import { areAlike, type CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';

const POOL: CryptoPool = {
  ...{ balances: [1n, 2n], precisions: [1n, 1n], priceScale: [3n], priceOracle: [4n], lastPrices: [5n], lastPricesAt: 6n },
  ...{ from: { amplification: 7n, gamma: 8n }, to: { amplification: 7n, gamma: 8n }, rampStartsAt: 0n, rampEndsAt: 9n, invariant: 10n },
  ...{ midFee: 11n, outFee: 12n, feeGamma: 13n, allowedExtraProfit: 14n, adjustmentStep: 15n, averageHalfTime: 16n },
  ...{ profit: 17n, virtualPrice: 18n, adjusting: false, shares: 19n },
  claim: { share: 20n, profitClaimed: 21n, hasReceiver: true, held: [22n, 23n] },
};

describe('two ways that a crypto pool may have gone', () => {
  it('are alike where they differ in the way to the average prices alone', () => {
    expect(areAlike(POOL, { ...POOL, adjusting: true })).to.equal(true);
    expect(areAlike({ ...POOL, claim: null }, { ...POOL, claim: null, adjusting: true })).to.equal(true);
  });

  it('are not where an exchange left anything else otherwise', () => {
    const { claim } = POOL;
    if (claim === null) throw new Error('it may be claimed');
    const others: readonly CryptoPool[] = [
      { ...POOL, balances: [1n, 3n] },
      { ...POOL, priceScale: [4n] },
      { ...POOL, priceOracle: [5n] },
      { ...POOL, lastPrices: [6n] },
      { ...POOL, lastPricesAt: 7n },
      { ...POOL, rampEndsAt: 1n },
      { ...POOL, invariant: 11n },
      { ...POOL, profit: 18n },
      { ...POOL, virtualPrice: 19n },
      { ...POOL, shares: 20n },
      { ...POOL, claim: { ...claim, profitClaimed: 22n } },
      { ...POOL, claim: { ...claim, held: [22n, 24n] } },
    ];
    for (const other of others) expect([areAlike(POOL, other), areAlike(other, POOL)]).to.deep.equal([false, false]);
  });
});
