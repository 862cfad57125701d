// A pool more in a market must not cost anything: pairs of markets that lost by one, since it led to an order of tokens that the limit on hops made worse, to hops that rounding took more from than they brought, to more than the last
// pools take, or stood before the pool that was better net of gas.
import { expect } from 'chai';
import { measureOneMorePool } from '../../bench/solver/measure-one-more-pool.ts';

const MAX_HOPS = 4;
const GAS_PRICE_WEI = 5_000_000_000n;
const ORDERED = [1888];
const OF_FEW_UNITS = [128, 648, 1418, 1750];
const OF_FEW_UNITS_IN_BETWEEN = [2674, 3380, 5328, 6516, 9438];
const ON_ITS_WAY = [3127];
const BY_EXACT_GAS = [6467, 7825, 9997];
const BESIDE = [5395, 5697];
const DRAINED = [9806];

describe('one pool more', () => {
  for (const [kind, pairs] of [
    ['the limit on hops shuts out what needs several edges to change', ORDERED],
    ['a base unit is a part of a trade', OF_FEW_UNITS],
    ['a base unit is a part of a hop in the middle of a larger trade', OF_FEW_UNITS_IN_BETWEEN],
    ['a pool that is cheaper in gas lies behind one with a better first price', ON_ITS_WAY],
    ['a pool is better by its exact gas, or lies where no reference price leads', BY_EXACT_GAS],
    ['a pool earns four times its gas, and the one beside it more', BESIDE],
    ['the best ways bring more than the last pools take', DRAINED],
  ] as const) {
    it(`gives no less where ${kind}`, async function () {
      this.timeout(600_000);
      const compared = await measureOneMorePool(Math.max(...pairs) + 1, MAX_HOPS, GAS_PRICE_WEI, (index) => pairs.includes(index));
      expect(compared).to.have.lengthOf(pairs.length);
      for (const { what, lessBps } of compared) expect(lessBps, what).to.be.at.most(1e-6);
    });
  }
});
