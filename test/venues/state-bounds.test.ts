import { expect } from 'chai';
import { tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { validateState as checkCurve } from '../../src/venues/curve/state.ts';
import { state as vaults } from '../../src/venues/erc4626/state.ts';
import { price as solidly } from '../../src/venues/solidly/price.ts';
import { validateState as checkSolidly, type SolidlyState } from '../../src/venues/solidly/solidly-pool.ts';
import { validateState as checkPair, state as pairs } from '../../src/venues/uniswap_v2/state.ts';
import { HOOK_MODELS } from '../../src/venues/uniswap_v4/known-hooks.ts';
import { price as v4 } from '../../src/venues/uniswap_v4/price.ts';
import { state as v4State } from '../../src/venues/uniswap_v4/state.ts';
import { validateState as checkV4, type UniswapV4State } from '../../src/venues/uniswap_v4/uniswap-v4-pool.ts';
import { UNISWAP_V4_GAS } from '../../src/venues/uniswap_v4/venue.ts';
import { PoolRefused } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

/** Why a check refuses; null: it passes. */
function refusal(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof PoolRefused)) throw error;
    return error.reason;
  }
}

describe('the bounds of pools’ states', () => {
  it('of pairs: 112 bits, a fee below the whole, something on either side, and two reserves', () => {
    const most = 2n ** 112n - 1n;
    const of = (change: Partial<Parameters<typeof checkPair>[0]>) => refusal(() => checkPair({ reserve0: 1n, reserve1: 1n, feePpm: 0, ...change }));
    for (const side of ['reserve0', 'reserve1']) {
      expect(
        [most, most + 1n, 0n, -1n].map((reserve) => of({ [side]: reserve })),
        side,
      ).to.deep.equal([null, 'malformed', 'not-routable', 'malformed']);
    }
    expect([999_999, 1_000_000, -1, 0.5].map((feePpm) => of({ feePpm }))).to.deep.equal([null, 'malformed', 'malformed', 'malformed']);
    const listed = (...reserves: readonly string[]) => refusal(() => pairs.fromPoolSet({ reserves, feePpm: 1 }, 2));
    expect([listed('1', '1'), listed('1', '1', '1'), listed('1'), listed()]).to.deep.equal([null, 'malformed', 'malformed', 'malformed']);
  });

  it('of Solidly’s pools: a whole fee below all, reserves of 112 bits and above nothing, at most 36 decimals', () => {
    const pool: SolidlyState = { stable: true, reserves: [1n, 1n], decimals: [18, 18], feeBps: 5 };
    const of = (change: Partial<SolidlyState>) => refusal(() => checkSolidly({ ...pool, ...change }));
    expect([0, 9999, 10_000, -1, 0.5, Number.NaN].map((feeBps) => of({ feeBps }))).to.deep.equal([null, null, ...Array.from({ length: 4 }, () => 'malformed')]);
    for (const at of [0, 1]) {
      const bounded = [2n ** 112n - 1n, 2n ** 112n, 0n, -1n].map((reserve) =>
        of({ reserves: pool.reserves.with(at, reserve) as unknown as SolidlyState['reserves'] }),
      );
      expect(bounded).to.deep.equal([null, 'not-routable', 'not-routable', 'not-routable']);
      expect([36, 37].map((digits) => of({ decimals: pool.decimals.with(at, digits) as unknown as SolidlyState['decimals'] }))).to.deep.equal([
        null,
        'not-routable',
      ]);
    }
  });

  it('of Solidly’s stable pools with next to nothing in them: the contract divides by zero there, so they refuse', () => {
    for (const reserve of [1n, 10n, 10n ** 5n]) {
      const pool: SolidlyState = { stable: true, reserves: [reserve, reserve], decimals: [18, 18], feeBps: 5 };
      for (const amountIn of [1n, 10n, 10n ** 6n]) expect(solidly.exactIn(pool, 0, 1, amountIn, MOMENT).ok, `${reserve} ${amountIn}`).to.equal(false);
    }
  });

  it('of StableSwap pools: fees up to a half, also off the peg, and what a word holds', () => {
    const unit = { numerator: 1n, denominator: 1n };
    const pool: CurveState = {
      form: 'ng',
      balances: [10n ** 24n, 10n ** 24n],
      scales: [unit, unit],
      amplification: 20_000n,
      ramp: null,
      fee: 0n,
      adminFee: 0n,
      offpegFeeMultiplier: 0n,
    };
    const of = (change: Partial<CurveState>) => refusal(() => checkCurve({ ...pool, ...change }));
    const [half, one, word] = [5n * 10n ** 9n, 10n ** 10n, 2n ** 64n - 1n];
    expect([of({ fee: half }), of({ fee: half + 1n }), of({ adminFee: one }), of({ adminFee: one + 1n })]).to.deep.equal([
      null,
      'malformed',
      null,
      'malformed',
    ]);
    expect([of({ offpegFeeMultiplier: word }), of({ offpegFeeMultiplier: word + 1n })]).to.deep.equal([null, 'malformed']);
    expect([of({ fee: half, offpegFeeMultiplier: one }), of({ fee: half, offpegFeeMultiplier: one + 1n })]).to.deep.equal([null, 'malformed']);
    expect([100n, 99n, 10n ** 8n, 10n ** 8n + 1n].map((amplification) => of({ amplification }))).to.deep.equal([null, 'malformed', null, 'malformed']);
    const ramp = { unit: 1n, from: 100n, startsAt: 1n, endsAt: 2n };
    expect([{}, { startsAt: 2n }, { endsAt: word }, { endsAt: word + 1n }, { from: 99n }].map((change) => of({ ramp: { ...ramp, ...change } }))).to.deep.equal([
      null,
      'malformed',
      null,
      'malformed',
      'malformed',
    ]);
    expect([of({ balances: [0n, 1n] }), of({ balances: [10n ** 24n] })]).to.deep.equal(['not-routable', 'malformed']);
  });

  it('of vaults: the limits that a pool set gives, at most 128 bits, and none where it gives none', () => {
    const limits = (entry: object) => {
      const { deposit, redeem } = vaults.fromPoolSet({ rates: ['1', '1'], ...entry }, 2);
      return [deposit.limit, redeem.limit];
    };
    const most = 2n ** 128n - 1n;
    expect(limits({})).to.deep.equal([most, most]);
    expect(limits({ maxDeposit: '7', maxRedeem: '9' })).to.deep.equal([7n, 9n]);
    expect(limits({ maxDeposit: String(2n ** 256n - 1n), maxRedeem: '0' })).to.deep.equal([most, 0n]);
  });

  const whole: UniswapV4State = {
    pool: {
      feePpm: 3000,
      tickSpacing: 60,
      sqrtPriceX96: 2n ** 96n,
      liquidity: 10n ** 18n,
      tick: 0,
      ticks: tickTable([
        [-887_220, 10n ** 18n],
        [887_220, -(10n ** 18n)],
      ]),
      truncated: false,
    },
    protocolFee: 0,
    dynamicFee: false,
    native: false,
    variant: null,
    parameters: [],
  };

  it('of V4: the protocol’s fee of either direction is at most a thousand millionths', () => {
    const of = (protocolFee: number) => refusal(() => checkV4({ ...whole, protocolFee }));
    expect([0, 1000, 1000 * 4096, 1000 + 1000 * 4096].map(of)).to.deep.equal([null, null, null, null]);
    expect([1001, 1001 * 4096, 4095, -1, 1000 + 1001 * 4096].map(of)).to.deep.equal(Array.from({ length: 5 }, () => 'malformed'));
  });

  it('of V4: amounts in and out that the manager’s accounts hold, and no more', () => {
    const price = 2n ** 106n;
    const rich = { ...whole, pool: { ...whole.pool, sqrtPriceX96: price, liquidity: 2n ** 127n, tick: 138_629 } };
    const most = 2n ** 127n - 1n;
    const ask = (amountOut: bigint) => v4.exactOut?.(rich, 0, 1, amountOut, MOMENT).ok;
    expect([ask(most), ask(most + 1n)]).to.deep.equal([true, false]);
    const given = (amountIn: bigint) => v4.exactIn(rich, 0, 1, amountIn, MOMENT);
    const half = given(2n ** 106n);
    expect(half.ok && half.amountOut > 2n ** 125n && half.amountOut <= most).to.equal(true);
    expect([given(2n ** 108n).ok, v4.exactIn(rich, 1, 0, most, MOMENT).ok, v4.exactIn(rich, 1, 0, most + 1n, MOMENT).ok]).to.deep.equal([false, true, false]);
  });

  it('of V4: a curve’s gas is the manager’s with the hook’s', () => {
    for (const variant of [null, ...HOOK_MODELS.keys()]) {
      const parameters = variant === 'dynamic_fee' ? [3000n, 3000n, 1n] : [];
      const gas = UNISWAP_V4_GAS.swap + (variant === null ? 0 : (HOOK_MODELS.get(variant)?.gas ?? 0));
      for (const { curve } of v4State.curves({ ...whole, variant, parameters })) {
        if (curve.kind !== 'segments') throw new Error('another kind of curve');
        expect([curve.gas, curve.gasPerPiece > 0], String(variant)).to.deep.equal([gas, true]);
      }
    }
  });
});
