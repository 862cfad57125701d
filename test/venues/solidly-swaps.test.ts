import { expect } from 'chai';
import { price } from '../../src/venues/solidly/price.ts';
import { state } from '../../src/venues/solidly/state.ts';
import { MOMENT } from '../support/moment.ts';

type Row = readonly [
  stable: boolean,
  reserves: readonly [bigint, bigint],
  decimals: readonly [number, number],
  feeBps: number,
  slotIn: 0 | 1,
  amountIn: bigint,
  amountOut: bigint,
];

/** What pools of Velodrome on Optimism and Base answered. */
const SWAPS: readonly Row[] = [
  [false, [2_458_244_583_526n, 48_437_610_421_475_879_640_774_762n], [6, 18], 100, 0, 33_762_029n, 658_590_483_453_928_603_087n],
  [false, [2_458_244_583_526n, 48_437_697_487_082_485_250_805_965n], [6, 18], 100, 1, 4_843_761_042_147_587_964_077n, 243_341_685n],
  [true, [165_363_502_891_169_888_414n, 70_707_320_014_274_856_246n], [18, 18], 5, 1, 7_070_085_324_939_016n, 8_040_168_956_751_976n],
  [true, [165_363_502_891_169_888_414n, 70_707_320_014_274_856_246n], [18, 18], 5, 0, 7_070_085_324_939_016n, 6_210_478_971_090_850n],
  [false, [31_229_966_656_506_421_921n, 63_506_727_363n], [18, 18], 5, 1, 33_762_029n, 16_585_646_993_362_100n],
  [false, [31_220_354_779_450_883_153n, 63_526_279_313n], [18, 18], 5, 0, 3_655_170_221_820_867n, 7_432_846n],
];

describe('recorded swaps of Solidly pools', () => {
  for (const [stable, reserves, decimals, feeBps, slotIn, amountIn, amountOut] of SWAPS) {
    it(`${amountIn} of token ${slotIn} of a ${stable ? 'stable' : 'volatile'} pool give ${amountOut}`, () => {
      const quote = price.exactIn({ stable, reserves, decimals, feeBps }, slotIn, 1 - slotIn, amountIn, MOMENT);
      expect(quote.ok && quote.amountOut).to.equal(amountOut);
    });
  }

  it('leave the pool with the input but its fee, and without the output, whichever way', () => {
    for (const [stable, reserves, decimals, feeBps, slotIn, amountIn, amountOut] of SWAPS) {
      const pool = { stable, reserves, decimals, feeBps };
      const quote = price.exactIn(pool, slotIn, 1 - slotIn, amountIn, MOMENT);
      if (!quote.ok) throw new Error('a recorded swap was refused');
      const grown = reserves[slotIn] + amountIn - (amountIn * BigInt(feeBps)) / 10_000n;
      const left = reserves[1 - slotIn] as bigint;
      expect(quote.next).to.deep.equal({ ...pool, reserves: slotIn === 0 ? [grown, left - amountOut] : [left - amountOut, grown] });
      // The same again is worth less.
      const again = price.exactIn(quote.next, slotIn, 1 - slotIn, amountIn, MOMENT);
      expect(again.ok && again.amountOut <= amountOut).to.equal(true);
    }
  });

  it('a curve ends where a reserve would no longer fit its word, and a stable one no later than at four times what is there', () => {
    // Of more decimals than 18, or the contract could not count what a stable one holds then.
    const decimals = [24, 24] as const;
    for (const share of [10n, 3n, 2n]) {
      const much = (1n << 112n) - (1n << 112n) / share;
      const room = Number((1n << 112n) - 1n - much);
      for (const stable of [false, true]) {
        const [curve] = state.curves({ stable, reserves: [much, much], decimals, feeBps: 5 });
        expect(curve?.curve.capacity, `${stable} ${share}`).to.be.at.most(room);
      }
    }
    const [curve] = state.curves({ stable: true, reserves: [10n ** 24n, 10n ** 24n], decimals, feeBps: 5 });
    expect(curve?.curve.capacity).to.be.at.most(4e24);
  });

  it('refuses what sells nothing, gives nothing, or is of a token that the pool does not have', () => {
    const pool = { stable: false, reserves: [10n ** 18n, 10n ** 6n], decimals: [18, 6], feeBps: 30 } as const;
    const outcome = (slotIn: number, slotOut: number, amountIn: bigint) => price.exactIn(pool, slotIn, slotOut, amountIn, MOMENT).ok;
    expect([outcome(0, 1, 0n), outcome(0, 1, -1n), outcome(2, 1, 10n ** 15n), outcome(0, 2, 10n ** 15n)]).to.deep.equal([false, false, false, false]);
    // A millionth of the reserve is a unit of the other token, when the fee is paid.
    expect([outcome(0, 1, 10n ** 12n), outcome(0, 1, 2n * 10n ** 12n)]).to.deep.equal([false, true]);
  });

  it('refuses what the contract can not count: an input whose fee is beyond 256 bits', () => {
    const pool = { stable: false, reserves: [2n, 139_002_345_976n], decimals: [6, 6], feeBps: 97 } as const;
    expect(price.exactIn(pool, 1, 0, 1n << 255n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
  });

  it('refuses what the contract can not count: a reserve of a stable pool that does not fit 256 bits with 18 decimals more', () => {
    const [much, some] = [1n << 200n, 10n ** 18n];
    for (const reserves of [
      [much, some],
      [some, much],
    ] as const)
      for (const slotIn of [0, 1] as const)
        expect(price.exactIn({ stable: true, reserves, decimals: [18, 18], feeBps: 5 }, slotIn, 1 - slotIn, 10n ** 15n, MOMENT)).to.deep.equal({
          ok: false,
          reason: 'reverts',
        });
  });
});
