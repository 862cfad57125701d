import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import { extendStepTable, startStepTable } from '../../src/venues/concentrated/step-table.ts';
import { sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { price } from '../../src/venues/uniswap_v3/price.ts';
import { state as facet, type UniswapV3State, validateState } from '../../src/venues/uniswap_v3/state.ts';
import { UNISWAP_V3_GAS } from '../../src/venues/uniswap_v3/venue.ts';
import { PoolRefused } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

const L = 10n ** 18n;
/** Liquidity between −120 and 60, and more between 180 and 240, with a gap between. */
const POOL: UniswapV3State = {
  feePpm: 3000,
  tickSpacing: 60,
  sqrtPriceX96: sqrtRatioAtTick(10),
  liquidity: L,
  tick: 10,
  ticks: tickTable([
    [-120, L],
    [60, -L],
    [180, 2n * L],
    [240, -2n * L],
  ]),
  truncated: false,
};

describe('state of a concentrated pool', () => {
  it('is taken in when it holds together', () => validateState(POOL));

  const wrong: readonly (readonly [string, Partial<UniswapV3State>, RegExp])[] = [
    ['a fee of a million', { feePpm: 1_000_000 }, /fee/],
    ['no spacing', { tickSpacing: 0 }, /spacing/],
    ['a price below the range', { sqrtPriceX96: 4_295_128_738n }, /sqrt price/],
    ['a price above the range', { sqrtPriceX96: 1n << 160n }, /sqrt price/],
    ['a tick of another price', { tick: 11 }, /does not match/],
    ['a tick one below a price that is not on a tick', { tick: 9, sqrtPriceX96: POOL.sqrtPriceX96 + 1n }, /does not match/],
    ['negative liquidity', { liquidity: -1n }, /liquidity/],
    ['liquidity above a uint128', { liquidity: 1n << 128n }, /liquidity/],
    ['liquidity that its ticks do not carry', { liquidity: L + 1n }, /liquidity/],
    [
      'ticks out of order',
      {
        ticks: tickTable([
          [60, -L],
          [-120, L],
        ]),
      },
      /ascending/,
    ],
    [
      'a tick twice',
      {
        ticks: tickTable([
          [-120, L],
          [-120, L],
          [60, -L],
        ]),
      },
      /ascending/,
    ],
    [
      'a tick off the spacing',
      {
        ticks: tickTable([
          [-121, L],
          [60, -L],
        ]),
      },
      /multiple/,
    ],
    [
      'a tick out of range',
      {
        ticks: tickTable([
          [-887_280, L],
          [60, -L],
        ]),
      },
      /out of range/,
    ],
    [
      'nets that do not sum to zero',
      {
        ticks: tickTable([
          [-120, L],
          [60, -L + 1n],
        ]),
      },
      /sum to zero/,
    ],
    [
      'a net above an int128',
      {
        ticks: tickTable([
          [-120, 1n << 127n],
          [60, -(1n << 127n)],
        ]),
        liquidity: 1n << 127n,
      },
      /int128/,
    ],
  ];
  for (const [name, change, message] of wrong) {
    it(`is refused as malformed with ${name}`, () => {
      expect(() => validateState({ ...POOL, ...change }))
        .to.throw(PoolRefused, message)
        .with.property('reason', 'malformed');
    });
  }

  it('is not routable without a price, without any liquidity, or with too many ticks', () => {
    const many = Array.from({ length: LIMITS.venues.ticksPerPool + 1 }, (_, i) => [i - 16_384, 0n] as const);
    for (const change of [{ sqrtPriceX96: 0n }, { liquidity: 0n, ticks: tickTable([]) }, { tickSpacing: 1, ticks: tickTable(many) }]) {
      expect(() => validateState({ ...POOL, ...change }))
        .to.throw(PoolRefused)
        .with.property('reason', 'not-routable');
    }
  });

  it('may store the tick below a price that lies on a tick, as a swap downwards leaves it', () => {
    validateState({ ...POOL, sqrtPriceX96: sqrtRatioAtTick(60), tick: 59 });
    validateState({ ...POOL, sqrtPriceX96: sqrtRatioAtTick(60), tick: 60, liquidity: 0n });
  });
});

describe('a pool-set entry of a concentrated pool', () => {
  const entry = {
    feePpm: 3000,
    tickSpacing: 60,
    sqrtPriceX96: String(POOL.sqrtPriceX96),
    liquidity: String(L),
    tick: 10,
    ticks: [
      [-120, String(L)],
      [60, String(-L)],
      [120, '5'],
      [180, '-9'],
    ],
  };

  it('without ticks is not routable', () => {
    expect(() => facet.fromPoolSet({ ...entry, ticksMissing: true }, 2))
      .to.throw(PoolRefused)
      .with.property('reason', 'not-routable');
  });

  it('whose ticks do not add up is malformed, unless it says so: then the part that fits is a window', () => {
    expect(() => facet.fromPoolSet(entry, 2)).to.throw(PoolRefused, /leaves uint128 at tick 180/);
    const window = facet.fromPoolSet({ ...entry, ticksConsistent: false }, 2);
    expect(window.truncated).to.equal(true);
    expect([...window.ticks.indices]).to.deep.equal([-120, 60, 120]);
  });
});

describe('a concentrated pool', () => {
  it('crosses a gap without liquidity and goes on behind it', () => {
    const within = price.exactIn(POOL, 1, 0, 10n ** 15n, MOMENT);
    const beyond = price.exactIn(POOL, 1, 0, 6n * 10n ** 15n, MOMENT);
    expect(within.ok && within.gas).to.equal(UNISWAP_V3_GAS.swap);
    expect(beyond.ok && beyond.next.tick).to.be.within(180, 239);
    expect(beyond.ok && beyond.gas).to.equal(UNISWAP_V3_GAS.swap + 2 * UNISWAP_V3_GAS.tickCrossed);
  });

  it('refuses as partial what all its liquidity can not take', () => {
    expect(price.exactIn(POOL, 1, 0, 10n ** 18n, MOMENT)).to.deep.equal({ ok: false, reason: 'partial' });
    expect(price.exactOut?.(POOL, 1, 0, 10n ** 18n, MOMENT)).to.deep.equal({ ok: false, reason: 'partial' });
  });

  it('that is known in a window gives no flow past its ends, and the same flow within', () => {
    const window = { ...POOL, ticks: tickTable([[60, -L]]), truncated: true };
    validateState(window);
    for (const amount of [10n ** 12n, 10n ** 15n]) {
      const [whole, part] = [price.exactIn(POOL, 1, 0, amount, MOMENT), price.exactIn(window, 1, 0, amount, MOMENT)];
      expect(part.ok && whole.ok && part.amountOut === whole.amountOut).to.equal(true);
    }
    expect(price.exactIn(window, 1, 0, 10n ** 16n, MOMENT)).to.deep.equal({ ok: false, reason: 'partial' });
    expect(price.exactIn(window, 0, 1, 1n, MOMENT)).to.deep.equal({ ok: false, reason: 'partial' });
    expect(facet.curves(window).map(({ slotIn }) => slotIn)).to.deep.equal([1]);
  });

  it('walks any distance in a bounded number of steps: one for each word of the bitmap with liquidity, none for those without', () => {
    const wide: UniswapV3State = {
      ...POOL,
      tickSpacing: 1,
      ticks: tickTable([
        [-887_272, L],
        [887_272, -L],
      ]),
    };
    const empty: UniswapV3State = {
      ...POOL,
      tickSpacing: 1,
      liquidity: 0n,
      ticks: tickTable([
        [800_000, L],
        [800_001, -L],
      ]),
    };
    expect(stepsOf(wide, false)).to.be.within(3400, 3500);
    expect(stepsOf(empty, false)).to.equal(3);
    expect(stepsOf(empty, true)).to.equal(1);
    expect(price.exactIn(empty, 1, 0, 10n ** 40n, MOMENT)).to.deep.equal({ ok: false, reason: 'partial' });
  });

  it('has at most the agreed number of curve pieces, and none of the flow behind them', () => {
    const pairs = Array.from({ length: 2 * LIMITS.venues.curvePieces + 2 }, (_, i) => [i * 60 + 60, i % 2 === 0 ? L : -L] as const);
    const [curve] = facet.curves({ ...POOL, liquidity: 0n, ticks: tickTable(pairs) });
    if (curve?.curve.kind !== 'segments') throw new Error('no curve');
    expect(curve.curve.columns).to.have.lengthOf(4 * LIMITS.venues.curvePieces);
    const all = price.exactIn({ ...POOL, liquidity: 0n, ticks: tickTable(pairs.slice(0, -2)) }, 1, 0, BigInt(Math.floor(curve.curve.capacity)), MOMENT);
    expect(all.ok).to.equal(true);
  });
});

function stepsOf(pool: UniswapV3State, zeroForOne: boolean): number {
  const table = startStepTable(pool, zeroForOne, null);
  while (extendStepTable(table, pool));
  return table.tick.length - 1;
}
