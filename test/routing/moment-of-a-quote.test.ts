import { expect } from 'chai';
import type { Plan } from '../../src/routing/routing.ts';
import type { InstantMs } from '../../src/units/units.ts';
import { MAKER, maker, makerGives } from './made-up-maker.ts';
import { type MadeUpWorld, openMadeUpWorld } from './made-up-world.ts';
import { job, planOf, token, venues } from './world.ts';

const E18 = 10n ** 18n;
const ALL = new Map([...venues, ['maker', MAKER]]);
/** Fades by a hundredth of a percent a second from second 1000 on. */
const FADING = maker(1000n, 1000n * E18, { fade: 100_000n, since: 1000n });
const pools = [{ id: 0, venue: 'maker', tokens: [1, 2], state: FADING }];

function certified(open: MadeUpWorld, plan: Plan) {
  const { hops, sellAmount } = plan;
  return open.certify(
    { chainId: 31337, sellToken: token(1), buyToken: token(2), sellAmount, hops, deadline: Number.POSITIVE_INFINITY as InstantMs },
    open.view,
  );
}

describe('a price that depends on the time', () => {
  for (const timestamp of [1000, 1060, 1600]) {
    for (const amount of [E18, 1_000_000n]) {
      it(`is quoted at the pinned block's moment (second ${timestamp}, ${amount} units)`, () => {
        const open = openMadeUpWorld(ALL, pools, { number: 100, timestamp });
        const plan = planOf(open.solve(job(token(1), token(2), amount)));
        expect(plan.grossAmount).to.equal(makerGives(FADING, amount, open.view.block));
      });
    }
  }

  it('is bought at that moment too: the least input that reaches the target then', () => {
    const open = openMadeUpWorld(ALL, pools, { number: 100, timestamp: 1600 });
    const { sellAmount } = planOf(open.solve(job(token(1), token(2), E18, { mode: 'buy' })));
    expect(makerGives(FADING, sellAmount, open.view.block) >= E18).to.equal(true);
    expect(makerGives(FADING, sellAmount - 1n, open.view.block) < E18).to.equal(true);
  });

  it("is the newer block's when a plan is priced again, though the pool did not change", () => {
    const open = openMadeUpWorld(ALL, pools);
    const plan = planOf(open.solve(job(token(1), token(2), E18)));
    open.publish({ number: 105, timestamp: 1060 });
    const later = certified(open, plan);
    expect(later.ok && later.grossAmount).to.equal(makerGives(FADING, E18, open.view.block));
    expect(later.ok && later.grossAmount < plan.grossAmount).to.equal(true);
  });

  it("is the newer block's in a solve of that block by the same thread", () => {
    const open = openMadeUpWorld(ALL, pools);
    open.solve(job(token(1), token(2), E18));
    open.publish({ number: 105, timestamp: 1060 });
    expect(planOf(open.solve(job(token(1), token(2), E18))).grossAmount).to.equal(makerGives(FADING, E18, open.view.block));
  });
});
