import { expect } from 'chai';
import type { Plan } from '../../src/routing/routing.ts';
import { asWei, type InstantMs, type Wei } from '../../src/units/units.ts';
import { MAKER, maker, makerGives } from './made-up-maker.ts';
import { type MadeUpWorld, openMadeUpWorld } from './made-up-world.ts';
import { job, planOf, token, venues } from './world.ts';

const E18 = 10n ** 18n;
const ALL = new Map([...venues, ['maker', MAKER]]);
/** Fades by a hundredth of a percent a second from second 1000 on. */
const FADING = maker(1000n, 1000n * E18, { fade: 100_000n, since: 1000n });
const pools = [{ id: 0, venue: 'maker', tokens: [1, 2], state: FADING }];

function certified(open: MadeUpWorld, { hops, sellAmount }: Pick<Plan, 'hops' | 'sellAmount'>, target?: Wei) {
  const asked = { chainId: 31337, sellToken: token(1), buyToken: token(2), sellAmount, hops, deadline: Number.POSITIVE_INFINITY as InstantMs };
  return open.certify(target === undefined ? asked : { ...asked, target }, open.view);
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

  it('makes a plan that is priced again one of the newer block: its amounts, and in `buy` the least input that reaches the target there', () => {
    const open = openMadeUpWorld(ALL, pools);
    const sold = planOf(open.solve(job(token(1), token(2), E18)));
    const bought = planOf(open.solve(job(token(1), token(2), E18, { mode: 'buy' })));
    open.publish({ number: 105, timestamp: 1060 });
    const sale = certified(open, sold);
    if (!sale.ok || sale.restated === undefined) throw new Error('the sale is gone');
    const amountOut = makerGives(FADING, E18, open.view.block);
    expect(sale.restated).to.deep.equal({ sellAmount: E18, grossAmount: amountOut, hops: [{ ...sold.hops[0], amountOut }], block: open.view.block });
    const purchase = certified(open, bought, asWei(E18));
    if (!purchase.ok || purchase.restated === undefined) throw new Error('the purchase is gone');
    const { sellAmount, grossAmount, hops } = purchase.restated;
    expect(purchase.grossAmount < E18 && grossAmount >= E18).to.equal(true);
    expect(makerGives(FADING, sellAmount, open.view.block)).to.equal(grossAmount);
    expect(makerGives(FADING, asWei(sellAmount - 1n), open.view.block) < E18).to.equal(true);
    expect(certified(open, purchase.restated, asWei(E18))).to.deep.include({ ok: true, grossAmount });
    expect(hops.map(({ amountIn, amountOut }) => [amountIn, amountOut])).to.deep.equal([[sellAmount, grossAmount]]);
    expect(certified(open, bought, asWei(10n ** 30n))).to.not.have.property('restated');
  });

  it("is the newer block's in a solve of that block by the same thread", () => {
    const open = openMadeUpWorld(ALL, pools);
    open.solve(job(token(1), token(2), E18));
    open.publish({ number: 105, timestamp: 1060 });
    expect(planOf(open.solve(job(token(1), token(2), E18))).grossAmount).to.equal(makerGives(FADING, E18, open.view.block));
  });
});
