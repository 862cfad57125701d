// Trades that were answered wrongly once because a pool of several tokens served one pair and shut all others out, with answers that are known without the solver.

import { expect } from 'chai';
import { type BenchSet, openBenchSet, pinned } from '../../bench/solver/bench-set.ts';
import { createSolver } from '../../src/routing/routing.ts';
import { type PoolView, type SnapshotView, WordReader } from '../../src/snapshot/snapshot.ts';
import { asAddress, instantNow } from '../../src/units/units.ts';
import { poolOf } from '../pool-set/loaded.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { MOMENT } from '../support/moment.ts';
import { expectRouteShape } from './route-shape.ts';
import { job, openWorld, type PoolEntry, pairPool, planOf, replay, token, venues, type World } from './world.ts';

const E18 = 10n ** 18n;
/** Base units of so many hundredths. */
const hundredths = (amount: bigint) => amount * 10n ** 16n;

describe('a pool of three tokens that two ways of a split lead through', () => {
  /** Sold and bought. */
  const [S, T] = [1, 6];
  const [A, B, C, H] = [2, 3, 4, 5];
  const million = [1_000_000n * E18, 1_000_000n * E18] as const;
  const pairs: readonly PoolEntry[] = [
    pairPool(0, [S, A], million),
    pairPool(1, [A, B], million),
    pairPool(2, [S, C], million),
    pairPool(3, [H, T], [100_000_000n * E18, 100_000_000n * E18]),
    pairPool(4, [S, T], [1_000_000n * E18, 500_000n * E18]),
  ];
  const wide: PoolEntry = {
    kind: 'weighted',
    id: `0x${'c'.repeat(40)}`,
    venue: 'balancer_v2',
    tokens: [B, C, H].map(token),
    balances: [100_000n * E18, 1000n * E18, 100_000n * E18].map(String),
    weights: ['333333333333333333', '333333333333333333', '333333333333333334'],
    swapFee: '1000000000000000',
  };
  const usd = Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((number) => [number, 1000]));
  let world: World;
  before(() => {
    world = openWorld({ pools: [...pairs, wide], tokenCount: 7, usd });
  });
  const sell = (amount: bigint, maxHops: number | null): bigint => {
    const plan = planOf(world.solve(job(token(S), token(T), amount, { maxHops }), world.view));
    expectRouteShape(plan.hops, plan.maxHops);
    expect(replay(world, plan, token(S), amount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
    return plan.grossAmount;
  };

  /** The closed form of the two paths in three hops (301.289 give 23,002.08, and 8.711 give 4.34), rounded down; a route of three is one of four. */
  const known = [
    [310n, 4, 2_300_642n],
    [310n, 3, 2_300_642n],
    [310n, null, 2_300_642n],
    [1000n, 4, 2_333_915n],
    [1000n, 3, 2_333_915n],
  ] as const;
  for (const [amount, maxHops, least] of known) {
    it(`gives ${amount} tokens what two ways give, in ${maxHops ?? 'the default'} hops`, () => {
      const gross = sell(amount * E18, maxHops);
      expect(gross >= hundredths(least), String(gross)).to.equal(true);
    });
  }

  it('gives no less for more, nor for one hop more', () => {
    let before = 0n;
    for (const amount of [240n, 290n, 310n, 1000n, 3000n]) {
      const byHops = [3, 4, 5].map((maxHops) => sell(amount * E18, maxHops)) as [bigint, bigint, bigint];
      for (const [at, gross] of byHops.entries()) expect(gross >= (byHops[at - 1] ?? before), `${amount}: ${byHops}`).to.equal(true);
      before = byHops[0];
    }
  });

  it('asks in buy for no more than was sold', () => {
    for (const amount of [310n * E18, 1000n * E18]) {
      const target = sell(amount, 4);
      const bought = planOf(world.solve(job(token(S), token(T), target, { mode: 'buy', maxHops: 4 }), world.view));
      expect(bought.sellAmount <= amount + amount / 100_000n, `${bought.sellAmount} for ${amount}`).to.equal(true);
    }
  });
});

describeWithSharedData('0.4472 wstETH into DPI, as recorded in an auction of September 2023', () => {
  const [WSTETH, DPI] = ['0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0', '0x1494ca1f11d487c2bbe4543e90080aeba4ba3c2b'].map((text) => asAddress(text)) as [
    ReturnType<typeof asAddress>,
    ReturnType<typeof asAddress>,
  ];
  const [WETH, WBTC] = ['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'].map((text) => asAddress(text)) as [
    ReturnType<typeof asAddress>,
    ReturnType<typeof asAddress>,
  ];
  const WEIGHTED = '0x61d5dc44849c9c87b0856a2a311536205c96c7fd';
  const AMOUNT = 4472n * 10n ** 14n;
  let set: BenchSet;
  before(async () => {
    set = await openBenchSet({ name: 'cow', seed: 1, outside: 0, clear: false, blocks: false, requests: 0 });
  });

  /** One pool's exact answer. */
  function give(pool: PoolView, state: unknown, slotIn: number, slotOut: number, amount: bigint) {
    const quote = venues.get(pool.venue)?.price.exactIn(state, slotIn, slotOut, amount, MOMENT);
    return quote?.ok && quote.amountIn === amount ? quote : null;
  }
  const stateOf = (pool: PoolView): unknown => venues.get(pool.venue)?.state.unpack(new WordReader(pool.words));

  /** The most that one pool between two tokens gives. */
  function bestDirect(view: SnapshotView, from: number, to: number, amount: bigint): bigint {
    let best = 0n;
    for (let id = 0; id < view.poolCount; id++) {
      const pool = view.pool(id);
      if (pool === undefined || !pool.tokens.includes(from) || !pool.tokens.includes(to)) continue;
      const quote = give(pool, stateOf(pool), pool.tokens.indexOf(from), pool.tokens.indexOf(to), amount);
      if (quote !== null && quote.amountOut > best) best = quote.amountOut;
    }
    return best;
  }

  /** So many hundredths of the WETH go to WBTC first, and the weighted pool takes both, the second in the state that the first left. */
  function overBoth(view: SnapshotView, weth: bigint, hundredthsOverWbtc: bigint): bigint {
    const pool = poolOf(view, WEIGHTED);
    if (pool === undefined) throw new Error('the weighted pool');
    const slot = (address: typeof WETH) => pool.tokens.indexOf(view.tokenId(address));
    const over = (weth * hundredthsOverWbtc) / 100n;
    const first = over === 0n ? null : give(pool, stateOf(pool), slot(WBTC), slot(DPI), bestDirect(view, view.tokenId(WETH), view.tokenId(WBTC), over));
    const second = weth === over ? null : give(pool, first?.next ?? stateOf(pool), slot(WETH), slot(DPI), weth - over);
    return (first?.amountOut ?? 0n) + (second?.amountOut ?? 0n);
  }

  it('takes the weighted pool over WETH and over WBTC at once, and gives what the best share of both gives', () => {
    const { solve } = createSolver({
      chain: { chainId: 1, wrappedNative: set.loaded.wrappedNative, minimumGasPriceWei: 0n },
      venues,
      now: instantNow,
      cancelled: () => false,
    });
    pinned(set.reader, (view) => {
      const weth = bestDirect(view, view.tokenId(WSTETH), view.tokenId(WETH), AMOUNT);
      const shares = Array.from({ length: 101 }, (_, share) => overBoth(view, weth, BigInt(share)));
      const best = shares.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n;
      expect(best * 100n > (shares[0] ?? 0n) * 102n, 'both are worth it').to.equal(true);
      const plan = planOf(solve(job(WSTETH, DPI, AMOUNT, { chainId: 1, maxHops: 3, gasPriceWei: 0n }), view));
      expect(plan.grossAmount >= best, `${plan.grossAmount} of ${best}`).to.equal(true);
      expect(plan.hops.filter(({ poolKey }) => poolKey === WEIGHTED).map(({ tokenIn }) => tokenIn)).to.include.members([WETH, WBTC]);
    });
  });
});
