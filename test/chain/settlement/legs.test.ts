import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, numberToHex, toFunctionSelector } from 'viem';
import { type Address, asAddress, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, termsOf, useGround } from '../../support/settlement/ground.ts';
import { callThrough, deployRouterWithTestLegs, throughTestLeg } from '../../support/settlement/other-router.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { callbackData, changes, expectError, setToken, swapEvents } from '../../support/settlement/swaps.ts';

const NOBODY = asAddress(`0x${'0'.repeat(40)}`);

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

  /** The venue's payment. Without a fee and with the surplus for the taker, hops pay the recipient. */
  function giving(ground: Ground, amount: bigint): PuppetStep {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.accounts.recipient, amount] });
    return { to: ground.tokens.b, data, bubbles: true };
  }

  describe('callbacks go to the leg that expects them', () => {
    it('two legs whose venues call back by one name do not shadow each other, in one route', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const router = await deployRouterWithTestLegs(ground);
      const asking = (amount0: bigint, amount1: bigint): PuppetStep => ({ to: router, data: callbackData('uniswapV3SwapCallback', amount0, amount1) });
      const venue = await venueOf(ground, 'go()', [giving(ground, ONE), asking(3n, 4n), asking(1n, 0n)]);
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
        const venue = await venueOf(ground, 'go()', [giving(ground, ONE), asking]);
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

  describe('custody: a venue that takes its input from the router', () => {
    const taking = (token: Address, router: Address, to: Address, amount: bigint): PuppetStep => ({
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [router, to, amount] }),
    });

    /** Trades tokenIn for b with a venue that takes so much of it and gives 1 b. */
    async function tradeWith(ground: Ground, router: Address, tokenIn: Address, takes: readonly bigint[]) {
      const venue = await venueOf(ground, 'trade()', []);
      await venue.teach('trade()', { steps: [...takes.map((amount) => taking(tokenIn, router, venue.address, amount)), giving(ground, ONE)] });
      return { venue, hop: (bps = 10_000) => throughTestLeg('puppet_custody', venue.address, tokenIn, ground.tokens.b, bps) };
    }

    const allowanceOf = (ground: Ground, token: Address, router: Address, spender: Address) =>
      ground.chain.read(token, erc20Abi, 'allowance', [router, spender]);

    it("one that takes half of it leaves nothing behind: the rest is the taker's again, the approval zero", async () => {
      const ground = here.current();
      const { a, n } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      // n, as USDT, takes no second approval while the first stands: twice in one route shows that the first was cleared.
      for (const [token, name] of [
        [a, 'a'],
        [n, 'n'],
      ] as const) {
        const { venue, hop: leg } = await tradeWith(ground, router, token, [ONE / 4n]);
        const terms = termsOf(ground, { sellToken: token, minBuyAmount: asWei(2n * ONE), legs: [leg(5000), leg()] });
        const moved = await changes(ground, { taker, recipient, router, venue: venue.address }, async () => {
          const [event] = swapEvents({ router }, await ground.chain.mustSend(taker, callThrough(ground, router, terms)));
          expect(event?.sellAmount).to.equal(ONE / 2n);
        });
        expect(moved).to.deep.equal({ [`taker.${name}`]: -ONE / 2n, 'recipient.b': 2n * ONE, [`venue.${name}`]: ONE / 2n, 'venue.b': -2n * ONE });
        expect(await allowanceOf(ground, token, router, venue.address)).to.equal(0n);
      }
    });

    it('one that takes nothing, or all but a wei, or all: the same', async () => {
      const ground = here.current();
      const { a } = ground.tokens;
      const { taker } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      for (const taken of [0n, ONE - 1n, ONE]) {
        const { venue, hop: leg } = await tradeWith(ground, router, a, [taken]);
        const call = callThrough(ground, router, termsOf(ground, { legs: [leg()] }));
        const moved = await changes(ground, { taker, router }, () => ground.chain.mustSend(taker, call));
        expect(moved).to.deep.equal(taken === 0n ? {} : { 'taker.a': -taken });
        expect(await allowanceOf(ground, a, router, venue.address)).to.equal(0n);
      }
    });

    it("one that asks for more than the input gets no more, also of what was given to the router or is an earlier hop's; nor later", async () => {
      const ground = here.current();
      const { a } = ground.tokens;
      const { taker, deployer, stranger } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      await ground.chain.write(deployer, a, ground.contracts.TrickToken?.abi ?? [], 'mint', [[router], 5n * ONE]);
      const { venue, hop: leg } = await tradeWith(ground, router, a, [ONE + 1n, ONE, 1n]);
      await venue.teach('later()', { steps: [taking(a, router, venue.address, 1n)] });
      const moved = await changes(ground, { taker, router }, async () => {
        await ground.chain.mustSend(taker, callThrough(ground, router, termsOf(ground, { legs: [leg()] })));
        await ground.chain.mustSend(stranger, { to: venue.address, data: toFunctionSelector('later()') });
      });
      expect(moved).to.deep.equal({ 'taker.a': -ONE });
      expect((await venue.outcomes()).map((outcome) => outcome === 'ok')).to.deep.equal([false, true, false, true, false]);
    });

    it("what it leaves of an intermediate token is the swap's, and the taker's at the end", async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const { taker } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      const { hop: leg } = await tradeWith(ground, router, c, [ONE / 3n]);
      const legs = [hop(ground, 'v2', a, c), leg()];
      const moved = await changes(ground, { taker, router }, () =>
        ground.chain.mustSend(taker, callThrough(ground, router, termsOf(ground, { minBuyAmount: asWei(ONE), legs }))),
      );
      expect(Object.keys(moved)).to.deep.equal(['taker.a', 'taker.c']);
      expect((moved['taker.c'] ?? 0n) > ONE / 2n).to.equal(true);
      // A hop after it goes on with what is left.
      const more = termsOf(ground, { minBuyAmount: asWei(ONE + ONE / 2n), legs: [...legs, hop(ground, 'v3', c, b)] });
      const none = await changes(ground, { taker, router }, () => ground.chain.mustSend(taker, callThrough(ground, router, more)));
      expect(Object.keys(none)).to.deep.equal(['taker.a']);
    });

    it('one that gives input back beyond what it took makes a gift that no entry counts', async () => {
      const ground = here.current();
      const { a } = ground.tokens;
      const { taker, deployer } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      const venue = await venueOf(ground, 'trade()', []);
      await ground.chain.write(deployer, a, ground.contracts.TrickToken?.abi ?? [], 'mint', [[venue.address], 9n]);
      const gift = { to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [router, 9n] }), bubbles: true };
      await venue.teach('trade()', { steps: [gift, giving(ground, ONE)] });
      const terms = termsOf(ground, { legs: [throughTestLeg('puppet_custody', venue.address, a, ground.tokens.b)] });
      const moved = await changes(ground, { taker, router }, () => ground.chain.mustSend(taker, callThrough(ground, router, terms)));
      expect(moved).to.deep.equal({ 'router.a': 9n });
    });

    it('of a taxed input it is given what arrived; of one that does not arrive, nothing', async () => {
      const ground = here.current();
      const { a } = ground.tokens;
      const { taker } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      await setToken(ground, a, 0, 1000, NOBODY);
      const { venue, hop: leg } = await tradeWith(ground, router, a, [(9n * ONE) / 10n + 1n, (9n * ONE) / 10n]);
      const call = callThrough(ground, router, termsOf(ground, { legs: [leg()] }));
      expect(await changes(ground, { taker, router }, () => ground.chain.mustSend(taker, call))).to.deep.equal({ 'taker.a': -ONE });
      expect((await venue.outcomes()).slice(1)).to.deep.equal(['ok', 'ok']);
      await setToken(ground, a, 0, 10_000, NOBODY);
      expectError(await ground.chain.attempt(taker, call), 'InputMissing');
    });

    it("native goes with the call, and what the venue gives back of it is the taker's", async () => {
      const ground = here.current();
      const { taker, recipient } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      const venue = await venueOf(ground, 'trade()', []);
      await venue.teach('trade()', { steps: [{ to: router, value: ONE / 4n, bubbles: true }, giving(ground, ONE)] });
      const legs = [throughTestLeg('puppet_custody', venue.address, NATIVE_TOKEN, ground.tokens.b)];
      const terms = termsOf(ground, { sellToken: NATIVE_TOKEN, minBuyAmount: asWei(ONE), legs });
      const moved = await changes(ground, { taker, recipient, router, venue: venue.address }, () =>
        ground.chain.mustSend(taker, callThrough(ground, router, terms)),
      );
      const spent = (3n * ONE) / 4n;
      expect(moved).to.deep.equal({ 'taker.native': -spent, 'recipient.b': ONE, 'venue.b': -ONE, 'venue.native': spent });
    });
  });
});
