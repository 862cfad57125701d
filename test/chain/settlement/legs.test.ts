import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import { asWei } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, termsOf, useGround } from '../../support/settlement/ground.ts';
import { callThrough, deployRouterWithTestLegs, throughTestLeg } from '../../support/settlement/other-router.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { callbackData, changes, expectError } from '../../support/settlement/swaps.ts';

/** What the Router promises every leg, shown by legs for tests (contracts/devnet/legs/) in a Router that is otherwise the deployed one. */
describe('what legs rely on', function () {
  this.timeout(300_000);
  const here = useGround();

  /** A venue that holds 10 b and plays `steps` when a leg calls it by `name`. */
  async function venueOf(ground: Ground, name: string, steps: readonly PuppetStep[]) {
    const venue = await createPuppet(ground);
    await ground.chain.write(ground.accounts.deployer, ground.tokens.b, ground.contracts.TrickToken?.abi ?? [], 'mint', [[venue.address], 10n * ONE]);
    await venue.teach(name, { steps });
    return venue;
  }

  function giving(ground: Ground, to: `0x${string}`, amount: bigint): PuppetStep {
    return { to: ground.tokens.b, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }), bubbles: true };
  }

  describe('callbacks go to the leg that expects them', () => {
    it('two legs whose venues call back by one name do not shadow each other, in one route', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const router = await deployRouterWithTestLegs(ground);
      const asking = (amount0: bigint, amount1: bigint): PuppetStep => ({ to: router, data: callbackData('uniswapV3SwapCallback', amount0, amount1) });
      const venue = await venueOf(ground, 'go()', [giving(ground, router, ONE), asking(3n, 4n), asking(1n, 0n)]);
      // Uniswap's leg before and after it: paying the first positive number, where the other pays both.
      const legs = [hop(ground, 'v3', a, c, 5000), throughTestLeg('puppet_callback', venue.address, a, b), hop(ground, 'v3', c, b)];
      const moved = await changes(ground, { taker: ground.accounts.taker, venue: venue.address, router }, () =>
        ground.chain.mustSend(ground.accounts.taker, callThrough(ground, router, termsOf(ground, { legs }))),
      );
      expect(moved).to.deep.equal({ 'taker.a': -ONE / 2n - 7n, 'venue.a': 7n, 'venue.b': -ONE });
      expect(await venue.outcomes()).to.deep.equal(['ok', 'ok', 'UnexpectedCallback']);
      // What the leg returns goes back to the venue, to the byte.
      expect((await venue.answers())[1]).to.equal(numberToHex(7n, { size: 32 }));
    });

    it('what a leg learns to owe in a callback comes out of one bounded budget, in as many payments as it makes', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      const router = await deployRouterWithTestLegs(ground);
      const spending = async (first: bigint, second: bigint) => {
        const asking = { to: router, data: callbackData('uniswapV3SwapCallback', first, second), bubbles: true };
        const venue = await venueOf(ground, 'go()', [giving(ground, router, ONE), asking]);
        return callThrough(ground, router, termsOf(ground, { minBuyAmount: asWei(ONE), legs: [throughTestLeg('puppet_callback', venue.address, a, b)] }));
      };
      const { taker } = ground.accounts;
      const all = await spending(ONE - 1n, 1n);
      expect(await changes(ground, { taker }, () => ground.chain.mustSend(taker, all))).to.deep.equal({ 'taker.a': -ONE });
      for (const [first, second] of [
        [ONE, 1n],
        [1n, ONE],
        [ONE + 1n, 0n],
        [ONE / 2n + 1n, ONE / 2n],
        [-1n, 1n],
      ] as const) {
        const [, reason] = expectError(await ground.chain.attempt(taker, await spending(first, second)), 'VenueReverted');
        expect(ground.chain.nameOf(reason as `0x${string}`)).to.equal('CallbackAsksTooMuch');
      }
    });
  });
});
