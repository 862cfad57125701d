// A plan priced again on another block: what the newer snapshot does not hold any more is refused, and never thrown at.
import { expect } from 'chai';
import type { PlanHop } from '../../src/routing/routing.ts';
import { asBps, asWei, type InstantMs, NATIVE_TOKEN } from '../../src/units/units.ts';
import { MAKER, maker } from './made-up-maker.ts';
import { openMadeUpWorld } from './made-up-world.ts';
import { job, planOf, token } from './world.ts';

const E18 = 10n ** 18n;
/** In no snapshot of these tests. */
const STRANGER = token(99);

describe('a plan priced again', () => {
  const open = openMadeUpWorld(new Map([['maker', MAKER]]), [
    { id: 0, venue: 'maker', tokens: [1, 2], state: maker(1000n, 1000n * E18) },
    { id: 1, venue: 'maker', tokens: [2, 3], state: maker(1000n, 1000n * E18) },
  ]);
  const plan = planOf(open.solve(job(token(1), token(3), 1000n)));
  const [first, last] = plan.hops;
  if (first === undefined || last === undefined) throw new Error('a plan of two hops');
  const again = (hops: readonly PlanHop[], ends: { sellToken?: ReturnType<typeof token>; buyToken?: ReturnType<typeof token> } = {}) =>
    open.certify(
      { chainId: 31337, sellToken: token(1), buyToken: token(3), sellAmount: plan.sellAmount, hops, deadline: Number.POSITIVE_INFINITY as InstantMs, ...ends },
      open.view,
    );

  it('gives what it gave while nothing has changed', () => {
    expect(again(plan.hops)).to.deep.include({ ok: true, grossAmount: plan.grossAmount });
  });

  const refused: readonly (readonly [string, readonly PlanHop[]])[] = [
    ['sells a token that is unknown now', [{ ...first, tokenIn: STRANGER }, last]],
    ['leads over a token that is unknown now', [{ ...first, tokenOut: STRANGER }, last]],
    ['leads on from a token that is unknown now', [first, { ...last, tokenIn: STRANGER }]],
    ['buys a token that is unknown now', [first, { ...last, tokenOut: STRANGER }]],
    ['goes through a pool that is gone', [{ ...first, poolKey: last.poolKey }, last]],
    ['goes through a pool the way that it does not trade', [{ ...first, tokenIn: first.tokenOut, tokenOut: first.tokenIn }, last]],
    ['has a hop whose share comes to nothing', [{ ...first, bps: asBps(1) }, first, last, { ...last, bps: asBps(1) }]],
    ['ends elsewhere', [first]],
    ['has a hop of a token that it does not hold', [last, first]],
  ];
  for (const [what, hops] of refused) it(`is refused where it ${what}`, () => expect(again(hops)).to.deep.include({ ok: false, reason: 'refused' }));

  it('says what its own input gives where that misses what has to be reached, beside the input that reaches it', () => {
    const asked = { chainId: 31337, sellToken: token(1), buyToken: token(3), sellAmount: plan.sellAmount, hops: plan.hops };
    const reaching = (target: bigint) => open.certify({ ...asked, target: asWei(target), deadline: Number.POSITIVE_INFINITY as InstantMs }, open.view);
    const [met, missed] = [reaching(plan.grossAmount), reaching(plan.grossAmount + 1n)];
    if (!met.ok || !missed.ok) throw new Error('it holds');
    expect(met.missed).to.equal(undefined);
    expect(missed.missed?.map(({ amountIn, amountOut }) => [amountIn, amountOut])).to.deep.equal(
      plan.hops.map(({ amountIn, amountOut }) => [amountIn, amountOut]),
    );
    expect(missed.grossAmount).to.equal(plan.grossAmount);
    expect((missed.restated?.sellAmount ?? 0n) > plan.sellAmount).to.equal(true);
  });

  it('is refused where one of its ends is unknown now', () => {
    expect(again(plan.hops, { sellToken: STRANGER })).to.deep.include({ ok: false, reason: 'refused' });
    expect(again(plan.hops, { buyToken: STRANGER })).to.deep.include({ ok: false, reason: 'refused' });
  });

  describe('with hops that somebody signed', () => {
    const withSigned = (place: number, amountIn: bigint, amountOut: bigint, hops = plan.hops, { sellToken = token(1), buyToken = token(3) } = {}) =>
      open.certify(
        {
          ...{ chainId: 31337, sellToken, buyToken, sellAmount: plan.sellAmount, hops },
          ...{ deadline: Number.POSITIVE_INFINITY as InstantMs, signed: new Map([[place, { amountIn, amountOut }]]) },
        },
        open.view,
      );

    it('takes what was signed for them, and prices what follows at that', () => {
      const same = withSigned(0, first.amountIn, first.amountOut);
      expect(same).to.deep.include({ ok: true, grossAmount: plan.grossAmount });
      const better = withSigned(0, first.amountIn - 1n, 2n * first.amountOut);
      if (!better.ok || better.restated === undefined) throw new Error('it holds');
      expect(better.grossAmount).to.equal(2n * plan.grossAmount);
      expect(better.restated.hops.map(({ amountIn, amountOut }) => [amountIn, amountOut])).to.deep.equal([
        [first.amountIn - 1n, 2n * first.amountOut],
        [2n * last.amountIn, 2n * plan.grossAmount],
      ]);
      expect(withSigned(1, last.amountIn - 1n, 7n)).to.deep.include({ ok: true, grossAmount: 7n });
    });

    it('needs no pool of theirs: an order holds though its maker says no prices any more', () => {
      expect(withSigned(0, first.amountIn, first.amountOut, [{ ...first, poolKey: 'gone' }, last])).to.deep.include({
        ok: true,
        grossAmount: plan.grossAmount,
      });
    });

    it('is refused where less comes to one than was signed for, or its token is unknown now', () => {
      const refused = { ok: false, reason: 'refused' };
      expect(withSigned(1, last.amountIn + 1n, 9n)).to.deep.include(refused);
      const [unknownIn, unknownOut] = [
        [{ ...first, tokenIn: STRANGER }, last],
        [first, { ...last, tokenOut: STRANGER }],
      ];
      expect(withSigned(0, first.amountIn, first.amountOut, unknownIn)).to.deep.include(refused);
      expect(withSigned(1, last.amountIn, 7n, unknownOut)).to.deep.include(refused);
      // Nor is a token that nobody knows taken for the native one.
      expect(withSigned(0, first.amountIn, first.amountOut, unknownIn, { sellToken: NATIVE_TOKEN })).to.deep.include(refused);
      expect(withSigned(1, last.amountIn, 7n, unknownOut, { buyToken: NATIVE_TOKEN })).to.deep.include(refused);
    });
  });

  it('gives as much as it sells where it only changes the form of the native token', () => {
    const wrap = planOf(open.solve(job(NATIVE_TOKEN, token(0), 5n)));
    // No block changes it, so there is nothing to state again.
    expect(again(wrap.hops, { sellToken: NATIVE_TOKEN, buyToken: token(0) })).to.deep.equal({ ok: true, grossAmount: plan.sellAmount, block: open.view.block });
  });
});
