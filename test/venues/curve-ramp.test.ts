import { expect } from 'chai';
import fc from 'fast-check';
import { WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { amplificationAt } from '../../src/venues/curve/amplification.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { price } from '../../src/venues/curve/price.ts';
import { state, validateState } from '../../src/venues/curve/state.ts';
import { momentOf, PoolRefused } from '../../src/venues/venues.ts';

const DAY = 86_400n;
const START = 1_700_000_000n;

const at = (seconds: bigint) => momentOf({ number: 1, timestamp: Number(seconds) as EpochSeconds });

function pool(from: bigint, to: bigint, unit: bigint): CurveState {
  return {
    form: 'plain',
    balances: [10n ** 24n, 3n * 10n ** 23n],
    scales: [1n, 1n].map((numerator) => ({ numerator, denominator: 1n })),
    amplification: to,
    ramp: { unit, from, startsAt: START, endsAt: START + 2n * DAY },
    fee: 4_000_000n,
    adminFee: 0n,
    offpegFeeMultiplier: 0n,
  };
}

describe('an amplification on its way', () => {
  it('goes from the one to the other, in steps of the contract, and stays there', () => {
    const states = fc.record({ from: fc.bigInt(1n, 10_000n), to: fc.bigInt(1n, 10_000n), unit: fc.constantFrom(1n, 100n), passed: fc.bigInt(0n, 3n * DAY) });
    fc.assert(
      fc.property(states, ({ from, to, unit, passed }) => {
        const moving = pool(from * 100n, to * 100n, unit);
        const now = amplificationAt(moving, at(START + passed));
        const [least, most] = from < to ? [from, to] : [to, from];
        expect(now >= least * 100n && now <= most * 100n).to.equal(true);
        expect(now % unit).to.equal(0n);
        if (passed >= 2n * DAY) expect(now).to.equal(to * 100n);
        if (passed === 0n) expect(now).to.equal(from * 100n);
      }),
    );
    expect(amplificationAt(pool(10_000n, 20_000n, 100n), at(START + DAY))).to.equal(15_000n);
    expect(amplificationAt(pool(20_000n, 10_100n, 100n), at(START + DAY))).to.equal(15_100n);
    expect(amplificationAt(pool(20_000n, 10_100n, 1n), at(START + DAY))).to.equal(15_050n);
  });

  it('is priced by the time of the block, also where the same state is asked for two', () => {
    const moving = pool(1_000n, 100_000n, 1n);
    const amounts = [0n, DAY, 2n * DAY, 0n].map((passed) => {
      const quote = price.exactIn(moving, 0, 1, 10n ** 22n, at(START + passed));
      return quote.ok ? quote.amountOut : 0n;
    });
    expect(amounts[0]).to.equal(amounts[3]);
    expect((amounts[0] ?? 0n) < (amounts[1] ?? 0n) && (amounts[1] ?? 0n) < (amounts[2] ?? 0n)).to.equal(true);
  });

  it('is in the snapshot with its times, and has curves that promise no more than either end takes', () => {
    for (const form of ['plain', 'early-ng', 'ng'] as const) {
      const moving = { ...pool(1_000n, 100_000n, 1n), form };
      const words = new WordWriter();
      state.pack(moving, words);
      expect(state.unpack(new WordReader(words.finish()))).to.deep.equal(moving);
      for (const { slotIn, slotOut, curve } of state.curves(moving)) {
        for (const passed of [0n, DAY, 2n * DAY]) {
          expect(price.exactIn(moving, slotIn, slotOut, BigInt(Math.floor(curve.capacity)), at(START + passed)).ok).to.equal(true);
        }
      }
    }
  });

  it('of a pool far out of balance has curves that end before either end refuses: one of the new generation takes nothing where it can not say its prices afterwards', () => {
    const rows: readonly (readonly [balances: readonly bigint[], from: bigint, to: bigint])[] = [
      [[65n * 10n ** 11n, 27n * 10n ** 9n, 39n * 10n ** 6n], 147_100n, 103_100n],
      // The larger amplification takes more than the smaller does.
      [[79n * 10n ** 25n, 74n * 10n ** 30n, 42n * 10n ** 32n], 7_100n, 194_000n],
      [[79n * 10n ** 25n, 74n * 10n ** 30n, 42n * 10n ** 32n], 194_000n, 7_100n],
    ];
    for (const [balances, from, to] of rows) {
      const uneven: CurveState = { ...pool(from, to, 1n), form: 'ng', balances, scales: balances.map(() => ({ numerator: 1n, denominator: 1n })) };
      validateState(uneven);
      const edges = state.curves(uneven);
      expect(edges.length, `${balances}`).to.be.greaterThan(0);
      for (const { slotIn, slotOut, curve } of edges)
        for (const passed of [0n, 2n * DAY])
          expect(price.exactIn(uneven, slotIn, slotOut, BigInt(Math.floor(curve.capacity)), at(START + passed)).ok, `${slotIn} ${slotOut} ${passed}`).to.equal(
            true,
          );
    }
  });

  it('that ends before it starts, never, or at nothing, is no pool', () => {
    const right = pool(1_000n, 100_000n, 1n);
    const ramp = right.ramp as NonNullable<CurveState['ramp']>;
    expect(() => validateState(right)).to.not.throw();
    for (const wrong of [{ endsAt: START }, { endsAt: 1n << 64n }, { from: 0n }, { from: 10n ** 9n }])
      expect(() => validateState({ ...right, ramp: { ...ramp, ...wrong } })).to.throw(PoolRefused);
  });
});
