import { expect } from 'chai';
import fc from 'fast-check';
import { LIMITS } from '../../src/config/limits.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { validateState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { unlessReverted } from '../../src/venues/curve_crypto/exchange.ts';
import { evenWorth } from '../../src/venues/curve_crypto/move-prices.ts';
import { price } from '../../src/venues/curve_crypto/price.ts';
import { state } from '../../src/venues/curve_crypto/state.ts';
import { invariantOf } from '../../src/venues/curve_crypto/two-coin-maths.ts';
import { withinSteps } from '../../src/venues/sampled/newton-steps.ts';
import { isLetPass } from '../../src/venues/venue.ts';
import { momentOf } from '../../src/venues/venues.ts';
import { check } from '../support/property.ts';

const ONE = 10n ** 18n;
/** Of both directions of a pool of two coins. */
const BOUND = 2 * LIMITS.venues.sampledSteps;
const RUNS = 30;

/** What whoever opens a pool chooses, and pays in: powers of ten, but for the decimals of coins. */
type Chosen = Readonly<
  Record<'amplification' | 'amplificationBefore' | 'gamma' | 'gammaBefore' | 'midFee' | 'outFee' | 'feeGamma' | 'price' | 'worth' | 'skew', number>
> & { readonly decimals: readonly [number, number]; readonly moves: boolean };

const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const places = fc.integer({ min: 0, max: 18 });
/** All that the factory takes, and balances as far apart as the contract computes with. */
const chosen: fc.Arbitrary<Chosen> = fc.record({
  ...{ amplification: within(3.61, 9.6), amplificationBefore: within(3.61, 9.6), gamma: within(10, 16.3), gammaBefore: within(10, 16.3) },
  ...{ midFee: within(5.7, 9.99), outFee: within(5.7, 9.99), feeGamma: within(0, 18), price: within(6, 30), worth: within(18, 33), skew: within(-2, 2) },
  ...{ decimals: fc.tuple(places, places), moves: fc.boolean() },
});

describe('the curve of a crypto pool with whatever parameters its factory takes', () => {
  it('is there within its steps, or is not there', () => {
    let there = 0;
    check(
      fc.property(chosen, (one) => {
        const pool = poolOf(one);
        if (pool === null) return;
        const curves = withinSteps(BOUND + 1, () => state.curves(pool));
        expect(curves).to.not.equal(null);
        if (curves !== null && curves.length > 0) there++;
      }),
      RUNS,
    );
    expect(there).to.be.greaterThan(RUNS / 10);
  });

  it('is not there for a pool that would take too many, which exchanges all the same', () => {
    // Found by a search over random pools for the one that takes the most: 57,133 steps.
    const pool = poolOf(DEAREST);
    if (pool === null) throw new Error('the pool is refused');
    expect(state.curves(pool)).to.deep.equal([]);
    const amount = (pool.possible[0].balances[0] ?? 0n) / 1000n;
    expect(price.exactIn(pool, 0, 1, amount, momentOf({ number: 1, timestamp: 0 as EpochSeconds })).ok).to.equal(true);
  });
});

/** A pool that was opened with these and is even to its own price; null where the contract computes nothing with it. */
function poolOf({ decimals, moves, ...powers }: Chosen): CryptoState | null {
  const power = (of: keyof typeof powers) => BigInt(Math.floor(10 ** powers[of]));
  const to = { amplification: power('amplification'), gamma: power('gamma') };
  const from = moves ? { amplification: power('amplificationBefore'), gamma: power('gammaBefore') } : to;
  const second = power('price');
  const precisions = decimals.map((count) => 10n ** BigInt(18 - count));
  const amounts = [power('worth'), (BigInt(Math.floor(10 ** (powers.worth + powers.skew))) * ONE) / second];
  const balances = amounts.map((amount, slot) => amount / (precisions[slot] ?? 1n) + 1n);
  const worth = balances.map((balance, slot) => (balance * (precisions[slot] ?? 1n) * (slot === 0 ? ONE : second)) / ONE);
  const invariant = unlessReverted(() => invariantOf(to, worth));
  const shares = invariant === null ? null : unlessReverted(() => evenWorth(invariant, [second]));
  if (invariant === null || shares === null) return null;
  const fees = [power('midFee'), power('outFee')].sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint];
  const pool: CryptoPool = {
    ...{ balances, precisions, priceScale: [second], priceOracle: [second], lastPrices: [second], lastPricesAt: 0n },
    ...{ from, to, rampStartsAt: 0n, rampEndsAt: moves ? 1_000_000_000n : 0n, invariant, midFee: fees[0], outFee: fees[1], feeGamma: power('feeGamma') },
    ...{ allowedExtraProfit: 2_000_000_000_000n, adjustmentStep: 146_000_000_000_000n, averageHalfTime: 600n },
    ...{ profit: ONE, virtualPrice: ONE, adjusting: false, shares, claim: { share: 5_000_000_000n, profitClaimed: ONE, hasReceiver: true, held: balances } },
  };
  const opened: CryptoState = { possible: [pool, { ...pool, adjusting: true }] };
  return isLetPass(() => validateState(opened)) ? opened : null;
}

const DEAREST: Chosen = {
  ...{ amplification: 8.848437506003222, amplificationBefore: 9.581192544890484, gamma: 10.734421422565356, gammaBefore: 12.596457464029081 },
  ...{
    midFee: 8.159044526882138,
    outFee: 9.792776847018814,
    feeGamma: 16.001235031709076,
    price: 12.944747394489124,
    worth: 25.469777109939606,
    skew: -0.3582325672358274,
  },
  ...{ decimals: [17, 0], moves: true },
};
