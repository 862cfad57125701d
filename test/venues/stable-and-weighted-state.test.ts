import { expect } from 'chai';
import { WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { price as stablePrice } from '../../src/venues/balancer_v2_stable/price.ts';
import { state as stable, validateState } from '../../src/venues/balancer_v2_stable/state.ts';
import { price as weightedPrice } from '../../src/venues/balancer_v2_weighted/price.ts';
import { state as weighted } from '../../src/venues/balancer_v2_weighted/state.ts';
import { price as curvePrice } from '../../src/venues/curve/price.ts';
import { state as curve } from '../../src/venues/curve/state.ts';
import { PoolRefused } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

const ONE = '1000000000000000000';
const HALF = '500000000000000000';
const OWN = '0x7b50775383d3d6f0215a8f290f2c9e2eebbeceb2';
const OTHER = '0x2bbf681cc4eb09218bee85ea2a5d3d13fa40fc0c';
const THIRD = '0x804cdb9116a10bb78768d3252355a1b18067bf8f';

const even = { balances: ['1000000000000000000000', '1000000000000000000000'], weights: [HALF, HALF], swapFee: '1000000000000000' };
const pool = { balances: ['1000000000000000000000', '1000000000000000000000'], amp: '200', swapFee: '400000000000000' };

describe('a stable pool in the snapshot', () => {
  it('comes out as it went in, its own token, which has no scale, too', () => {
    const scale = { numerator: 3n, denominator: 7n };
    const state = {
      balances: [5n, 6n, 7n],
      scales: [scale, null, { numerator: 1n, denominator: 1n }],
      amplification: 200_000n,
      swapFee: 4n,
      rule: 'up' as const,
    };
    const out = new WordWriter();
    stable.pack(state, out);
    expect(stable.unpack(new WordReader(out.finish()))).to.deep.equal(state);
  });
});

describe('the balances of a stable pool', () => {
  const scale = { numerator: 1n, denominator: 1n };
  const of = (balances: readonly bigint[]) => ({ balances, scales: [scale, null, scale], amplification: 200_000n, swapFee: 0n, rule: 'down' as const });

  it('are none of them zero, but that of the pool’s own token, which counts for nothing', () => {
    const some = 10n ** 21n;
    expect(() => validateState(of([some, some, some]))).to.not.throw();
    expect(() => validateState(of([some, 0n, some]))).to.not.throw();
    for (const balances of [
      [0n, some, some],
      [some, some, 0n],
      [0n, 0n, 0n],
    ])
      expect(() => validateState(of(balances))).to.throw(PoolRefused, 'a balance is zero');
  });
});

describe('the state of a weighted pool', () => {
  it("is one of 2021 unless the set says 'v3Plus', and then gives less by up to 10^-14 of the balance", () => {
    const [old, recent] = [weighted.fromPoolSet(even, 2, [18, 18]), weighted.fromPoolSet({ ...even, version: 'v3Plus' }, 2, [18, 18])];
    expect([old.powers, recent.powers]).to.deep.equal(['logarithm', 'multiplied']);
    const [less, more] = [old, recent].map((state) => weightedPrice.exactIn(state, 0, 1, 10n ** 18n, MOMENT));
    if (!less?.ok || !more?.ok) throw new Error('a swap within the limits was refused');
    expect(more.amountOut > less.amountOut && more.amountOut - less.amountOut <= 10n ** 21n / 10n ** 14n + 2000n).to.equal(true);
  });

  it('takes 30% of the input balance after the fee and not a wei more, and its curve ends there', () => {
    const state = weighted.fromPoolSet({ ...even, balances: ['1000000000000', even.balances[1] ?? ''] }, 2, [6, 18]);
    const [edge] = weighted.curves(state);
    const most = 300_300_300_300n;
    expect(weightedPrice.exactIn(state, 0, 1, most, MOMENT).ok).to.equal(true);
    expect(weightedPrice.exactIn(state, 0, 1, most + 2n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
    expect(edge?.curve.capacity).to.be.within(Number(most) * (1 - 1e-12), Number(most));
    expect(weightedPrice.exactOut?.(state, 0, 1, 300n * 10n ** 18n, MOMENT).ok).to.equal(true);
    expect(weightedPrice.exactOut?.(state, 0, 1, 300n * 10n ** 18n + 1n, MOMENT).ok).to.equal(false);
  });

  it('has no curve in a direction of which less than a unit can be traded', () => {
    const directions = (balances: readonly string[]) =>
      weighted.curves(weighted.fromPoolSet({ ...even, balances }, 2, [18, 18])).map(({ slotIn, slotOut }) => [slotIn, slotOut]);
    expect(directions(['1', '1'])).to.deep.equal([]);
    expect(directions(['3', '1000000'])).to.deep.equal([]);
    expect(directions(['1000', '1'])).to.deep.equal([]);
    expect(directions(['4', '1000000'])).to.deep.equal([[0, 1]]);
    expect(directions(['1000', '1000'])).to.deep.equal([
      [0, 1],
      [1, 0],
    ]);
  });

  for (const [what, change] of [
    ['weights that do not add up to one', { weights: [HALF, '400000000000000000'] }],
    ['a weight below one percent', { weights: ['9999999999999999', '990000000000000001'] }],
    ['a fee of everything', { swapFee: ONE }],
    ['too few balances', { balances: ['1'] }],
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(() => weighted.fromPoolSet({ ...even, ...change }, 2, [18, 18])).to.throw(PoolRefused);
    });
  }

  it('is refused with a token of more than 18 decimals or of unknown ones', () => {
    expect(() => weighted.fromPoolSet(even, 2, [18, 19])).to.throw(PoolRefused, /19 decimals/);
    expect(() => weighted.fromPoolSet(even, 2, [18, null])).to.throw(PoolRefused, /not known/);
    expect(() => weighted.fromPoolSet(even, 2)).to.throw(PoolRefused, /not known/);
  });
});

describe("the state of Balancer's stable pool", () => {
  it('rounds its invariant as the version does that the label names', () => {
    const ruleOf = (venue: string) => stable.fromPoolSet({ ...pool, venue }, 2, [18, 18]).rule;
    expect(['balancer_v2:stable', 'balancer_v2:MetaStable', 'balancer_v2:stablephantom'].map(ruleOf)).to.deep.equal(['up', 'up', 'up']);
    expect(['balancer_v2', 'balancer_v2:composablestable'].map(ruleOf)).to.deep.equal(['down', 'down']);
  });

  it('reads an amplification with a fraction, and rates in both forms', () => {
    expect(stable.fromPoolSet({ ...pool, amp: '1390.5' }, 2, [18, 18]).amplification).to.equal(1_390_500n);
    const balances = ['1000000000000000000000', '1000000000'];
    expect(stable.fromPoolSet({ ...pool, balances, scalingRates: [ONE, '1000000'] }, 2).scales[1]).to.deep.equal({
      numerator: 10n ** 18n,
      denominator: 1_000_000n,
    });
    const priced = stable.fromPoolSet({ ...pool, balances, priceRates: [ONE, '1070274551073343913'] }, 2, [18, 6]);
    expect(priced.scales[1]).to.deep.equal({ numerator: 1_070_274_551_073_343_913n * 10n ** 12n, denominator: 10n ** 18n });
  });

  it('knows its own token, which neither counts nor trades', () => {
    const tokens = [OTHER, OWN, THIRD];
    const balances = ['1000000000000000000000', '5192296600069605758091990391638147', '1000000000000000000000'];
    const held = stable.fromPoolSet({ ...pool, id: `${OWN}0000000000000000000000fe`, address: OWN.toUpperCase().replace('0X', '0x'), tokens, balances }, 3, [
      18,
      null,
      18,
    ]);
    expect(held.scales[1]).to.equal(null);
    expect(stable.curves(held).map(({ slotIn, slotOut }) => [slotIn, slotOut])).to.deep.equal([
      [0, 2],
      [2, 0],
    ]);
    for (const [slotIn, slotOut] of [[0, 1] as const, [1, 2] as const]) {
      expect(stablePrice.exactIn(held, slotIn, slotOut, 10n ** 18n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
      expect(stablePrice.exactOut?.(held, slotIn, slotOut, 10n ** 18n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
    }
    const alone = stable.fromPoolSet(pool, 2, [18, 18]);
    const [beside, without] = [stablePrice.exactIn(held, 0, 2, 10n ** 18n, MOMENT), stablePrice.exactIn(alone, 0, 1, 10n ** 18n, MOMENT)];
    expect(beside.ok && without.ok && beside.amountOut === without.amountOut).to.equal(true);
  });

  it('trades whatever is held of its own token, nothing too, and of no other one may there be nothing', () => {
    const entry = { ...pool, id: `${OWN}0000000000000000000000fe`, address: OWN, tokens: [OTHER, OWN, THIRD] };
    const of = (...balances: readonly string[]) => stable.fromPoolSet({ ...entry, balances }, 3, [18, null, 18]);
    expect(stable.curves(of(ONE, '0', ONE))).to.have.lengthOf(2);
    expect(() => of('0', ONE, ONE)).to.throw(PoolRefused, 'a balance is zero');
    expect(() => of(ONE, ONE, '0')).to.throw(PoolRefused, 'a balance is zero');
  });

  for (const [what, change] of [
    ['an amplification below one', { amp: '0.9' }],
    ['an amplification beyond reason', { amp: '1000001' }],
    ['a rate of zero', { priceRates: [ONE, '0'] }],
    ['a zero balance', { balances: ['0', '1'] }],
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(() => stable.fromPoolSet({ ...pool, ...change }, 2, [18, 18])).to.throw(PoolRefused);
    });
  }
});

describe('the state of a StableSwap pool', () => {
  it('has fees in the unit of the contract, and refuses what is no multiple of it', () => {
    const read = curve.fromPoolSet({ ...pool, adminFee: HALF }, 2, [18, 18]);
    expect([read.form, read.fee, read.adminFee, read.amplification]).to.deep.equal(['plain', 4_000_000n, 5_000_000_000n, 20_000n]);
    expect(() => curve.fromPoolSet({ ...pool, swapFee: '4000000' }, 2, [18, 18])).to.throw(PoolRefused, /multiple/);
    expect(() => curve.fromPoolSet({ ...pool, swapFee: '600000000000000000' }, 2, [18, 18])).to.throw(PoolRefused, /half/);
    for (const amp of ['1', '1000000']) expect(curve.fromPoolSet({ ...pool, amp }, 2, [18, 18]).amplification).to.equal(100n * BigInt(amp));
    for (const amp of ['0.9', '1000000.1']) expect(() => curve.fromPoolSet({ ...pool, amp }, 2, [18, 18]), amp).to.throw(PoolRefused, /amplification/);
  });

  it('is of the new generation with a multiplier, whose fee grows with the distance from the peg', () => {
    const plain = curve.fromPoolSet(pool, 2, [18, 18]);
    const ng = curve.fromPoolSet({ ...pool, offpegFeeMultiplier: '5000000000000000000' }, 2, [18, 18]);
    const feeOf = (amount: bigint): number => {
      const [fixed, moving] = [curvePrice.exactIn(plain, 0, 1, amount, MOMENT), curvePrice.exactIn(ng, 0, 1, amount, MOMENT)];
      if (!fixed.ok || !moving.ok) throw new Error('refused');
      return 1 - (Number(moving.amountOut) / Number(fixed.amountOut)) * (1 - 0.0004);
    };
    expect(feeOf(10n ** 12n)).to.be.closeTo(0.0004, 1e-9);
    // 5 · 0.0004 / (4 · 4xy / (x + y)² + 1) with the balances on the average of the swap: 1,050 and about 950; 1,450 and about 555.
    expect(feeOf(10n ** 20n)).to.be.closeTo(0.0004008, 1e-7);
    expect(feeOf(9n * 10n ** 20n)).to.be.closeTo(0.000476, 2e-6);
    expect(() => curve.fromPoolSet({ ...pool, offpegFeeMultiplier: '2000000000000000000000' }, 2, [18, 18])).to.throw(PoolRefused, /off the peg/);
  });

  it("leaves the fee in the balances but for the admin's share", () => {
    for (const [adminFee, left] of [
      ['0', 0n],
      [ONE, 1n],
    ] as const) {
      const state = curve.fromPoolSet({ ...pool, adminFee }, 2, [18, 18]);
      const quote = curvePrice.exactIn(state, 0, 1, 10n ** 18n, MOMENT);
      if (!quote.ok) throw new Error('refused');
      const gone = (state.balances[1] ?? 0n) - (quote.next.balances[1] ?? 0n) - quote.amountOut;
      expect(gone > 0n).to.equal(left > 0n);
      expect(Number(gone) / 1e18).to.be.closeTo(Number(left) * 0.0004, 1e-6);
    }
  });
});
