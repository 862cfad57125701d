// Single paths net of gas on real pools, found by trying all of them: what no gas-aware answer may be below.
import { expect } from 'chai';
import type { PoolView } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { openEthereumSet, type RecordedRequest } from './ethereum-set.ts';
import { job, planOf, quotePool, replay, type World } from './world.ts';

const EVERY = FULL_SCALE ? 1 : 30;
const HOPS = 3;
const GWEI = 10n ** 9n;
/** About the gas of a route; the worth of a wei is that of so much gas (rounded up to a power of two of wei), so that no dust pool sets it. */
const TYPICAL_GAS = 200_000n;

/** A pool from the side of one token. */
type Door = { readonly pool: PoolView; readonly slotIn: number; readonly slotOut: number };
type Streets = ReadonlyMap<number, ReadonlyMap<number, readonly Door[]>>;

describeWithSharedData('answers that count gas, on the Ethereum set of March 2026, three hops', () => {
  let world: World;
  let weth: Address;
  let streets: Streets;
  let requests: readonly RecordedRequest[];

  before(async () => {
    const set = await openEthereumSet();
    world = set.world;
    weth = set.wrappedNative;
    requests = set.requests;
    streets = streetsOf(world.pools);
  });

  for (const gwei of FULL_SCALE ? [1n, 10n, 100n] : [1n, 100n]) {
    it(`leave at least what the best single path leaves net of gas, at ${gwei} gwei`, function () {
      this.timeout(300_000);
      let compared = 0;
      for (const [index, { sell, buy, amount }] of requests.entries()) {
        if (index % EVERY !== 0) continue;
        const rate = rateOf(world, streets, weth, buy, gwei * GWEI);
        const result = world.solve(job(sell, buy, amount, { maxHops: HOPS, gasPriceWei: gwei * GWEI }), world.view);
        if (rate === 0) {
          // Nothing says what gas is worth in this token.
          if (result.ok) expect(result.plan.gasMode, `request ${index}`).to.equal('guardrail');
          continue;
        }
        const worthOfGas = (gas: number) => rate * Number(gwei * GWEI) * gas;
        const best = bestNet(world, streets, sell, buy, amount, worthOfGas);
        if (!result.ok || best === null) {
          expect([result.ok, best], `request ${index}`).to.deep.equal([false, null]);
          continue;
        }
        compared++;
        const plan = planOf(result);
        expect(plan.gasMode).to.equal('prune');
        expect(replay(world, plan, sell, amount).output).to.equal(plan.grossAmount);
        const spent = worthOfGas(plan.hops.reduce((sum, hop) => sum + hop.gas, 0));
        const net = Number(plan.grossAmount) - spent;
        expect(net, `request ${index}`).to.be.at.least(best - Math.abs(best) * 1e-11 - spent * 1e-6);
      }
      expect(compared).to.be.above(requests.length / EVERY / 2);
    });
  }
});

function streetsOf(pools: readonly PoolView[]): Streets {
  const streets = new Map<number, Map<number, Door[]>>();
  for (const pool of pools) {
    for (const [slotIn, from] of pool.tokens.entries()) {
      for (const [slotOut, to] of pool.tokens.entries()) {
        if (slotIn === slotOut) continue;
        const leaving = streets.get(from) ?? new Map<number, Door[]>();
        streets.set(from, leaving);
        leaving.set(to, [...(leaving.get(to) ?? []), { pool, slotIn, slotOut }]);
      }
    }
  }
  return streets;
}

/** The most that a simple path of three hops at most leaves net of what its gas is worth; null where none fills. */
function bestNet({ view }: World, streets: Streets, sell: Address, buy: Address, amount: bigint, worthOfGas: (gas: number) => number): number | null {
  const goal = view.tokenId(buy);
  let best: number | null = null;
  const extend = (token: number, held: bigint, gas: number, visited: readonly number[], used: readonly PoolView[]): void => {
    for (const [next, doors] of streets.get(token) ?? []) {
      // The last hop leads to the goal, the one before to where a pool with the goal is.
      const last = visited.length === HOPS || (visited.length === HOPS - 1 && next !== goal && streets.get(next)?.has(goal) !== true);
      if (visited.includes(next) || (last && next !== goal)) continue;
      for (const { pool, slotIn, slotOut } of doors) {
        if (used.includes(pool)) continue;
        const quote = quotePool(pool, slotIn, slotOut, held);
        if (!quote.ok || quote.amountIn !== held) continue;
        if (next !== goal) {
          extend(next, quote.amountOut, gas + quote.gas, [...visited, next], [...used, pool]);
          continue;
        }
        const net = Number(quote.amountOut) - worthOfGas(gas + quote.gas);
        if (best === null || net > best) best = net;
      }
    }
  };
  const start = view.tokenId(sell);
  if (start >= 0 && goal >= 0 && start !== goal) extend(start, amount, 0, [start], []);
  return best;
}

/** Base units of a token for a wei, by the best route from the wrapped native token. */
function rateOf(world: World, streets: Streets, weth: Address, token: Address, gasPriceWei: bigint): number {
  if (token === weth) return 1;
  const size = 2n ** BigInt(Math.ceil(Math.log2(Number(gasPriceWei * TYPICAL_GAS))));
  return (bestNet(world, streets, weth, token, size, () => 0) ?? 0) / Number(size);
}
