import { expect } from 'chai';
import { type Abi, concatHex, encodeFunctionData, type Hex, numberToHex, toFunctionSelector } from 'viem';
import { type Address, asAddress, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { contractOf, type Ground, hop, ONE, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { changes, refuse, setToken, settle } from '../../support/settlement/swaps.ts';
import { transientSlots } from '../../support/settlement/transient-slots.ts';
import { FEE, layV4, MANAGER_ABI, TICK_SPACING, type V4Ground } from '../../support/settlement/v4.ts';
import {
  ASKED_BEFORE,
  BEFORE_SWAP,
  beforeSwapAnswer,
  CHANGES_BEFORE,
  createFakeManager,
  expectCallbackRefused,
  unlockCallback,
} from '../../support/settlement/v4-callback.ts';

const NOBODY = asAddress(`0x${'0'.repeat(40)}`);

describe('the leg of Uniswap V4, against the real PoolManager', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();

  let laid: { readonly ground: Ground; readonly v4: V4Ground };

  /** The ground with a Router that has the leg, and pools of a with b and of native with each of them. */
  before(async () => {
    const plain = here.current();
    const v4 = await layV4(plain);
    const { a, b } = plain.tokens;
    for (const [one, other] of [
      [a, b],
      [NATIVE_TOKEN, a],
      [NATIVE_TOKEN, b],
    ] as const) {
      await v4.makePool(one, other);
    }
    laid = { ground: { ...plain, router: v4.router }, v4 };
  });

  it('sells and buys ERC-20 and native token, each way, direct and with custody: what is delivered is what the manager gives, to the wei', async () => {
    const { ground, v4 } = laid;
    const { a, b } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const names = new Map<Address, string>([[NATIVE_TOKEN, 'native'], ...Object.entries(ground.tokens).map(([name, token]) => [token, name] as const)]);
    const random = seededRandom('uniswap-v4');
    const trick = contractOf(ground.contracts, 'TrickToken').abi;
    for (const token of [a, b]) await ground.chain.write(ground.accounts.deployer, token, trick, 'mint', [[taker], 2_000_000n * ONE]);
    await ground.chain.rpc.request('anvil_setBalance', taker, `0x${(2_000_000n * ONE).toString(16)}`);
    const ways = [
      [a, b],
      [b, a],
      [NATIVE_TOKEN, b],
      [b, NATIVE_TOKEN],
      [a, NATIVE_TOKEN],
      [NATIVE_TOKEN, a],
    ] as const;
    for (let i = 0; i < (FULL_SCALE ? 2_000 : 24); i++) {
      const [sellToken, buyToken] = ways[i % ways.length] ?? [a, b];
      const sellAmount = 1n + random.logUniform(1_000n * ONE);
      const { taken, given } = await v4.quote(sellToken, buyToken, sellAmount);
      if (given === 0n) continue;
      const amounts = { sellToken, buyToken, sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
      const terms = termsOf(ground, { ...amounts, surplus: random.pick(['taker', 'protocol']), legs: [v4.hop(sellToken, buyToken)] });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      const label = `BRAID_SEED=${SEED} ${names.get(sellToken)} ${sellAmount} to ${names.get(buyToken)}`;
      expect(moved, label).to.deep.equal({ [`taker.${names.get(sellToken)}`]: -taken, [`recipient.${names.get(buyToken)}`]: given });
    }
  });

  it('a token that returns nothing is sold', async () => {
    const { ground, v4 } = laid;
    const { b, n } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    await v4.makePoolOf(b, n);
    const terms = termsOf(ground, { sellToken: n, minBuyAmount: asWei((98n * ONE) / 100n), legs: [v4.hop(n, b)] });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
    expect(Object.keys(moved)).to.deep.equal(['taker.n', 'recipient.b']);
    expect(moved['taker.n']).to.equal(-ONE);
  });

  it('what a pool does not take stays with the taker, or goes back there when it is native', async () => {
    const { ground, v4 } = laid;
    const { a, b } = ground.tokens;
    const { taker, recipient, deployer } = ground.accounts;
    await ground.chain.write(deployer, a, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[taker], 2_000_000n * ONE]);
    await ground.chain.rpc.request('anvil_setBalance', taker, `0x${(5_000_000n * ONE).toString(16)}`);
    for (const [sellToken, name] of [
      [a, 'a'],
      [NATIVE_TOKEN, 'native'],
    ] as const) {
      const sellAmount = 900_000n * ONE;
      await ground.chain.rpc.request('anvil_setBalance', deployer, `0x${(5_000_000n * ONE).toString(16)}`);
      const { taken, given } = await v4.quote(sellToken, b, sellAmount);
      expect(taken < sellAmount / 2n).to.equal(true);
      const terms = termsOf(ground, { sellToken, sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), legs: [v4.hop(sellToken, b)] });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, async () => {
        expect((await settle(ground, terms)).sellAmount).to.equal(taken);
      });
      expect(moved).to.deep.equal({ [`taker.${name}`]: -taken, 'recipient.b': given });
    }
  });

  describe('native and wrapped token in one route: WRAP anywhere, carrying only the share that changes form', () => {
    it('native sold: one part as it is, the other wrapped', async () => {
      const { ground, v4 } = laid;
      const { b, weth } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      const legs = [v4.hop(NATIVE_TOKEN, b, 6000), wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, b)];
      const { given } = await v4.quote(NATIVE_TOKEN, b, (6n * ONE) / 10n);
      const wrapped = await v3Output(ground, weth, b, (4n * ONE) / 10n);
      const terms = termsOf(ground, { sellToken: NATIVE_TOKEN, minBuyAmount: asWei(given + wrapped), legs });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      expect(moved).to.deep.equal({ 'taker.native': -ONE, 'recipient.b': given + wrapped });
    });

    it('wrapped sold: one part as it is, the other unwrapped', async () => {
      const { ground, v4 } = laid;
      const { b, weth } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      const legs = [hop(ground, 'v3', weth, b, 4000), wrap(weth, NATIVE_TOKEN), v4.hop(NATIVE_TOKEN, b)];
      const { given } = await v4.quote(NATIVE_TOKEN, b, (6n * ONE) / 10n);
      const wrapped = await v3Output(ground, weth, b, (4n * ONE) / 10n);
      const terms = termsOf(ground, { sellToken: weth, minBuyAmount: asWei(given + wrapped), legs });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      expect(moved).to.deep.equal({ 'taker.weth': -ONE, 'recipient.b': given + wrapped });
    });

    it('in the middle, from either form to the other, by the share that the other lacks', async () => {
      const { ground, v4 } = laid;
      const { a, b, weth } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      // a to native by V4 and to wrapped by V2; then to b by V4 and by V3, where a part of the one or the other changes its form.
      for (const [share, middle] of [
        [7000, (rest: number) => [wrap(NATIVE_TOKEN, weth, rest)]],
        [2000, (rest: number) => [wrap(weth, NATIVE_TOKEN, rest)]],
      ] as const) {
        const legs = [v4.hop(a, NATIVE_TOKEN, share), hop(ground, 'v2', a, weth), ...middle(5000), v4.hop(NATIVE_TOKEN, b), hop(ground, 'v3', weth, b)];
        const terms = termsOf(ground, { minBuyAmount: asWei((97n * ONE) / 100n), legs });
        const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
        expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.b']);
        expect(moved['taker.a']).to.equal(-ONE);
      }
    });

    it('bought in one form, where hops bring both', async () => {
      const { ground, v4 } = laid;
      const { a, weth } = ground.tokens;
      const { recipient } = ground.accounts;
      const { given } = await v4.quote(a, NATIVE_TOKEN, ONE / 2n);
      const wrapped = await v3Output(ground, a, weth, ONE / 2n);
      for (const buyToken of [NATIVE_TOKEN, weth]) {
        const last = buyToken === weth ? wrap(NATIVE_TOKEN, weth) : wrap(weth, NATIVE_TOKEN);
        const legs = [v4.hop(a, NATIVE_TOKEN, 5000), hop(ground, 'v3', a, weth), last];
        await ground.chain.apart(async () => {
          const moved = await changes(ground, { recipient, router: ground.router }, () => settle(ground, termsOf(ground, { buyToken, legs })));
          expect(Object.keys(moved)).to.deep.equal([buyToken === weth ? 'recipient.weth' : 'recipient.native']);
          expect(Object.values(moved)[0]).to.equal(given + wrapped);
        });
      }
    });

    it("a native rest in the middle is the taker's at the end", async () => {
      const { ground, v4 } = laid;
      const { a, b } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      const { given } = await v4.quote(a, NATIVE_TOKEN, ONE);
      const spent = (given * 2500n) / 10_000n;
      const terms = termsOf(ground, { legs: [v4.hop(a, NATIVE_TOKEN), v4.hop(NATIVE_TOKEN, b, 2500)] });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      expect(Object.keys(moved)).to.deep.equal(['taker.a', 'taker.native', 'recipient.b']);
      expect(moved['taker.native']).to.equal(given - spent);
    });

    /** What the V3 pool gives, by a swap of its own that is taken back. */
    async function v3Output(ground: Ground, tokenIn: Address, tokenOut: Address, amountIn: bigint): Promise<bigint> {
      return ground.chain.apart(async () => {
        const terms = termsOf(here.current(), {
          sellToken: tokenIn,
          buyToken: tokenOut,
          sellAmount: asWei(amountIn),
          legs: [hop(ground, 'v3', tokenIn, tokenOut)],
        });
        return (await settle(here.current(), terms)).buyAmount;
      });
    }
  });

  describe('the callback', () => {
    /** What the leg tells itself. */
    function order(ground: Ground, receiver: Address, amountIn: bigint): Hex {
      const { a, b } = ground.tokens;
      const pool = concatHex([numberToHex(FEE, { size: 3 }), numberToHex(TICK_SPACING, { size: 3 }), NOBODY]);
      return concatHex([numberToHex(amountIn, { size: 32 }), receiver, a, b, numberToHex(0, { size: 1 }), pool]);
    }

    it('is refused to strangers, to the manager outside of a hop, and to whoever unlocks it (K2)', async () => {
      const { ground, v4 } = laid;
      await expectCallbackRefused(ground, v4, order(ground, ground.accounts.stranger, ONE));
    });

    /** A manager of our own making that asks for `owed` of a, and the terms of a swap that it is asked for. */
    async function fakeManager(ground: Ground, owed: bigint, steps: readonly PuppetStep[]) {
      const { a, b } = ground.tokens;
      const manager = await createFakeManager(ground, b, a < b ? [-owed, 0n] : [0n, -owed], steps);
      return { manager, terms: termsOf(ground, { legs: [{ ...laid.v4.hop(a, b), pool: manager.address }] }) };
    }

    it('serves the manager that is being called, once, for at most the input, from the taker alone (K3)', async () => {
      const { ground } = laid;
      const { taker, victim } = ground.accounts;
      const asks = unlockCallback(ground, order(ground, victim, 2n ** 200n));
      const honest = await fakeManager(ground, ONE, [asks, asks]);
      const moved = await changes(ground, { taker, victim, manager: honest.manager.address, router: ground.router }, () => settle(ground, honest.terms));
      expect(moved).to.deep.equal({ 'taker.a': -ONE, 'manager.a': ONE, 'manager.b': -ONE });
      expect((await honest.manager.outcomes()).slice(0, 3)).to.deep.equal(['ok', 'ok', 'UnexpectedCallback']);
      const greedy = await fakeManager(ground, ONE + 1n, [{ ...asks, bubbles: true }]);
      const [, reason] = await refuse(ground, greedy.terms, 'VenueReverted');
      expect(ground.chain.nameOf(reason as Hex)).to.equal('CallbackAsksTooMuch');
      const silent = await fakeManager(ground, ONE, []);
      await refuse(ground, silent.terms, 'CallbackMissing');
      const paying = await fakeManager(ground, -1n, [{ ...asks, bubbles: true }]);
      const [, unfit] = await refuse(ground, paying.terms, 'VenueReverted');
      expect(ground.chain.nameOf(unfit as Hex)).to.equal('PoolDeltaUnfit');
      const misnamed = await fakeManager(ground, ONE, [
        { to: ground.router, data: `${toFunctionSelector('uniswapV3SwapCallback(int256,int256,bytes)')}${'0'.repeat(192)}` },
      ]);
      await refuse(ground, misnamed.terms, 'CallbackMissing');
    });

    it('a manager whose swap comes to nothing is neither paid nor taken from', async () => {
      const { ground } = laid;
      const { taker, victim } = ground.accounts;
      const { manager, terms } = await fakeManager(ground, 0n, [{ ...unlockCallback(ground, order(ground, victim, ONE)), bubbles: true }]);
      for (const name of ['sync(address)', 'settle()', 'take(address,address,uint256)']) await manager.teach(name, { refuses: true });
      const moved = await changes(ground, { taker, victim, manager: manager.address }, () => settle(ground, terms));
      expect(moved).to.deep.equal({ 'manager.b': -ONE });
    });

    it('more than a signed amount can say, which the manager would take for an output that is wanted, is named before anything moves', async () => {
      const { ground, v4 } = laid;
      const { a, b } = ground.tokens;
      const selling = (amount: bigint) => termsOf(ground, { sellAmount: asWei(amount), legs: [v4.hop(a, b)] });
      for (const amount of [2n ** 255n, 2n ** 256n - 1n]) expect((await refuse(ground, selling(amount), 'ManagerInputUnfit'))[1]).to.equal(amount);
      await refuse(ground, selling(2n ** 255n - 1n), 'VenueReverted');
    });

    it('a hook that is asked before the swap can neither call back, nor reenter, nor unlock', async () => {
      const { ground, v4 } = laid;
      const { a, b } = ground.tokens;
      const { stranger, victim, taker } = ground.accounts;
      const hook = await createPuppet(ground, ASKED_BEFORE);
      await hook.teach(BEFORE_SWAP, {
        steps: [
          unlockCallback(ground, order(ground, stranger, ONE)),
          takerCall(ground, termsOf(ground, { legs: [v4.hop(a, b)] })),
          { to: v4.manager, data: encodeFunctionData({ abi: MANAGER_ABI, functionName: 'unlock', args: ['0x'] }) },
        ],
        answer: beforeSwapAnswer(),
      });
      await v4.makePool(a, b, ASKED_BEFORE);
      const { given } = await ground.chain.apart(() => v4.quote(a, b, ONE, ASKED_BEFORE));
      const moved = await changes(ground, { taker, victim, stranger, router: ground.router }, () =>
        settle(ground, termsOf(ground, { minBuyAmount: asWei(given), legs: [v4.hop(a, b, 10_000, ASKED_BEFORE)] })),
      );
      expect(moved).to.deep.equal({ 'taker.a': -ONE });
      expect((await hook.outcomes()).slice(0, 2)).to.deep.equal(['UnexpectedCallback', 'Reentered']);
    });

    it('a hook that takes more than the output makes the swap revert', async () => {
      const { ground, v4 } = laid;
      const { a, b } = ground.tokens;
      const hook = await createPuppet(ground, CHANGES_BEFORE);
      // Of the output 2 b are the hook's, which it takes at once.
      const taking = encodeFunctionData({ abi: MANAGER_ABI, functionName: 'take', args: [b, CHANGES_BEFORE, 2n * ONE] });
      await v4.makePool(a, b, CHANGES_BEFORE);
      await hook.teach(BEFORE_SWAP, {
        steps: [{ to: v4.manager, data: taking, bubbles: true }],
        answer: beforeSwapAnswer(0n, 2n * ONE),
      });
      const [, reason] = await refuse(ground, termsOf(ground, { legs: [v4.hop(a, b, 10_000, CHANGES_BEFORE)] }), 'VenueReverted');
      expect((reason as Hex).slice(0, 10)).to.equal(toFunctionSelector('PoolDeltaUnfit(address,int256)'));
    });

    it('who is called while the manager is being paid can not have the payment booked as his own: settling, syncing or taking in between makes the swap revert', async () => {
      const { ground, v4 } = laid;
      const { a, b } = ground.tokens;
      const { taker, victim } = ground.accounts;
      const { given } = await v4.quote(a, b, ONE);
      const thief = await createPuppet(ground);
      const call = (functionName: 'settle' | 'sync' | 'take' | 'settleFor', ...args: readonly unknown[]): PuppetStep => ({
        to: v4.manager,
        data: encodeFunctionData({ abi: MANAGER_ABI as Abi, functionName, args: [...args] }),
      });
      const watched = { taker, victim, thief: thief.address, router: ground.router, manager: v4.manager };
      for (const steps of [
        [call('settle')],
        [call('settle'), call('take', a, thief.address, ONE)],
        [call('settleFor', thief.address), call('take', b, thief.address, ONE)],
        [call('sync', a)],
        [call('sync', b)],
        [call('sync', NOBODY), call('settle')],
      ]) {
        // Before the token moves, and after it.
        await thief.teach('onTransfer(address,address,uint256)', { steps });
        await setToken(ground, a, 0, 0, thief.address);
        for (const minBuyAmount of [0n, given]) {
          const terms = termsOf(ground, { minBuyAmount: asWei(minBuyAmount), legs: [v4.hop(a, b)] });
          const moved = await changes(ground, watched, () => refuse(ground, terms, 'VenueReverted'));
          expect(moved).to.deep.equal({});
        }
      }
      // One that only looks on changes nothing.
      await thief.teach('onTransfer(address,address,uint256)', { steps: [] });
      expect((await settle(ground, termsOf(ground, { minBuyAmount: asWei(given), legs: [v4.hop(a, b)] }))).buyAmount).to.equal(given);
    });

    it('a taxed input is not settled in full, which the manager refuses; a taxed output is measured at the recipient', async () => {
      const { ground, v4 } = laid;
      const { a, b } = ground.tokens;
      const { given } = await v4.quote(a, b, ONE);
      await ground.chain.apart(async () => {
        await setToken(ground, a, 0, 100, NOBODY);
        await refuse(ground, termsOf(ground, { legs: [v4.hop(a, b)] }), 'VenueReverted');
      });
      await setToken(ground, b, 0, 100, NOBODY);
      const left = given - given / 100n;
      await refuse(ground, termsOf(ground, { minBuyAmount: asWei(left + 1n), legs: [v4.hop(a, b)] }), 'BelowMinimum');
      expect((await settle(ground, termsOf(ground, { minBuyAmount: asWei(left), legs: [v4.hop(a, b)] }))).buyAmount).to.equal(left);
    });
  });

  it('every transient slot of the router is zero at the end of a swap (K-inv 6)', async () => {
    const { ground, v4 } = laid;
    const { a, b } = ground.tokens;
    const legs = [v4.hop(a, NATIVE_TOKEN, 5000), v4.hop(a, b), v4.hop(NATIVE_TOKEN, b)];
    const slots = await transientSlots(ground, takerCall(ground, termsOf(ground, { minBuyAmount: asWei((9n * ONE) / 10n), legs })));
    // Lock and three of the callback, by their numbers; the grant's and the manager's are hashes.
    expect(['0', '1', '2', '3'].map((slot) => slots.get(slot))).to.deep.equal(Array(4).fill(0n));
  });

  it('the Router of a chain without V4 does not know the leg', async () => {
    const { ground, v4 } = laid;
    const { a, b } = ground.tokens;
    await refuse(here.current(), termsOf(ground, { legs: [v4.hop(a, b)] }), 'LegUnknown');
  });
});
