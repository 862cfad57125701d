// Gas decides for or against each pool; the answer has to be such that no single change of mind is better, with everything at rest again.
import { expect } from 'chai';
import type { Plan } from '../../src/routing/routing.ts';
import { UNISWAP_V2_GAS } from '../../src/venues/uniswap_v2/venue.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { exactly, type SlowEdge, simplePaths, slowOptimum, tokenOrder } from './slow-optimum.ts';
import { job, openWorld, type PoolEntry, pairPool, planOf, token, type World } from './world.ts';

const [SELL, BUY] = [1, 0];
const TOKENS = 4;
const HOPS = 3;
const HOP_GAS = UNISWAP_V2_GAS;
const MARKETS = FULL_SCALE ? 5000 : 250;
/** Shares are whole basis points: what two roundings may differ by, as a share of the trade (0.05 bps). */
const ROUNDING = 5e-6;

type Market = { readonly world: World; readonly edges: readonly SlowEdge[]; readonly amount: bigint; readonly gasPriceWei: bigint };

/** Constant-product pools near one price, deep and shallow, and a trade that is from a thousandth of the deep ones to as much as they hold; a hop's gas is from a millionth of it to a tenth. */
function randomMarket(random: SeededRandom): Market {
  const count = random.integer(5, 10);
  const entries: PoolEntry[] = [];
  const drafts = Array.from({ length: count }, (_, id) => {
    const first = random.integer(0, TOKENS - 2);
    const ends = [first, random.integer(first + 1, TOKENS - 1)] as const;
    const depth = 10 ** (2 + 3 * random.unit());
    const reserves = [depth, depth * (1 + (random.unit() - 0.5) * 0.01)] as const;
    const feeBps = random.pick([30, 5, 1]);
    entries.push(pairPool(id, ends, [BigInt(Math.round(reserves[0] * 1e6)) * 10n ** 12n, BigInt(Math.round(reserves[1] * 1e6)) * 10n ** 12n], feeBps));
    return { ends, feeBps };
  });
  const world = openWorld({ pools: entries, tokenCount: TOKENS });
  const edges = entries.flatMap(({ id, reserves }, index): SlowEdge[] => {
    const pool = world.pools.findIndex(({ key }) => key === id);
    const { ends, feeBps } = drafts[index] as (typeof drafts)[number];
    const [one, other] = (reserves as readonly string[]).map(Number) as [number, number];
    const keep = 1 - feeBps / 10_000;
    return [
      { pool, from: ends[0], to: ends[1], reserveIn: one, reserveOut: other, keep },
      { pool, from: ends[1], to: ends[0], reserveIn: other, reserveOut: one, keep },
    ];
  });
  const amount = BigInt(Math.round(10 ** (-1 + 4 * random.unit()) * 1e6)) * 10n ** 12n;
  const gasPriceWei = BigInt(Math.ceil((Number(amount) / HOP_GAS) * 10 ** (-6 + 5 * random.unit())));
  return { world, edges, amount, gasPriceWei };
}

function netOf({ grossAmount, hops }: Plan, gasPriceWei: bigint): bigint {
  return grossAmount - hops.reduce((sum, { gas }) => sum + BigInt(gas) * gasPriceWei, 0n);
}

/** The edges that a plan uses. */
function usedBy({ world, edges }: Market, plan: Plan): readonly SlowEdge[] {
  return plan.hops.map((hop) => {
    const found = edges.find(({ pool, from }) => world.pools[pool]?.key === hop.poolKey && token(from) === hop.tokenIn);
    if (found === undefined) throw new Error(`hop ${hop.poolKey} is of no pool`);
    return found;
  });
}

/** Sets that differ by one pool or path: one more, one less (with what dies with it), or one for another. */
function neighboursOf({ edges }: Market, used: readonly SlowEdge[]): readonly (readonly SlowEdge[])[] {
  const paths = simplePaths(edges, SELL, BUY, HOPS);
  const alive = (some: readonly SlowEdge[]) => {
    const onPaths = new Set(simplePaths(some, SELL, BUY, HOPS).flat());
    return some.filter((edge) => onPaths.has(edge));
  };
  const fewer = used.map((gone) => alive(used.filter((edge) => edge !== gone)));
  const withPath = (some: readonly SlowEdge[]) => paths.map((path) => [...new Set([...some, ...path])]).filter((all) => all.length > some.length);
  const all = [...fewer.filter((some) => some.length > 0), ...[used, ...fewer].flatMap(withPath)];
  const name = (some: readonly SlowEdge[]) =>
    some
      .map(({ pool, from }) => `${pool}:${from}`)
      .sort()
      .join(' ');
  return [...new Map(all.map((some) => [name(some), some])).values()];
}

describe('the pools of an answer, net of gas', () => {
  it('are such that no addition, removal or exchange of one pool or path is better with everything at rest again', function () {
    this.timeout(FULL_SCALE ? 1_200_000 : 300_000);
    const random = seededRandom('one-optimal');
    const better: string[] = [];
    let looked = 0;
    for (let run = 0; run < MARKETS; run++) {
      const market = randomMarket(random);
      const { world, amount, gasPriceWei } = market;
      const result = world.solve(job(token(SELL), token(BUY), amount, { maxHops: HOPS, gasPriceWei }), world.view);
      if (!result.ok) {
        expect(simplePaths(market.edges, SELL, BUY, HOPS), `market ${run}`).to.have.lengthOf(0);
        continue;
      }
      const plan = planOf(result);
      const net = netOf(plan, gasPriceWei);
      const tolerated = Number(plan.grossAmount) * ROUNDING;
      for (const some of neighboursOf(market, usedBy(market, plan))) {
        const order = tokenOrder(some, HOPS);
        if (order === null) continue;
        looked++;
        const optimum = slowOptimum(some, order, Number(amount), BUY);
        if (optimum.output - some.length * HOP_GAS * 0.5 * Number(gasPriceWei) <= Number(net) + tolerated) continue;
        const rival = exactly(world, some, order, optimum, amount, BUY);
        if (rival === null) continue;
        const gain = Number(rival.output - BigInt(rival.gas) * gasPriceWei - net);
        if (gain > tolerated)
          better.push(`market ${run}: ${((gain / Number(plan.grossAmount)) * 1e4).toFixed(3)} bps by ${some.length} pools for ${plan.hops.length}`);
      }
    }
    expect(looked).to.be.above(10 * MARKETS);
    expect(better, `seed ${SEED}`).to.deep.equal([]);
  });
});
