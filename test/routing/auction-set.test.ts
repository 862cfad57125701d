import { expect } from 'chai';
import { isObject, readJsonFile } from '../../src/pool-set/pool-set.ts';
import type { Plan } from '../../src/routing/routing.ts';
import { asAddress } from '../../src/units/units.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { recordedSet, recordedWorld } from './recorded-world.ts';
import { bestSinglePath, job, replay, type World } from './world.ts';

const EVERY = FULL_SCALE ? 1 : 12;
/** Venue folders by the kind of pool set that they price: all that the recorded auction has. */
const KINDS: Readonly<Record<string, string>> = {
  constantProduct: 'uniswap_v2',
  concentrated: 'uniswap_v3',
  weighted: 'balancer_v2_weighted',
  stable: 'balancer_v2_stable',
};

type Order = {
  readonly uid: string;
  readonly mode: 'sell' | 'buy';
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAmount: string;
  readonly buyAmount: string;
};

describeWithSharedData('the recorded auction of September 2023, with pools of every kind in it', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  let world: World;
  let orders: readonly Order[];

  before(async () => {
    const set = await recordedSet('snapshots/cow-ethereum-auction-7400681');
    // Without a gas price what a route gives is all that counts.
    world = await recordedWorld({ ...set, block: { ...set.block, baseFeePerGas: null } });
    const file = await readJsonFile(sharedData('requests/cow-ethereum-auction-7400681.orders.json.gz'));
    if (!file.ok || !isObject(file.value) || !Array.isArray(file.value.orders)) throw new Error('orders are expected');
    orders = file.value.orders;
  });

  it('is in the snapshot with each kind that it has', () => {
    expect([...new Set(world.pools.map(({ venue }) => venue))].sort()).to.deep.equal(Object.values(KINDS).sort());
  });

  it(`answers each ${EVERY === 1 ? '' : `${EVERY}th `}order by hops that are exact to the wei, never under the best route of two hops without splits, and every kind serves`, () => {
    const served = new Set<string>();
    const tally = { orders: 0, routed: 0, buys: 0 };
    for (const order of orders.filter((_, index) => index % EVERY === 0)) {
      tally.orders++;
      const plan = answer(order);
      if (plan === null) continue;
      tally.routed++;
      if (order.mode === 'buy') tally.buys++;
      for (const { venue } of plan.hops) served.add(venue);
    }
    process.stdout.write(`      ${JSON.stringify(tally)}\n`);
    expect([...served].filter((venue) => venue !== '').sort()).to.deep.equal(Object.values(KINDS).sort());
    expect(tally.routed / tally.orders, JSON.stringify(tally)).to.be.above(0.5);
    expect(tally.buys).to.be.above(0);
  });

  /** The plan of an order, held to what its hops give and to what a single path would; null where there is no path of two hops either. */
  function answer({ uid, mode, ...order }: Order): Plan | null {
    const [sell, buy] = [asAddress(order.sellToken.toLowerCase()), asAddress(order.buyToken.toLowerCase())];
    const amount = BigInt(mode === 'sell' ? order.sellAmount : order.buyAmount);
    const result = world.solve(job(sell, buy, amount, { mode }), world.view);
    if (!result.ok) {
      if (mode === 'sell') expect(bestSinglePath(world, sell, buy, amount, 2), uid).to.equal(0n);
      return null;
    }
    const { plan } = result;
    expect(replay(world, plan, sell, plan.sellAmount), uid).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
    if (mode === 'buy') expect(plan.grossAmount >= amount, uid).to.equal(true);
    else expect(plan.sellAmount, uid).to.equal(amount);
    expect(plan.grossAmount >= bestSinglePath(world, sell, buy, plan.sellAmount, 2), uid).to.equal(true);
    return plan;
  }
});
