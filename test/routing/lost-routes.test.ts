// Small markets in which a route that is there was lost once: each stands for a kind. What is right is known by pricing the route that was lost exactly, or from another answer to the same trade.
import { expect } from 'chai';
import type { Plan } from '../../src/routing/routing.ts';
import { manyTokenPool } from './random-world.ts';
import { bestSingleNet } from './route-shape.ts';
import { bestSinglePath, concentratedPool, job, openWorld, type PoolEntry, pairPool, planOf, token, type World } from './world.ts';

const MICRO = 10n ** 12n;
const open = (pools: readonly PoolEntry[]): World => openWorld({ pools, tokenCount: 5 });

/** Sells token 1 for token 0, the native one. */
function sell({ solve, view }: World, amount: bigint, maxHops: number, gasPriceWei = 0n): Plan {
  return planOf(solve(job(token(1), token(0), amount, { maxHops, gasPriceWei }), view));
}

/** A pool of two tokens with reserves in millionths of a token. */
function pair(id: number, ends: readonly [number, number], reserves: readonly [bigint, bigint], feeBps: number): PoolEntry {
  return pairPool(id, ends, [reserves[0] * MICRO, reserves[1] * MICRO], feeBps);
}

function wide(id: number, stable: boolean, balances: readonly (readonly [number, bigint])[]): PoolEntry {
  const pool = manyTokenPool(
    balances.map(([number]) => number),
    stable,
    1,
    [],
  );
  return { ...pool, id: `0x${(0xc0000 + id).toString(16).padStart(40, '0')}`, balances: balances.map(([, held]) => String(held)) };
}

describe('prices that some pools let be arbitraged', () => {
  it('do not shut out the best single path: a small pool at other prices beside it', () => {
    const pools = [
      pairPool(0, [0, 3], [28_480_118_928_421_441_524_203_520n, 28_480_118_928_421_441_524_203_520n]),
      concentratedPool(1, [0, 1], 0, [
        [-8160, 1500, 2_092_183_648_228_986n],
        [-5760, 5760, 697_394_549_409_662n],
      ]),
      pairPool(2, [1, 3], [977_072_936_746_354_275_778_560n, 977_072_936_746_354_275_778_560n]),
      wide(0, false, [
        [0, 27_789_329_132_975n],
        [4, 39_444_337_981_233n],
        [3, 55_208_325_291_037n],
      ]),
    ];
    const amount = 120_000_000_000_000n;
    const world = open(pools);
    const best = bestSinglePath(world, token(1), token(0), amount, 2);
    expect(best > 119_000_000_000_000n).to.equal(true);
    expect(sell(world, amount, 2).grossAmount >= best).to.equal(true);
    // Nor does the small pool cost what is found without it.
    expect(sell(world, amount, 2).grossAmount >= sell(open(pools.slice(0, 3)), amount, 2).grossAmount).to.equal(true);
  });

  it('do not shut out the best single path: pools of pairs that disagree by half a percent', () => {
    const world = open([
      pair(0, [1, 3], [13_091_154_313n, 13_030_241_650n], 1),
      pair(1, [0, 1], [10_051_803_306n, 10_037_086_380n], 1),
      pair(2, [0, 3], [7_140_850_095n, 7_129_849_132n], 30),
      pair(3, [1, 3], [1_980_654_154n, 1_975_304_127n], 5),
      pair(4, [0, 2], [1_737_489_371n, 1_734_231_648n], 5),
      pair(5, [1, 3], [33_161_392_090n, 33_202_892_994n], 30),
      pair(6, [2, 3], [62_329_316_508n, 62_589_090_018n], 5),
      pair(7, [2, 3], [1_154_373_826n, 1_149_973_632n], 5),
    ]);
    const [amount, gasPriceWei] = [796_026_000_000_000_000n, 15_247_940n];
    const { grossAmount, hops } = sell(world, amount, 3, gasPriceWei);
    const net = grossAmount - hops.reduce((sum, { gas }) => sum + BigInt(gas) * gasPriceWei, 0n);
    expect(net >= (bestSingleNet(world, 0, amount, 3, gasPriceWei) ?? 0n)).to.equal(true);
  });
});

describe('a pool that does not earn its gas', () => {
  it('is left out also where another had to stay that looked worse', () => {
    const [amount, gasPriceWei] = [38_636_117_000_000_000_000n, 28_743_477_458n];
    const pools = [
      pair(0, [1, 3], [211_865_634n, 211_485_519n], 1),
      pair(1, [0, 2], [321_318_124n, 321_268_731n], 5),
      pair(2, [2, 3], [1_290_047_165n, 1_290_235_941n], 1),
      pair(3, [2, 3], [86_947_100_343n, 87_047_804_950n], 1),
      pair(4, [0, 1], [608_537_395n, 606_605_263n], 1),
    ];
    const nets = [pools, pools.toSpliced(2, 1)].map((some) => {
      const { grossAmount, hops } = sell(open(some), amount, 3, gasPriceWei);
      return grossAmount - hops.reduce((sum, { gas }) => sum + BigInt(gas) * gasPriceWei, 0n);
    }) as [bigint, bigint];
    expect(nets[0] >= nets[1] - amount / 1_000_000n, String(nets)).to.equal(true);
  });
});

describe('a pool with an invariant, of which several pairs serve one route', () => {
  /** Beside a small pool of two tokens. */
  const pools = [
    pairPool(0, [0, 1], [1_456_666_105_634n, 1_456_666_105_634n], 5),
    wide(0, true, [
      [2, 2_177_028_495_223n],
      [4, 4_794_688_040_528n],
      [1, 4_066_353_726_697n],
      [0, 4_513_859_703_087n],
    ]),
  ];
  const amount = 8_600_000_000_000n;

  it('is not taken for several: what one hop gives, more hops give too', () => {
    const world = open(pools);
    const [one, ...more] = [1, 2, 3, 4].map((maxHops): bigint => sell(world, amount, maxHops).grossAmount) as [bigint, ...bigint[]];
    for (const gross of more) expect(gross >= one, `${gross} after ${one}`).to.equal(true);
  });

  it('gives in buy what it gives in sell, for no more', () => {
    const stables = [
      wide(0, true, [
        [2, 1_736_036_345_383n],
        [0, 2_088_886_053_016n],
        [3, 1_732_617_386_505n],
      ]),
      wide(1, true, [
        [4, 259_581_173_033n],
        [0, 120_703_480_747n],
        [3, 199_456_141_166n],
        [1, 261_696_735_936n],
      ]),
    ];
    for (const [some, sold] of [
      [pools, amount],
      [stables, 3_100_000_000_000n],
      [stables, 100_000_000_000n],
    ] as const) {
      const world = open(some);
      const target = sell(world, sold, 3).grossAmount;
      const bought = planOf(world.solve(job(token(1), token(0), target, { mode: 'buy', maxHops: 3, gasPriceWei: 0n }), world.view));
      expect(bought.sellAmount <= sold + sold / 10_000n, `${bought.sellAmount} for ${sold}`).to.equal(true);
    }
  });
});

describe('a pool of dust', () => {
  it('does not take the place of what carries most of the trade', () => {
    const dust = concentratedPool(3, [0, 4], 23, [
      [-5640, 840, 25_653_831n],
      [-3240, 3240, 8_551_277n],
    ]);
    const pools = [
      concentratedPool(0, [0, 3], 0, [
        [-7260, 1260, 93_250_247_271n],
        [-4860, 4860, 31_083_415_757n],
      ]),
      pairPool(1, [1, 4], [333_651_349_064_583_489_781_760n, 333_651_349_064_583_489_781_760n]),
      concentratedPool(2, [3, 4], 0, [
        [-8520, 1560, 7_566_847_671_916_353n],
        [-6120, 6120, 2_522_282_557_305_451n],
      ]),
      pairPool(4, [0, 1], [1_320_878_566n, 1_320_878_566n]),
    ];
    const amount = 127_041_531_898n;
    const [without, beside] = [pools, [...pools, dust]].map((some): bigint => sell(open(some), amount, 3).grossAmount) as [bigint, bigint];
    expect(without > 13_000_000_000n, String(without)).to.equal(true);
    expect(beside >= without - without / 100_000n, `${beside} of ${without}`).to.equal(true);
  });

  it('is not the answer where a deep way can take no more: a larger sell gives no less', () => {
    const world = open([
      concentratedPool(0, [0, 1], 0, [
        [-12_300, 2520, 786_686_613_444_824_955_617_280n],
        [-9900, 9900, 262_228_871_148_274_985_205_760n],
      ]),
      pairPool(1, [0, 1], [2_300_337_248n, 2_300_337_248n]),
    ]);
    const [less, more] = [170_000n, 340_000n].map((whole): bigint => sell(world, whole * 10n ** 18n, 3).grossAmount) as [bigint, bigint];
    expect(more >= less, `${more} after ${less}`).to.equal(true);
  });
});
