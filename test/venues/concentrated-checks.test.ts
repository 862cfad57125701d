import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import { checkConcentratedState } from '../../src/venues/concentrated/check-concentrated-state.ts';
import { type ConcentratedState, tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { PoolRefused } from '../../src/venues/venue.ts';

const MAX_UINT128 = 2n ** 128n - 1n;
const MAX_INT128 = 2n ** 127n - 1n;
const AT_ZERO = 2n ** 96n;

const whole: ConcentratedState = {
  feePpm: 3_000,
  tickSpacing: 60,
  sqrtPriceX96: AT_ZERO,
  liquidity: 10n,
  tick: 0,
  ticks: tickTable([
    [-60, 10n],
    [60, -10n],
  ]),
  truncated: false,
};

/** null: it passes. */
function refusal(change: Partial<ConcentratedState>): string | null {
  try {
    checkConcentratedState({ ...whole, ...change });
    return null;
  } catch (error) {
    if (!(error instanceof PoolRefused)) throw error;
    return error.reason;
  }
}

/** A window of ticks: its sums are not looked at, so that only what is named can be what is wrong. */
const window = (liquidity: bigint, ...pairs: readonly (readonly [number, bigint])[]) => ({ liquidity, ticks: tickTable(pairs), truncated: true });

describe('states of concentrated pools', () => {
  it('pass at the ends of what the contract can hold', () => {
    const passing: readonly Partial<ConcentratedState>[] = [
      {},
      { feePpm: 0 },
      { feePpm: 999_999 },
      { tickSpacing: 1 },
      { tickSpacing: 16_383, ...window(1n, [-16_383, 1n], [16_383, -1n]) },
      { tick: MIN_TICK, sqrtPriceX96: MIN_SQRT_RATIO, tickSpacing: 1, ...window(1n) },
      { tick: MAX_TICK - 1, sqrtPriceX96: MAX_SQRT_RATIO - 1n, tickSpacing: 1, ...window(1n) },
      // The last swap went down exactly onto the tick.
      { tick: -1 },
      { tick: MIN_TICK - 1, sqrtPriceX96: MIN_SQRT_RATIO, tickSpacing: 1, ...window(1n) },
      window(1n, [MIN_TICK - (MIN_TICK % 60), 1n], [MAX_TICK - (MAX_TICK % 60), -1n]),
      window(MAX_UINT128, [-120, 1n], [-60, MAX_INT128], [0, MAX_INT128], [60, -MAX_INT128], [120, -MAX_INT128]),
      // Exactly full, and exactly empty, beyond a tick on either side.
      window(MAX_UINT128 - 1n, [-60, -1n]),
      window(MAX_UINT128 - 1n, [60, 1n]),
      window(1n, [-60, 1n], [60, -1n]),
      // A position starts where another one ends.
      window(0n, [-60, 0n]),
    ];
    for (const change of passing) expect(refusal(change), show(change)).to.equal(null);
  });

  it('are malformed just beyond', () => {
    const malformed: readonly Partial<ConcentratedState>[] = [
      { feePpm: -1 },
      { feePpm: 1_000_000 },
      { feePpm: 0.5 },
      { tickSpacing: 0 },
      { tickSpacing: 16_384, ...window(1n) },
      { tickSpacing: 1.5, ...window(1n) },
      { sqrtPriceX96: MIN_SQRT_RATIO - 1n },
      { sqrtPriceX96: MAX_SQRT_RATIO },
      { ...window(1n), liquidity: -1n },
      { ...window(1n), liquidity: MAX_UINT128 + 1n },
      { tick: 1 },
      { tick: -2 },
      { tick: 0.5 },
      // One below, though the price is not exactly on a tick.
      { tick: -1, sqrtPriceX96: AT_ZERO + 1n },
      { tick: MAX_TICK, sqrtPriceX96: MAX_SQRT_RATIO - 1n, tickSpacing: 1, ...window(1n) },
      { ticks: { indices: Int32Array.of(-60, 60), liquidityNet: [10n] } },
      window(1n, [61, -1n]),
      window(1n, [60, -1n], [60, 0n]),
      window(1n, [60, 0n], [0, -1n]),
      { tickSpacing: 1, ...window(1n, [MIN_TICK - 1, 0n]) },
      { tickSpacing: 1, ...window(1n, [MAX_TICK + 1, 0n]) },
      window(1n, [60, MAX_INT128 + 1n]),
      window(1n, [60, -MAX_INT128 - 1n]),
      // Beyond the price up, then down: below zero, and above a uint128.
      window(1n, [60, -2n], [120, 1n]),
      window(2n, [60, MAX_INT128], [120, MAX_INT128], [180, -1n]),
      window(1n, [-120, -1n], [-60, 2n]),
      window(2n, [-180, 1n], [-120, -MAX_INT128], [-60, -MAX_INT128]),
      { ticks: tickTable([[-60, 10n]]) },
      { ticks: tickTable([[60, -10n]]) },
      {
        ticks: tickTable([
          [-60, 9n],
          [60, -10n],
        ]),
      },
    ];
    for (const change of malformed) expect(refusal(change), show(change)).to.equal('malformed');
  });

  it('that hold nothing, are not initialised or have too many ticks are not routable, which is no fault', () => {
    const many = Array.from({ length: LIMITS.venues.ticksPerPool + 1 }, (_, index) => [60 * index, 0n] as const);
    expect(refusal({ sqrtPriceX96: 0n })).to.equal('not-routable');
    expect(refusal({ liquidity: 0n, ticks: tickTable([]) })).to.equal('not-routable');
    expect(refusal({ tickSpacing: 1, ...window(1n, ...many.map(([, net], index) => [index, net] as const)) })).to.equal('not-routable');
    expect(refusal({ tickSpacing: 1, ...window(1n, ...many.slice(1).map(([, net], index) => [index, net] as const)) })).to.equal(null);
  });

  it('know the price of every tick that they are at', () => {
    for (const tick of [-120_000, -61, -1, 1, 77, 250_001]) {
      expect(refusal({ tick, sqrtPriceX96: sqrtRatioAtTick(tick), ...window(1n) }), String(tick)).to.equal(null);
      expect(refusal({ tick: tick + 1, sqrtPriceX96: sqrtRatioAtTick(tick), ...window(1n) }), String(tick)).to.equal('malformed');
    }
  });
});

function show(change: Partial<ConcentratedState>): string {
  return JSON.stringify(change, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
