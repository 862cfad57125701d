import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, type Hex, toFunctionSelector } from 'viem';
import type { Leg } from '../../../src/building/building.ts';
import { type Address, asWei } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, takerCall, termsOf, through, useGround } from '../../support/settlement/ground.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { callbackData, changes, expectError, refuse, setToken, settle, VENUE_ABI } from '../../support/settlement/swaps.ts';
import { transientSlots } from '../../support/settlement/transient-slots.ts';

const V3_SWAP = 'swap(address,bool,int256,uint160,bytes)';
const CALLBACKS = ['uniswapV3SwapCallback', 'pancakeV3SwapCallback'] as const;

describe('settlement rule 3: callbacks are accepted only from the pool being called right now, once, by its name, for at most the amount', function () {
  this.timeout(300_000);
  const here = useGround();

  /** A call back that asks for `amount` of the token sold. Delta 0 or 1: it must not matter. */
  function asking(ground: Ground, amount: bigint, name: (typeof CALLBACKS)[number] = 'uniswapV3SwapCallback', first = true): PuppetStep {
    return { to: ground.router, data: first ? callbackData(name, amount, 0n) : callbackData(name, -1n, amount) };
  }

  /** The pool's payment. Without a fee and with the surplus for the taker, hops pay the recipient. */
  function giving(ground: Ground, token: Address, amount: bigint): PuppetStep {
    return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.accounts.recipient, amount] }), bubbles: true };
  }

  /** A pool of our own making that holds 10 b, plays `steps` when it is swapped with, and the leg through it. */
  async function fakePool(ground: Ground, steps: readonly PuppetStep[], callback: Hex = '0x00') {
    const { a, b } = ground.tokens;
    const pool = await createPuppet(ground);
    await ground.chain.write(ground.accounts.deployer, b, ground.contracts.TrickToken?.abi ?? [], 'mint', [[pool.address], 10n * ONE]);
    await pool.teach(V3_SWAP, { steps });
    const leg: Leg = { ...through('v3', pool.address, a, b), data: callback };
    return { pool, leg };
  }

  it('a stranger calls every callback directly, also with short and long data: reverts (K2, ParaSwap 2024)', async () => {
    const ground = here.current();
    for (const name of CALLBACKS) {
      for (const [delta0, delta1] of [
        [1n, -1n],
        [-1n, 1n],
        [0n, 0n],
        [2n ** 255n - 1n, 0n],
      ] as const) {
        for (const caller of [ground.accounts.stranger, ground.accounts.victim, ground.pool('v3', ground.tokens.a, ground.tokens.b)]) {
          const data = callbackData(name, delta0, delta1);
          expectError(await ground.chain.attempt(caller, { to: ground.router, data }), 'UnexpectedCallback');
        }
      }
      const data = callbackData(name, 1n, 0n);
      expectError(await ground.chain.attempt(ground.accounts.stranger, { to: ground.router, data: data.slice(0, 2 + 2 * 67) as Hex }), 'UnexpectedCallback');
      expectError(await ground.chain.attempt(ground.accounts.stranger, { to: ground.router, data: `${data}ff` }), 'UnexpectedCallback');
    }
    for (const data of ['0x', '0x00', '0x12345678', `0x91dd7346${'00'.repeat(64)}`] as const) {
      const ending = await ground.chain.attempt(ground.accounts.stranger, { to: ground.router, data });
      expect(ending.ok ? 'went through' : ending.error).to.equal(data === '0x' ? 'UnexpectedPayment' : 'UnexpectedCallback');
    }
  });

  it('a genuine pool that somebody else swaps with can not be pointed at the router as payer', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const pool = ground.pool('v3', a, b);
    const data = encodeFunctionData({ abi: VENUE_ABI, functionName: 'swap', args: [ground.router, a < b, ONE, a < b ? 4295128740n : 2n ** 159n, '0x'] });
    // Even if the router itself could be made to call the pool outside of a hop.
    expectError(await ground.chain.attempt(ground.router, { to: pool, data }), 'UnexpectedCallback');
  });

  it('by the other name, once more, for more than the input, or not at all: reverts; by its name and for its amount: pays', async () => {
    const ground = here.current();
    const { b } = ground.tokens;
    const good = await fakePool(ground, [giving(ground, b, ONE), asking(ground, ONE), asking(ground, 1n), asking(ground, 0n)]);
    const moved = await changes(ground, { pool: good.pool.address, router: ground.router }, () => settle(ground, termsOf(ground, { legs: [good.leg] })));
    expect(moved).to.deep.equal({ 'pool.a': ONE, 'pool.b': -ONE });
    expect(await good.pool.outcomes()).to.deep.equal(['ok', 'ok', 'UnexpectedCallback', 'UnexpectedCallback']);

    const second = await fakePool(ground, [giving(ground, b, ONE), asking(ground, ONE, 'uniswapV3SwapCallback', false)]);
    expect((await settle(ground, termsOf(ground, { legs: [second.leg] }))).sellAmount).to.equal(ONE);

    const greedy = await fakePool(ground, [giving(ground, b, ONE), asking(ground, ONE + 1n)]);
    await refuse(ground, termsOf(ground, { legs: [greedy.leg] }), 'CallbackMissing');
    const insisting = await fakePool(ground, [giving(ground, b, ONE), { ...asking(ground, ONE + 1n), bubbles: true }]);
    const [venue, reason] = await refuse(ground, termsOf(ground, { legs: [insisting.leg] }), 'VenueReverted');
    expect([String(venue).toLowerCase(), ground.chain.nameOf(reason as Hex)]).to.deep.equal([insisting.pool.address, 'CallbackAsksTooMuch']);

    const misnamed = await fakePool(ground, [giving(ground, b, ONE), asking(ground, ONE, 'pancakeV3SwapCallback')]);
    await refuse(ground, termsOf(ground, { legs: [misnamed.leg] }), 'CallbackMissing');
    const silent = await fakePool(ground, [giving(ground, b, ONE)]);
    await refuse(ground, termsOf(ground, { legs: [silent.leg] }), 'CallbackMissing');
    const short = asking(ground, ONE).data?.slice(0, 2 + 2 * 67) as Hex;
    const cut = await fakePool(ground, [giving(ground, b, ONE), { to: ground.router, data: short }, asking(ground, ONE)]);
    await settle(ground, termsOf(ground, { legs: [cut.leg] }));
    expect(await cut.pool.outcomes()).to.deep.equal(['ok', 'CallbackMalformed', 'ok']);
  });

  it("PancakeSwap's name is expected where the leg says so, and then Uniswap's is not", async () => {
    const ground = here.current();
    const { b } = ground.tokens;
    const pancake = await fakePool(ground, [giving(ground, b, ONE), asking(ground, ONE, 'pancakeV3SwapCallback')], '0x01');
    expect((await settle(ground, termsOf(ground, { legs: [pancake.leg] }))).buyAmount).to.equal(ONE);
    const misnamed = await fakePool(ground, [giving(ground, b, ONE), asking(ground, ONE)], '0x01');
    await refuse(ground, termsOf(ground, { legs: [misnamed.leg] }), 'CallbackMissing');
    await refuse(ground, termsOf(ground, { legs: [{ ...misnamed.leg, data: '0x02' }] }), 'CallbackUnknown');
  });

  it('pool A calls back while pool B is expected: reverts, for genuine and for fake A (K3)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const accomplice = await createPuppet(ground);
    await accomplice.teach('go()', { steps: [asking(ground, ONE)] });
    const fake = await fakePool(ground, [giving(ground, b, ONE), { to: accomplice.address, data: toFunctionSelector('go()') }, asking(ground, ONE)]);
    await settle(ground, termsOf(ground, { legs: [fake.leg] }));
    expect(await accomplice.outcomes()).to.deep.equal(['UnexpectedCallback']);
    expect(await fake.pool.outcomes()).to.deep.equal(['ok', 'ok', 'ok']);
    // The genuine pool calls back whoever called it: the fake one, which has no such right at the router either.
    const genuine = ground.pool('v3', a, b);
    const swapping = encodeFunctionData({
      abi: VENUE_ABI,
      functionName: 'swap',
      args: [ground.accounts.stranger, a < b, ONE, a < b ? 4295128740n : 2n ** 159n, '0x'],
    });
    const relay = await fakePool(ground, [giving(ground, b, ONE), { to: genuine, data: swapping }, asking(ground, ONE)]);
    await relay.pool.teach('uniswapV3SwapCallback(int256,int256,bytes)', { steps: [asking(ground, ONE)] });
    await settle(ground, termsOf(ground, { legs: [relay.leg] }));
    // In order: the payment, the genuine pool's own call back while the relay is playing (it passes nothing on), the relay's.
    const relayed = await relay.pool.outcomes();
    expect([relayed[0], relayed[2]]).to.deep.equal(['ok', 'ok']);
    expect(relayed[1]).to.not.equal('ok');
  });

  it('the payer is never read from data: a callback that names a victim takes from the taker (Sushi RouteProcessor2 2023, ParaSwap 2024, Ekubo 2026)', async () => {
    const ground = here.current();
    const { b } = ground.tokens;
    const { taker, victim } = ground.accounts;
    const named = encodeFunctionData({
      abi: VENUE_ABI,
      functionName: 'uniswapV3SwapCallback',
      args: [ONE, -ONE, `0x${victim.slice(2).padStart(64, '0').repeat(4)}`],
    });
    const { leg, pool } = await fakePool(ground, [giving(ground, b, ONE), { to: ground.router, data: named }]);
    const moved = await changes(ground, { taker, victim, pool: pool.address }, () => settle(ground, termsOf(ground, { legs: [leg] })));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'pool.a': ONE, 'pool.b': -ONE });
  });

  it('a nested callback while the first is being paid reverts (K3)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { leg, pool } = await fakePool(ground, [giving(ground, b, ONE), asking(ground, ONE / 2n)]);
    // The token tells the pool about the payment, and the pool asks for the rest then.
    await pool.teach('onTransfer(address,address,uint256)', { steps: [{ ...asking(ground, ONE / 2n), bubbles: true }] });
    const hook = await createPuppet(ground);
    await hook.teach('onTransfer(address,address,uint256)', {
      steps: [asking(ground, ONE / 2n), { to: ground.router, data: callbackData('uniswapV3SwapCallback', 1n, 0n) }],
    });
    await setToken(ground, a, 0, 0, hook.address);
    const event = await settle(ground, termsOf(ground, { legs: [leg] }));
    expect(event.sellAmount).to.equal(ONE / 2n);
    expect(await hook.outcomes()).to.deep.equal(Array(4).fill('UnexpectedCallback'));
    await setToken(ground, a, 0, 0, pool.address);
    expect((await settle(ground, termsOf(ground, { legs: [leg] }))).sellAmount).to.equal(ONE / 2n);
  });

  it('a fake pool takes at most the input of its own hop; the floor keeps the taker whole (UniswapV3 fakes)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { taker, victim } = ground.accounts;
    const thief = await fakePool(ground, [asking(ground, ONE / 2n), asking(ground, ONE / 2n)]);
    const legs = [{ ...thief.leg, bps: hop(ground, 'v2', a, b, 5000).bps }, hop(ground, 'v2', a, b)];
    const moved = await changes(ground, { taker, victim, thief: thief.pool.address }, () => settle(ground, termsOf(ground, { legs })));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'thief.a': ONE / 2n });
    await refuse(ground, termsOf(ground, { legs, minBuyAmount: asWei((9n * ONE) / 10n) }), 'BelowMinimum');
  });

  it('every transient slot that a transaction writes is zero at its end, in swaps that succeed and after nested ones (K-inv 6)', async () => {
    const ground = here.current();
    const { a, b, weth } = ground.tokens;
    const legs = [hop(ground, 'v3', a, weth, 4000), hop(ground, 'v2', a, weth), hop(ground, 'v3', weth, b, 5000), hop(ground, 'v3', weth, b)];
    const slots = await transientSlots(ground, takerCall(ground, termsOf(ground, { legs: legs.slice(0, 3) })));
    // Lock, three of the callback, one grant.
    expect(slots.size).to.equal(5);
    expect([...slots.values()].every((value) => value === 0n)).to.equal(true);
  });
});
