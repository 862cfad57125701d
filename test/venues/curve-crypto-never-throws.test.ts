import { expect } from 'chai';
import fc from 'fast-check';
import { WordWriter } from '../../src/snapshot/snapshot.ts';
import { asBlockNumber, type EpochSeconds } from '../../src/units/units.ts';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import type { CryptoState } from '../../src/venues/curve_crypto/crypto-state.ts';
import { price } from '../../src/venues/curve_crypto/price.ts';
import { state } from '../../src/venues/curve_crypto/state.ts';
import { SEED } from '../support/seeded-random.ts';

const E18 = 10n ** 18n;

/** All magnitudes up to a number of bits, and the ends. */
const upTo = (bits: number) =>
  fc.oneof(
    fc.constantFrom(0n, 1n, (1n << BigInt(bits)) - 1n),
    fc.integer({ min: 1, max: bits }).chain((most) => fc.bigInt(0n, (1n << BigInt(most)) - 1n)),
  );
/** A usual value, mostly, times something; else anything. */
const near = (usual: bigint, bits: number) => fc.oneof({ weight: 6, arbitrary: fc.bigInt(usual / 2n, 2n * usual) }, { weight: 1, arbitrary: upTo(bits) });
const each = <Value>(value: fc.Arbitrary<Value>, count: number) => fc.array(value, { minLength: count, maxLength: count });
const parameters = fc.record({ amplification: near(1_707_629n, 64), gamma: near(11_809_167_828_997n, 64) });
/** Claims are of two coins alone. */
const claims = fc.record({ share: near(5_000_000_000n, 64), profitClaimed: near(E18, 256), hasReceiver: fc.boolean(), held: each(near(10n ** 24n, 128), 2) });
const poolsOf = (coins: number): fc.Arbitrary<CryptoPool> =>
  fc.record({
    balances: each(near(10n ** 24n, 128), coins),
    precisions: each(fc.constantFrom(1n, 1n, 10n ** 10n, 10n ** 12n), coins),
    priceScale: each(near(E18, 128), coins - 1),
    priceOracle: each(near(E18, 128), coins - 1),
    lastPrices: each(near(E18, 128), coins - 1),
    lastPricesAt: near(1_700_000_000n, 64),
    from: parameters,
    to: parameters,
    rampStartsAt: near(1_700_000_000n, 64),
    rampEndsAt: fc.oneof(fc.constantFrom(0n, 0n, 1n), near(1_700_000_000n, 64)),
    invariant: near(3n * 10n ** 24n, 128),
    midFee: near(3_000_000n, 34),
    outFee: near(30_000_000n, 34),
    feeGamma: near(500_000_000_000_000n, 64),
    allowedExtraProfit: near(2_000_000_000_000n, 64),
    adjustmentStep: near(490_000_000_000_000n, 64),
    averageHalfTime: near(600n, 64),
    profit: near(E18, 256),
    virtualPrice: near(E18, 256),
    adjusting: fc.boolean(),
    shares: near(10n ** 24n, 128),
    claim: coins === 2 ? claims : fc.constant(null),
  });
const pools = fc.constantFrom(2, 3).chain((coins) => fc.tuple(poolsOf(coins), fc.integer({ min: 0, max: coins - 1 }), fc.integer({ min: 0, max: coins - 1 })));

describe('a crypto pool of any state, at any time', () => {
  it('gives an output or a refusal for any amount, and so does what an exchange leaves; nothing is thrown', () => {
    let answered = 0;
    fc.assert(
      fc.property(pools, fc.boolean(), near(10n ** 20n, 256), near(1_700_000_000n, 53), ([pool, slotIn, slotOut], two, amountIn, timestamp) => {
        let at: CryptoState = { possible: two ? [pool, { ...pool, adjusting: !pool.adjusting }] : [pool] };
        const moment = { blockNumber: asBlockNumber(1), timestamp: Number(timestamp) as EpochSeconds };
        for (let step = 0; step < 3; step++) {
          const quote = price.exactIn(at, slotIn, slotOut, amountIn, moment);
          if (!quote.ok) return;
          expect(quote.amountOut > 0n).to.equal(true);
          answered++;
          state.pack(quote.next, new WordWriter());
          at = quote.next;
        }
      }),
      { numRuns: 1_500, seed: SEED },
    );
    expect(answered).to.be.greaterThan(0);
  });
});
