// Trades of which the market can take all, a part or nothing, markets that drain, and curves that end: what has a route is routed, and what has none is said to have none.
import { expect } from 'chai';
import { cappedVault } from './random-world.ts';
import { bestSinglePath, concentratedPool, job, openWorld, type PoolEntry, pairPool, planOf, replay, token, type World } from './world.ts';

const E18 = 10n ** 18n;
const modes = ['sell', 'buy'] as const;
const vaultId = (number: number) => `0x${(0xd0000 + number).toString(16).padStart(40, '0')}`;
const open = (pools: readonly PoolEntry[], tokenCount = 5): World => openWorld({ pools, tokenCount });
const ask = ({ solve, view }: World, amount: bigint, maxHops = 2, mode: 'sell' | 'buy' = 'sell') =>
  solve(job(token(1), token(2), amount, { mode, maxHops }), view);

/** Sells, checks the route to the wei, and returns what it gives. */
function sell(world: World, amount: bigint, maxHops = 2): bigint {
  const plan = planOf(ask(world, amount, maxHops));
  expect(replay(world, plan, token(1), amount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
  expect(plan.sellAmount).to.equal(amount);
  return plan.grossAmount;
}

describe('a trade that the market takes', () => {
  /** Three vaults that give one for one, a hundred each. */
  const vaults = [0, 1, 2].map((id) => cappedVault(vaultId(id), [1, 2], 1000n, 100n * E18));

  it('wholly, though no path does: all that vaults take, to a basis point', () => {
    const world = open(vaults);
    expect(bestSinglePath(world, token(1), token(2), 299n * E18, 2)).to.equal(0n);
    expect(sell(world, 299n * E18) >= 298n * E18).to.equal(true);
    const bought = planOf(ask(world, 299n * E18, 2, 'buy'));
    expect(bought.sellAmount <= 300n * E18 && bought.grossAmount >= 299n * E18).to.equal(true);
  });

  it('not at all where all vaults together take less, or none is there', () => {
    for (const mode of modes) {
      expect(ask(open(vaults), 301n * E18, 2, mode)).to.include({ ok: false, reason: 'no-route' });
      expect(ask(open([pairPool(0, [1, 3], [E18, E18])]), E18, 2, mode)).to.include({ ok: false, reason: 'no-route' });
    }
  });

  it('in part by pools that end, the rest by one that takes anything and gives next to nothing', () => {
    // Beside the vaults a pool of dust: what has no better way ends there. Shares are whole basis points, of which each vault may miss one and a half.
    for (const dust of [1000n, 10n ** 9n, 10n ** 15n]) {
      const world = open([...vaults, pairPool(9, [1, 2], [dust, dust])]);
      for (const amount of [301n * E18, 1000n * E18, 10_000n * E18]) {
        const gross = sell(world, amount);
        expect(gross >= 300n * E18 - (3n * 15n * amount) / 100_000n, `${gross} of ${amount} beside ${dust}`).to.equal(true);
      }
    }
  });

  it('in part over a middle token, whose pools end', () => {
    const world = open([
      cappedVault(vaultId(0), [1, 3], 1000n, 500n * E18),
      pairPool(1, [3, 2], [10n ** 6n * E18, 10n ** 6n * E18]),
      pairPool(2, [1, 2], [10n ** 9n, 10n ** 9n]),
    ]);
    for (const amount of [501n * E18, 5000n * E18]) expect(sell(world, amount) >= 495n * E18, String(amount)).to.equal(true);
  });

  it('in part over a deep pool to one that ends: what goes over drains a shallow pool beside it, and costs a basis point or two', () => {
    const world = open([
      pairPool(0, [1, 3], [134n * E18, 134n * E18]),
      pairPool(1, [1, 3], [16_000n * E18, 16_000n * E18]),
      concentratedPool(2, [2, 3], 0, [[-600, 600, 50_000n * E18]]),
    ]);
    let most = 0n;
    for (const amount of [1500n, 1680n, 1700n, 1725n, 1750n, 2000n, 2500n, 4100n, 16_000n, 100_000n]) {
      const gross = sell(world, amount * E18);
      // One share at either pool and at the token between may be a whole basis point short of the sale, which is more the more is sold.
      const short = amount < 10_000n ? 3n : 10n;
      expect(gross * 10_000n >= most * (10_000n - short), `${gross} of ${amount} after ${most}`).to.equal(true);
      if (gross > most) most = gross;
    }
    expect(most > 1477n * E18, String(most)).to.equal(true);
    const bought = planOf(ask(world, (most * 9999n) / 10_000n, 2, 'buy'));
    expect(bought.sellAmount < 1750n * E18, String(bought.sellAmount)).to.equal(true);
  });

  it('in part by concentrated liquidity that runs out, in one direction and the other', () => {
    for (const ends of [
      [1, 2],
      [0, 1],
    ] as const) {
      const [from, to] = ends[0] === 1 ? [1, 2] : [1, 0];
      const world = open([concentratedPool(0, ends, 0, [[-600, 600, 10_000n * E18]]), pairPool(1, ends, [10n ** 9n, 10n ** 9n])]);
      const most = [1n, 2n, 4n, 8n, 16n, 32n, 64n, 128n, 200n, 250n, 280n, 290n].map((tens) => bestSinglePath(world, token(from), token(to), tens * E18, 1));
      const known = most.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n;
      for (const amount of [400n * E18, 10n ** 6n * E18]) {
        const plan = planOf(world.solve(job(token(from), token(to), amount, { maxHops: 1 }), world.view));
        expect(plan.grossAmount >= known, `${plan.grossAmount} of ${known} for ${amount}`).to.equal(true);
      }
    }
  });
});

describe('a market that drains', () => {
  it('gives of a larger sell no less, up to far more than it holds', () => {
    const markets: readonly (readonly PoolEntry[])[] = [
      [pairPool(0, [1, 2], [E18, E18]), pairPool(1, [1, 3], [1000n * E18, 1000n * E18]), pairPool(2, [3, 2], [100n * E18, 100n * E18])],
      [
        pairPool(0, [1, 2], [10n ** 6n, 10n ** 10n]),
        pairPool(1, [1, 3], [10n ** 24n, 10n ** 24n]),
        concentratedPool(2, [2, 3], 0, [[-6000, 6000, 10n ** 23n]]),
      ],
      [
        pairPool(0, [1, 2], [10n ** 9n, 10n ** 9n]),
        concentratedPool(1, [1, 2], 0, [[-60, 60, 10n ** 24n]]),
        concentratedPool(2, [1, 2], 0, [[-6000, 6000, 10n ** 22n]]),
      ],
    ];
    for (const [index, pools] of markets.entries()) {
      const world = open(pools);
      let [before, sold] = [0n, 1n];
      for (let exponent = 6n; exponent <= 30n; exponent++) {
        const amount = 10n ** exponent;
        const result = ask(world, amount);
        expect(result.ok, `market ${index}, 10^${exponent}`).to.equal(true);
        const gross = planOf(result).grossAmount;
        // Shares are whole basis points of the larger trade, so that what carried a smaller one wholly is aimed at by so much less well.
        const missed = (2n * before * amount) / sold / 10_000n;
        expect(gross + missed + 3n >= before, `market ${index}: ${gross} for 10^${exponent} after ${before} for ${sold}`).to.equal(true);
        if (gross > before) [before, sold] = [gross, amount];
      }
    }
  });

  it('fills its pools before the artificial rate: of two that drain, what both hold comes out', () => {
    const world = open([0, 1].map((id) => pairPool(id, [1, 2], [E18, E18])));
    for (const times of [10n ** 3n, 10n ** 6n, 10n ** 9n])
      expect(sell(world, times * E18) >= 2n * E18 - (10n * E18) / times - 10n ** 12n, String(times)).to.equal(true);
  });
});

describe('a pool that is full beside one that drains', () => {
  // What ends takes less than a basis point of the largest trade, and gives most of what comes out.
  const world = open([concentratedPool(0, [1, 2], 0, [[-60, 60, 10_000n * E18]]), pairPool(1, [1, 2], [100n * E18, 100n * E18])]);
  /** Shares are whole basis points: sales of like amounts may give a tenth of one more or less. */
  const less = (output: bigint) => output - output / 100_000n;
  const amounts = [10_000n, 33_000n, 100_000n, 470_000n].map((units) => units * E18);

  it('is filled though its share is a few basis points: a larger sell gives no less', () => {
    const outputs = amounts.map((amount) => sell(world, amount));
    for (const [index, output] of outputs.entries()) expect(output >= less(outputs[index - 1] ?? 0n), `${output} of ${amounts[index]}`).to.equal(true);
  });

  it('is filled in a buy too: what a sell gave, less the tenth of a basis point, is bought for no more', () => {
    for (const amount of amounts) {
      const target = less(sell(world, amount));
      const bought = planOf(ask(world, target, 2, 'buy'));
      expect(bought.sellAmount <= amount && bought.grossAmount >= target, `${bought.sellAmount} for ${amount}`).to.equal(true);
    }
  });
});

describe('a curve that hardly is one', () => {
  it('of no capacity, or of a unit, changes nothing beside a pool', () => {
    const plain = pairPool(0, [1, 2], [1000n * E18, 1000n * E18]);
    const alone = sell(open([plain]), E18);
    for (const cap of [0n, 1n, 2n]) {
      const vault = cappedVault(vaultId(1), [1, 2], 2000n, cap);
      const gross = sell(open([plain, vault]), E18);
      expect(gross >= alone && gross <= alone + 2n * cap + 1n, `${cap}: ${gross} after ${alone}`).to.equal(true);
    }
  });

  it('alone fills what it takes, to the unit', () => {
    const world = open([cappedVault(vaultId(0), [1, 2], 1000n, 5n)]);
    expect([1n, 5n].map((amount) => sell(world, amount))).to.deep.equal([1n, 5n]);
    expect(ask(world, 6n)).to.include({ ok: false, reason: 'no-route' });
  });

  it('of positions that touch in one tick, with none between, is filled to its end', () => {
    const world = open([
      concentratedPool(0, [1, 2], 0, [
        [-60, 0, 1000n * E18],
        [-120, -60, 2000n * E18],
        [-240, -180, 5000n * E18],
      ]),
    ]);
    let before = 0n;
    for (const amount of [1n, 10n ** 6n, E18, 3n * E18, 9n * E18, 10n * E18, 20n * E18]) {
      const best = bestSinglePath(world, token(1), token(2), amount, 1);
      if (best === 0n) continue;
      expect(sell(world, amount, 1)).to.equal(best);
      expect(best >= before).to.equal(true);
      before = best;
    }
  });
});

describe('gas that costs more than the trade is worth', () => {
  it('leaves a quote: of the fewest gas the one that gives most', () => {
    // One pool, or two side by side, or a way of two hops that gives most before gas.
    const pools = [
      pairPool(0, [0, 1], [1000n * E18, 1000n * E18]),
      pairPool(1, [0, 1], [900n * E18, 900n * E18]),
      pairPool(2, [1, 3], [10n ** 6n * E18, 2n * 10n ** 6n * E18]),
      pairPool(3, [0, 3], [10n ** 6n * E18, 10n ** 6n * E18]),
    ];
    const world = open(pools);
    const best = bestSinglePath(open(pools.slice(0, 2)), token(1), token(0), 100n * E18, 1);
    for (const gasPriceWei of [10n ** 16n, 10n ** 20n, 10n ** 40n, 10n ** 70n]) {
      const plan = planOf(world.solve(job(token(1), token(0), 100n * E18, { maxHops: 2, gasPriceWei }), world.view));
      expect(
        plan.hops.map(({ poolKey }) => poolKey),
        String(gasPriceWei),
      ).to.deep.equal([pools[0]?.id]);
      expect(plan.grossAmount).to.equal(best);
    }
    // Gas is valued in the sell token here, by a market that is drained by it.
    for (const gasPriceWei of [10n ** 16n, 10n ** 20n]) {
      const bought = planOf(world.solve(job(token(1), token(0), 50n * E18, { mode: 'buy', maxHops: 2, gasPriceWei }), world.view));
      expect(
        bought.hops.map(({ poolKey }) => poolKey),
        `buy at ${gasPriceWei}`,
      ).to.deep.equal([pools[0]?.id]);
    }
  });

  it('is valued though no pool takes as much of the native token, in a trade of a few units too', () => {
    // Before gas a way of two hops gives most; the direct pool ends, so that the native token has no price for a fortune of it.
    const ends = concentratedPool(0, [0, 1], 0, [[-600, 600, 10_000n * E18]]);
    const level = [pairPool(1, [1, 3], [10n ** 30n, 10n ** 30n], 0), pairPool(2, [0, 3], [10n ** 30n, 10n ** 30n], 0)];
    for (const pools of [[ends], [ends, ...level]]) {
      const world = open(pools);
      for (const amount of [1000n, 50n * E18]) {
        for (const mode of modes) {
          const plan = planOf(world.solve(job(token(1), token(0), amount, { mode, maxHops: 2, gasPriceWei: 10n ** 30n }), world.view));
          expect(plan.gasMode, `${mode} ${amount}`).to.equal('prune');
          expect(
            plan.hops.map(({ poolKey }) => poolKey),
            `${mode} ${amount}`,
          ).to.deep.equal([ends.id]);
        }
      }
    }
  });
});
