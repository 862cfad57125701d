// A buy near what its market can give at all, looked for as the least sale that reaches it.
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { leastSale } from '../../src/routing/flow/least-sale.ts';
import { problemOf } from './problem-of.ts';
import { cappedVault } from './random-world.ts';
import { openWorld } from './world.ts';

const CAP = 100n * 10n ** 18n;
const permilles = [1000n, 900n, 800n];

describe('the least sale that reaches what a buy asks for', () => {
  const vaults = permilles.map((permille, id) => cappedVault(`0x${(0xd0000 + id).toString(16).padStart(40, '0')}`, [1, 2], permille, CAP));
  const world = openWorld({ pools: vaults, tokenCount: 3 });

  /** The best vaults first, each up to its cap: what a target needs, in whole tokens. */
  const needed = (target: number) =>
    permilles.map(Number).reduce(
      ({ left, input }, permille) => {
        const taken = Math.min(100, (left * 1000) / permille);
        return { left: left - (taken * permille) / 1000, input: input + taken };
      },
      { left: target, input: 0 },
    ).input;

  for (const target of [50, 150, 250, 265]) {
    it(`is found for ${target} of the 270 that the vaults give, whatever input it starts with`, () => {
      const problem = problemOf(world, { mode: 'buy', fixed: BigInt(target * 10) * 10n ** 17n, maxHops: 1 });
      for (const from of [1e18, needed(target) * 1e18, 250e18]) {
        const sale = leastSale(problem, from);
        if (sale === null) throw new Error(`no sale from ${from}`);
        expect(sale.equilibrium.amount).to.be.at.least(target * 1e18);
        expect(sale.input / 1e18, `from ${from}`).to.be.within(needed(target) * (1 - 1e-9), needed(target) * (1 + 1e-5));
      }
    });
  }

  it('is not looked for more closely than seven digits', () => {
    let looks = 0;
    const problem = problemOf(world, { mode: 'buy', fixed: 150n * 10n ** 18n, maxHops: 1 });
    const halted = () => {
      looks++;
      return problem.pace.halted();
    };
    expect(leastSale({ ...problem, pace: { ...problem.pace, halted } }, needed(150) * 1e18)).to.not.equal(null);
    expect(looks).to.be.below(LIMITS.routing.saleSteps);
  });

  it('is none where all there is gives less', () => {
    expect(leastSale(problemOf(world, { mode: 'buy', fixed: 271n * 10n ** 18n, maxHops: 1 }), 1e20)).to.equal(null);
  });
});
