import { expect } from 'chai';
import { ALLOWANCE_HOLDER_GAS, ROUTER_GAS, UNWRAP_GAS, WRAP_GAS } from '../../src/routing/gas/gas-rule.ts';
import { createPace } from '../../src/routing/pace.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import { asWei, type InstantMs, instantNow, ZERO_ADDRESS } from '../../src/units/units.ts';
import { UNISWAP_V2_GAS } from '../../src/venues/uniswap_v2/venue.ts';
import { bestSinglePath, concentratedPool, job, NATIVE, openWorld, type PoolEntry, pairPool, planOf, replay, token } from './world.ts';

const E18 = 10n ** 18n;
const deep = [1_000_000n * E18, 1_000_000n * E18] as const;
const noFilter: SolveJob['filter'] = { include: null, exclude: [], excludeRfq: false, excludeRwa: false };

/** A chain of pools 1 – 2 – … – n. */
function chainOf(tokens: number): PoolEntry[] {
  return Array.from({ length: tokens - 1 }, (_, at) => pairPool(at, [at + 1, at + 2], deep));
}

describe('WRAP hops', () => {
  const empty = openWorld({ pools: [], tokenCount: 1 });
  const unknownOnly = { ...noFilter, include: ['no_such_venue'] };

  for (const mode of ['sell', 'buy'] as const) {
    it(`joins native and wrapped by exactly one hop of one to one in ${mode}, whatever the snapshot holds and the filter says`, () => {
      for (const [sell, buy, gas] of [
        [NATIVE, token(0), ROUTER_GAS + WRAP_GAS],
        [token(0), NATIVE, ROUTER_GAS + ALLOWANCE_HOLDER_GAS + UNWRAP_GAS],
      ] as const) {
        const plan = planOf(empty.solve(job(sell, buy, 12345n, { mode, filter: unknownOnly }), empty.view));
        expect(plan.hops).to.deep.include.members([
          {
            poolAddress: ZERO_ADDRESS,
            poolKey: '',
            venue: '',
            protocol: 'WRAP',
            source: 'WRAP',
            hook: null,
            legFacts: {},
            slotIn: 0,
            slotOut: 0,
            tokenIn: sell,
            tokenOut: buy,
            amountIn: 12345n,
            amountOut: 12345n,
            bps: 10_000,
            gas: sell === NATIVE ? WRAP_GAS : UNWRAP_GAS,
          },
        ]);
        expect(plan.hops).to.have.lengthOf(1);
        expect([plan.sellAmount, plan.grossAmount, plan.gas]).to.deep.equal([12345n, 12345n, gas]);
      }
    });
  }

  it('stand at the edges of a route and do not count for its depth', () => {
    const open = openWorld({ pools: [pairPool(0, [0, 1], deep), pairPool(1, [1, 2], deep)], tokenCount: 3 });
    const sold = planOf(open.solve(job(NATIVE, token(1), E18, { maxHops: 1 }), open.view));
    expect(sold.hops.map((hop) => [hop.source, hop.tokenIn, hop.tokenOut])).to.deep.equal([
      ['WRAP', NATIVE, token(0)],
      ['uniswap_v2', token(0), token(1)],
    ]);
    const bought = planOf(open.solve(job(token(1), NATIVE, E18, { maxHops: 1, mode: 'buy' }), open.view));
    expect(bought.hops.map((hop) => [hop.source, hop.amountOut])).to.deep.equal([
      ['uniswap_v2', bought.grossAmount],
      ['WRAP', bought.grossAmount],
    ]);
    expect(replay(open, bought, token(1), bought.sellAmount).output).to.equal(bought.grossAmount);
    expect(bought.gas).to.equal(ROUTER_GAS + ALLOWANCE_HOLDER_GAS + UNISWAP_V2_GAS + UNWRAP_GAS);
  });
});

describe('maxHops', () => {
  const usd = { 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1 };
  const open = openWorld({ pools: chainOf(8), tokenCount: 9, usd });
  const solve = (to: number, amount: bigint, more: Partial<SolveJob> = {}) =>
    open.solve(job(token(1), token(to), amount, { maxHops: null, ...more }), open.view);
  const depth = (result: ReturnType<typeof solve>) => (result.ok ? result.plan.maxHops : 'maxHops' in result && result.maxHops);

  it('comes from the size of the trade in USD: 2 below 25,000, 3 from there, 4 from 250,000, 6 from 10,000,000', () => {
    const rows = [
      [24_999n, 2],
      [25_000n, 3],
      [249_999n, 3],
      [250_000n, 4],
      [9_999_999n, 4],
      [10_000_000n, 6],
    ] as const;
    for (const [amount, hops] of rows) expect(depth(solve(2, amount * E18)), `${amount}`).to.equal(hops);
    expect(depth(solve(2, 25_000n * E18, { mode: 'buy' }))).to.equal(3);
  });

  it('takes the decimals of the token as they are', () => {
    const six = openWorld({ pools: [pairPool(0, [1, 2], [10n ** 18n, 10n ** 18n])], tokenCount: 3, usd, decimals: { 1: 6 } });
    const plan = planOf(six.solve(job(token(1), token(2), 25_000n * 10n ** 6n, { maxHops: null }), six.view));
    expect(plan.maxHops).to.equal(3);
  });

  it('falls back on the other side by the best direct quote, then on 3', () => {
    const other = openWorld({ pools: chainOf(3), tokenCount: 4, usd: { 2: 100 } });
    const unpriced = (amount: bigint, to = 2) => depth(other.solve(job(token(1), token(to), amount, { maxHops: null }), other.view));
    expect([unpriced(1n * E18), unpriced(300n * E18), unpriced(3000n * E18), unpriced(E18, 3)]).to.deep.equal([2, 3, 4, 3]);
  });

  it('goes one deeper at a time up to 4 where nothing is found, but never from an explicit depth, from 4 or from 6', () => {
    expect(depth(solve(4, E18))).to.equal(3);
    expect(depth(solve(5, E18))).to.equal(4);
    const beyond = solve(6, E18);
    expect([beyond.ok, depth(beyond)]).to.deep.equal([false, 4]);
    const large = solve(6, 300_000n * E18);
    expect([large.ok, depth(large)]).to.deep.equal([false, 4]);
    const largest = solve(8, 10_000_000n * E18);
    expect([largest.ok, depth(largest)]).to.deep.equal([false, 6]);
    const explicit = solve(4, E18, { maxHops: 2 });
    expect([explicit.ok, depth(explicit)]).to.deep.equal([false, 2]);
    expect(depth(solve(8, E18, { maxHops: 7 }))).to.equal(7);
  });
});

describe('the default depth in buy', () => {
  it('goes by the target before it is grossed up by a fee (R17)', () => {
    const open = openWorld({ pools: [pairPool(0, [1, 2], deep)], tokenCount: 3, usd: { 1: 1, 2: 1 } });
    const depth = (more: Partial<SolveJob>) =>
      planOf(open.solve(job(token(1), token(2), 25_010n * E18, { mode: 'buy', maxHops: null, ...more }), open.view)).maxHops;
    expect([depth({}), depth({ sizeAmount: asWei(24_999n * E18) })]).to.deep.equal([3, 2]);
  });
});

describe('gas', () => {
  // A second pool that wins a tenth of a basis point: less than the guardrail asks, and less than its gas at some price.
  const pools = [pairPool(0, [1, 2], deep), pairPool(1, [1, 2], [2000n * E18, 2000n * E18])];
  const solve = (usd: Readonly<Record<number, number>>, baseFee: bigint | undefined, more: Partial<SolveJob> = {}) => {
    const open = openWorld(
      { pools: [...pools, pairPool(2, [0, 3], deep)], tokenCount: 4, usd, ...(baseFee === undefined ? {} : { baseFee }) },
      { minimumGasPriceWei: 10n },
    );
    return planOf(open.solve(job(token(1), token(2), 4000n * E18, more), open.view));
  };
  const priced = { 0: 2000, 1: 1, 2: 1 };
  const unpriced = { 1: 1 };

  it('is blind without a gas price: a split is kept for any gain', () => {
    const plan = solve(priced, undefined);
    expect([plan.gasMode, plan.gasPriceWei, plan.hops.length]).to.deep.equal(['blind', null, 2]);
  });

  it('takes the base fee, at least the chain’s minimum, unless the request names a price', () => {
    expect(solve(priced, 1000n).gasPriceWei).to.equal(1000n);
    expect(solve(priced, 3n).gasPriceWei).to.equal(10n);
    expect(solve(priced, 1000n, { gasPriceWei: 3n }).gasPriceWei).to.equal(3n);
  });

  it('prunes where gas can be valued: what earns more than its gas stays, what does not goes', () => {
    const cheap = solve(priced, 1n);
    expect([cheap.gasMode, cheap.hops.length]).to.deep.equal(['prune', 2]);
    const dear = solve(priced, 10n ** 11n);
    expect([dear.gasMode, dear.hops.length]).to.deep.equal(['prune', 1]);
    expect(dear.gas).to.equal(UNISWAP_V2_GAS + ROUTER_GAS + ALLOWANCE_HOLDER_GAS);
  });

  it('values gas by the snapshot’s own rate from the native token, without any price in USD, whatever a dust pool says', () => {
    // One wei of the native token is worth 4 of token 2; the dust pool claims 4,000,000.
    const rated = [...pools, pairPool(2, [0, 2], [10n ** 24n, 4n * 10n ** 24n]), pairPool(3, [0, 2], [1000n, 4_000_000_000n])];
    const split = (baseFee: bigint) => {
      const open = openWorld({ pools: rated, tokenCount: 3, baseFee });
      return planOf(open.solve(job(token(1), token(2), 4000n * E18), open.view));
    };
    const [one, two] = [split(10n ** 12n), split(1n)];
    const gain = two.grossAmount - one.grossAmount;
    const extraGas = BigInt(two.gas - one.gas);
    expect([one.gasMode, one.hops.length, two.gasMode, two.hops.length]).to.deep.equal(['prune', 1, 'prune', 2]);
    // Where the second pool stops paying: its gas at this price costs what it gains.
    const breaksEven = gain / (4n * extraGas);
    expect(split((breaksEven * 9n) / 10n).hops).to.have.lengthOf(2);
    expect(split((breaksEven * 11n) / 10n).hops).to.have.lengthOf(1);
  });

  it('is not led by a dust pool that is nearer than the real price', () => {
    const way = [pairPool(2, [0, 3], [10n ** 24n, 10n ** 24n]), pairPool(3, [3, 4], [10n ** 24n, 10n ** 24n]), pairPool(4, [4, 2], [10n ** 24n, 10n ** 24n])];
    const hops = (more: readonly PoolEntry[]) => {
      const open = openWorld({ pools: [...pools, ...way, ...more], tokenCount: 5, baseFee: 10n ** 13n });
      return planOf(open.solve(job(token(1), token(2), 4000n * E18), open.view)).hops.length;
    };
    expect([hops([]), hops([pairPool(5, [0, 2], [1000n, 1000n])])]).to.deep.equal([1, 1]);
  });

  it('prunes at a gas price of nothing too: what costs nothing is kept for any gain', () => {
    const open = openWorld({ pools: [...pools, pairPool(2, [0, 2], deep)], tokenCount: 3 });
    const plan = planOf(open.solve(job(token(1), token(2), 4000n * E18, { gasPriceWei: 0n }), open.view));
    expect([plan.gasMode, plan.hops.length]).to.deep.equal(['prune', 2]);
  });

  it('values gas in the sell token for a buy, over two hops where no pool is direct', () => {
    const rated = [...pools, pairPool(2, [0, 3], [10n ** 24n, 10n ** 24n]), pairPool(3, [3, 1], [10n ** 24n, 10n ** 24n])];
    const hops = (baseFee: bigint) => {
      const open = openWorld({ pools: rated, tokenCount: 4, baseFee });
      const plan = planOf(open.solve(job(token(1), token(2), 4000n * E18, { mode: 'buy' }), open.view));
      return [plan.gasMode, plan.hops.length];
    };
    expect([hops(1n), hops(10n ** 13n)]).to.deep.equal([
      ['prune', 2],
      ['prune', 1],
    ]);
  });

  it('guards where a price is missing: a split stays only for 2 bps', () => {
    expect(solve(unpriced, 1n)).to.include({ gasMode: 'guardrail' }).and.have.property('hops').with.lengthOf(1);
    const open = openWorld({ pools: [pairPool(0, [1, 2], deep), pairPool(1, [1, 2], deep)], tokenCount: 3, baseFee: 1n });
    const worthwhile = planOf(open.solve(job(token(1), token(2), 4000n * E18), open.view));
    expect([worthwhile.gasMode, worthwhile.hops.length]).to.deep.equal(['guardrail', 2]);
  });

  it('chooses among single routes by the same rule', () => {
    // Over token 3 the price is better by a little, at the cost of a hop.
    const detour = [
      pairPool(0, [1, 2], deep),
      pairPool(1, [1, 3], [10_000_000n * E18, 10_010_000n * E18], 1),
      pairPool(2, [2, 3], [10_040_000n * E18, 10_000_000n * E18], 1),
    ];
    const route = (baseFee: bigint) => {
      const open = openWorld({ pools: detour, tokenCount: 4, usd: { 0: 2000, 1: 1, 2: 1 }, baseFee });
      return planOf(open.solve(job(token(1), token(2), E18 * 10n), open.view)).hops.length;
    };
    expect([route(1n), route(10n ** 11n)]).to.deep.equal([2, 1]);
  });
});

describe('a pool that takes less than the pool before it gives', () => {
  it('is fed by the pool that gives what fits', () => {
    // The deep pool gives about 1,000 of token 3; the last pool has liquidity for some 300.
    const first = [pairPool(0, [1, 3], [10n ** 24n, 10n ** 24n]), pairPool(1, [1, 3], [200n * E18, 200n * E18])];
    const last = concentratedPool(2, [2, 3], 0, [[0, 600, 10_000n * E18]]);
    const open = openWorld({ pools: [...first, last], tokenCount: 4 });
    const best = bestSinglePath(open, token(1), token(2), 1000n * E18, 2);
    expect(best > 0n).to.equal(true);
    expect(planOf(open.solve(job(token(1), token(2), 1000n * E18, { maxHops: 2 }), open.view)).grossAmount >= best).to.equal(true);
  });
});

describe('the effort of a solve', () => {
  it('is bounded by what was looked at, whatever the clock says', () => {
    const pace = createPace((instantNow() + 60_000) as InstantMs, instantNow, () => false, 100);
    pace.spend(99);
    expect(pace.halted()).to.equal(null);
    pace.spend(1);
    expect([pace.halted(), pace.halted()]).to.deep.equal(['effort', 'effort']);
  });
});

describe('the deadline and the cancel word', () => {
  const LATE = 1000 as InstantMs;
  const open = (now?: () => InstantMs, cancelled?: () => boolean) =>
    openWorld(
      { pools: [...chainOf(4), pairPool(7, [1, 4], [50n * E18, 50n * E18])], tokenCount: 5 },
      { ...(now ? { now } : {}), ...(cancelled ? { cancelled } : {}) },
    );

  it('leave the direct routes, however late it is', () => {
    const late = open(() => LATE);
    const plan = planOf(late.solve(job(token(1), token(4), E18, { deadline: LATE }), late.view));
    expect([plan.hops.length, plan.facts.stopped]).to.deep.equal([1, 'deadline']);
  });

  it('do not deepen a search whose time is over', () => {
    const late = open(() => LATE);
    const result = late.solve(job(token(2), token(4), E18, { deadline: LATE, maxHops: null }), late.view);
    expect(result).to.deep.include({ ok: false, reason: 'no-route', maxHops: 3 });
  });

  it('end a solve that the thread is asked to drop', () => {
    const dropped = open(undefined, () => true);
    expect(dropped.solve(job(token(1), token(4), E18), dropped.view)).to.deep.equal({ ok: false, reason: 'cancelled' });
  });
});

describe('bad input', () => {
  const edge = 2n ** 112n - 1n;
  const amounts = [1n, 2n, 10n ** 6n, E18, 2n ** 112n, 2n ** 128n, 2n ** 255n, 2n ** 256n - 1n];
  const worlds: Readonly<Record<string, readonly PoolEntry[]>> = {
    'an empty snapshot': [],
    'isolated tokens': [pairPool(0, [3, 4], deep)],
    'one dust pool': [pairPool(0, [1, 2], [1n, 1n])],
    'reserves of 1 and 2^112 − 1': [
      pairPool(0, [1, 2], [1n, edge]),
      pairPool(1, [1, 2], [edge, 1n]),
      pairPool(2, [1, 2], [edge, edge]),
      pairPool(3, [1, 3], [edge, 1n]),
      pairPool(4, [2, 3], [1n, edge]),
    ],
    'prices at the tick limits': [
      concentratedPool(0, [1, 2], -887_220, [[-887_220, 887_220, E18]]),
      concentratedPool(1, [1, 2], 887_219, [[887_160, 887_220, E18]]),
    ],
    'narrow liquidity with gaps': [
      concentratedPool(0, [1, 2], 0, [
        [0, 60, 1n],
        [120, 180, 10n ** 30n],
      ]),
      concentratedPool(1, [1, 2], 90, [
        [0, 60, E18],
        [120, 180, E18],
      ]),
    ],
    'absurd prices over a third token': [pairPool(0, [1, 3], [1n, edge]), pairPool(1, [2, 3], [edge, 1n]), pairPool(2, [1, 2], deep)],
  };

  for (const [name, pools] of Object.entries(worlds)) {
    it(`gives a plan or no route for ${name}, from one unit to the largest amount`, () => {
      const open = openWorld({ pools, tokenCount: 5, usd: { 0: 2000, 1: 1, 2: 1 }, baseFee: 10n ** 9n });
      for (const mode of ['sell', 'buy'] as const) {
        for (const amount of amounts) {
          for (const [sell, buy] of [
            [1, 2],
            [2, 1],
          ] as const) {
            const result = open.solve(job(token(sell), token(buy), amount, { mode, maxHops: 4 }), open.view);
            if (!result.ok) {
              expect(result.reason).to.equal('no-route');
              continue;
            }
            const { plan } = result;
            expect(plan.grossAmount > 0n && plan.sellAmount > 0n).to.equal(true);
            expect(replay(open, plan, token(sell), plan.sellAmount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
            expect(Object.values(plan.facts.phases).every(Number.isFinite) && Number.isFinite(plan.facts.approxOutput)).to.equal(true);
          }
        }
      }
    });
  }

  it('knows no route for tokens it has never seen, or from a token to itself', () => {
    const open = openWorld({ pools: chainOf(3), tokenCount: 4 });
    for (const [sell, buy] of [
      [token(77), token(1)],
      [token(1), token(77)],
      [token(1), token(1)],
    ] as const) {
      expect(open.solve(job(sell, buy, E18, { maxHops: null }), open.view)).to.deep.include({ ok: false, reason: 'no-route' });
    }
  });
});
