import { expect } from 'chai';
import { concatHex, encodeAbiParameters, encodeFunctionData, encodePacked, type Hex, keccak256, numberToHex, sliceHex } from 'viem';
import type { Leg } from '../../../src/building/building.ts';
import { type Address, asAddress, asWei, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { contractOf, type Ground, hop, ONE, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { approvePermit2, settlePermitted } from '../../support/settlement/permit2.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { changes, expectError, refuse, setToken, settle } from '../../support/settlement/swaps.ts';
import { transientSlots } from '../../support/settlement/transient-slots.ts';
import { FEE, layV4, MANAGER_ABI, type PoolKind, TICK_SPACING, type V4Ground } from '../../support/settlement/v4.ts';
import {
  ASKED_BEFORE,
  BEFORE_SWAP,
  beforeSwapAnswer,
  CHANGES_BEFORE,
  createFakeManager,
  expectCallbackRefused,
  unlockCallback,
} from '../../support/settlement/v4-callback.ts';
import { compiledHooks } from '../../support/v4-hooks.ts';

/** By its low bits the manager knows what a hook is asked for. */
const TAKES_OUTPUT = asAddress(`0x${'ef'.repeat(18)}0044`);
const SETS_FEE = asAddress(`0x${'fe'.repeat(18)}0080`);
const DYNAMIC_FEE = 0x800000;
const IMPOSED = 12_345;

describe('the leg of several Uniswap V4 pools in a row, against the real PoolManager', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();
  let laid: { readonly ground: Ground; readonly v4: V4Ground };

  /** Pools of every two of a, b, c and native; of a fee-taking hook between c and a, and of one that sets the fee between b and c. */
  before(async () => {
    const plain = here.current();
    const v4 = await layV4(plain);
    const { a, b, c } = plain.tokens;
    const all = [a, b, c, NATIVE_TOKEN];
    for (const [index, one] of all.entries()) for (const other of all.slice(index + 1)) await v4.makePool(one, other);
    const hooks = await compiledHooks();
    const { rpc } = plain.chain;
    for (const [address, name] of [
      [TAKES_OUTPUT, 'OutputFeeHook'],
      [SETS_FEE, 'DynamicFeeHook'],
    ] as const) {
      await rpc.request('anvil_setCode', address, contractOf(hooks, name).deployedBytecode);
    }
    await v4.makePool(c, a, TAKES_OUTPUT);
    await v4.makePool(b, c, SETS_FEE, DYNAMIC_FEE);
    const id = poolId(b, c, DYNAMIC_FEE, SETS_FEE);
    await plain.chain.write(plain.accounts.deployer, SETS_FEE, contractOf(hooks, 'DynamicFeeHook').abi, 'impose', [id, IMPOSED, IMPOSED]);
    laid = { ground: { ...plain, router: v4.router }, v4 };
  });

  /** What pools of their own give one after the other, by the test router of the manager's authors. */
  async function quotePath(v4: V4Ground, tokens: readonly Address[], amountIn: bigint, pools: readonly (PoolKind | undefined)[] = []): Promise<bigint> {
    let amount = amountIn;
    for (let i = 0; i + 1 < tokens.length && amount > 0n; i++) {
      const { given } = await v4.quote(tokens[i] ?? ZERO_ADDRESS, tokens[i + 1] ?? ZERO_ADDRESS, amount, pools[i]?.hooks, pools[i]?.fee);
      amount = given;
    }
    return amount;
  }

  async function fund({ chain, accounts, tokens, contracts }: Ground): Promise<void> {
    const trick = contractOf(contracts, 'TrickToken').abi;
    for (const token of [tokens.a, tokens.b, tokens.c]) await chain.write(accounts.deployer, token, trick, 'mint', [[accounts.taker], 2_000_000n * ONE]);
    for (const account of [accounts.taker, accounts.deployer]) await chain.rpc.request('anvil_setBalance', account, `0x${(5_000_000n * ONE).toString(16)}`);
  }

  it('sells through two and three pools, native at the ends and in the middle, with hooks that set the fee and take one, direct and with custody: to the wei what the pools give one by one', async () => {
    const { ground, v4 } = laid;
    const { a, b, c } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const names = new Map<Address, string>([[NATIVE_TOKEN, 'native'], ...Object.entries(ground.tokens).map(([name, token]) => [token, name] as const)]);
    const random = seededRandom('uniswap-v4-path');
    await fund(ground);
    const [takes, sets] = [{ hooks: TAKES_OUTPUT }, { hooks: SETS_FEE, fee: DYNAMIC_FEE }];
    const ways: readonly (readonly [readonly Address[], (readonly (PoolKind | undefined)[])?])[] = [
      [[a, b, c]],
      [[c, b, a]],
      [[a, NATIVE_TOKEN, b]],
      [[NATIVE_TOKEN, a, b]],
      [[a, b, NATIVE_TOKEN]],
      [[NATIVE_TOKEN, c, b, a]],
      [[b, a, c, NATIVE_TOKEN]],
      [[a, b, NATIVE_TOKEN, c]],
      [
        [a, b, c],
        [undefined, sets],
      ],
      [
        [b, c, a],
        [sets, takes],
      ],
      [
        [NATIVE_TOKEN, c, a, b],
        [undefined, takes],
      ],
      [
        [a, c, b],
        [takes, sets],
      ],
      [
        [b, a, c],
        [undefined, takes],
      ],
    ];
    for (let i = 0; i < (FULL_SCALE ? 2_000 : 2 * ways.length); i++) {
      const [tokens = [], pools = []] = ways[i % ways.length] ?? [];
      const [sellToken, buyToken] = [tokens[0] ?? a, tokens.at(-1) ?? b];
      const sellAmount = 1_000n + random.logUniform(1_000n * ONE);
      const label = `BRAID_SEED=${SEED} ${sellAmount} by ${tokens.map((token) => names.get(token)).join(' ')}`;
      const given = await quotePath(v4, tokens, sellAmount, pools);
      if (given === 0n) continue;
      const amounts = { sellToken, buyToken, sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
      const terms = termsOf(ground, { ...amounts, surplus: i < ways.length ? 'taker' : 'protocol', legs: [v4.path(tokens, 10_000, pools)] });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      expect(moved, label).to.deep.equal({ [`taker.${names.get(sellToken)}`]: -sellAmount, [`recipient.${names.get(buyToken)}`]: given });
    }
  });

  it('is the same as its hops one by one, and a path of one pool as the hop alone', async () => {
    const { ground, v4 } = laid;
    const { a, b, c } = ground.tokens;
    for (const [path, alone] of [
      [[v4.path([a, b, c])], [v4.hop(a, b), v4.hop(b, c)]],
      [[v4.path([a, b, NATIVE_TOKEN, c])], [v4.hop(a, b), v4.hop(b, NATIVE_TOKEN), v4.hop(NATIVE_TOKEN, c)]],
      [[v4.path([a, c])], [v4.hop(a, c)]],
      [
        [v4.path([a, b, c], 4000), v4.hop(a, c)],
        [v4.hop(a, b, 4000), v4.hop(a, c), v4.hop(b, c)],
      ],
    ] as const) {
      const delivered = (legs: readonly Leg[]) => ground.chain.apart(async () => (await settle(ground, termsOf(ground, { buyToken: c, legs }))).buyAmount);
      expect(await delivered(path)).to.equal(await delivered(alone));
    }
  });

  it('spends what the router holds, within a route that goes on and changes the form of the native token', async () => {
    const { ground, v4 } = laid;
    const { a, b, c, weth } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const legs = [hop(ground, 'v2', a, weth), wrap(weth, NATIVE_TOKEN), v4.path([NATIVE_TOKEN, b, c]), hop(ground, 'v3', c, b)];
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () =>
      settle(ground, termsOf(ground, { minBuyAmount: asWei((97n * ONE) / 100n), legs })),
    );
    expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.b']);
    expect(moved['taker.a']).to.equal(-ONE);
  });

  it('is paid by Permit2: straight from the taker where it spends all, and by the router where it shares', async () => {
    const { ground, v4 } = laid;
    const { a, b, c } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    await approvePermit2(ground, taker);
    const whole = await quotePath(v4, [a, b, c], ONE);
    for (const [minimum, legs] of [
      [whole, [v4.path([a, b, c])]],
      [(9n * ONE) / 10n, [v4.path([a, b, c], 3000), v4.hop(a, c)]],
    ] as const) {
      await ground.chain.apart(async () => {
        const terms = termsOf(ground, { buyToken: c, minBuyAmount: asWei(minimum), legs });
        const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settlePermitted(ground, terms));
        expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.c']);
        expect(moved['taker.a']).to.equal(-ONE);
        if (legs.length === 1) expect(moved['recipient.c']).to.equal(whole);
      });
    }
  });

  it('what the first pool does not take stays with the taker; where a later one takes less than it is given, the swap reverts', async () => {
    const { ground, v4 } = laid;
    const { a, b, c } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    await fund(ground);
    const sellAmount = 900_000n * ONE;
    const { taken, given: between } = await v4.quote(a, b, sellAmount);
    expect(taken < sellAmount / 2n).to.equal(true);
    // Anything up to what the second pool can take passes: its liquidity is that of the first.
    const { taken: takenOfIt } = await v4.quote(b, c, between);
    expect(takenOfIt).to.equal(between);
    await ground.chain.apart(async () => {
      const moved = await changes(ground, { taker, recipient, router: ground.router }, async () => {
        const terms = termsOf(ground, { sellAmount: asWei(sellAmount), buyToken: c, legs: [v4.path([a, b, c])] });
        expect((await settle(ground, terms)).sellAmount).to.equal(taken);
      });
      expect(moved).to.deep.include({ 'taker.a': -taken });
      expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.c']);
    });
    // Most of the second pool is sold first, so that it ends before it has taken all.
    await ground.chain.apart(async () => {
      await settle(ground, termsOf(ground, { sellToken: b, buyToken: c, sellAmount: asWei(sellAmount / 4n), legs: [v4.hop(b, c)] }));
      const [, reason] = await refuse(
        ground,
        termsOf(ground, { sellAmount: asWei(sellAmount / 4n), buyToken: c, legs: [v4.path([a, b, c])] }),
        'VenueReverted',
      );
      expect(ground.chain.nameOf(reason as Hex)).to.equal('PathBroken');
    });
  });

  it('a token between that taxes transfers is not transferred, so not taxed; one that is sold is not settled in full, which the manager refuses', async () => {
    const { ground, v4 } = laid;
    const { a, b, c } = ground.tokens;
    const given = await quotePath(v4, [a, b, c], ONE);
    await ground.chain.apart(async () => {
      await setToken(ground, b, 0, 100, ZERO_ADDRESS);
      expect((await settle(ground, termsOf(ground, { buyToken: c, minBuyAmount: asWei(given), legs: [v4.path([a, b, c])] }))).buyAmount).to.equal(given);
    });
    await ground.chain.apart(async () => {
      await setToken(ground, a, 0, 100, ZERO_ADDRESS);
      await refuse(ground, termsOf(ground, { buyToken: c, legs: [v4.path([a, b, c])] }), 'VenueReverted');
    });
  });

  describe('the payload', () => {
    it('that ends within the pools, or names more of them than there are, is refused before anything is called', async () => {
      const { ground, v4 } = laid;
      const { a, b, c } = ground.tokens;
      const whole = v4.path([a, b, c]);
      for (const data of [whole.data.slice(0, -2) as Hex, '0x' as Hex, `0x02${whole.data.slice(4)}` as Hex, `0xff${whole.data.slice(4)}` as Hex]) {
        await refuse(ground, termsOf(ground, { buyToken: c, legs: [{ ...whole, data }] }), 'PayloadMalformed');
      }
    });

    it('that names a pool which is none, a token twice in a row, or the native token by its sentinel, reverts', async () => {
      const { ground, v4 } = laid;
      const { a, b, c, n } = ground.tokens;
      const sentinel = v4.path([a, NATIVE_TOKEN, c]);
      const data = sentinel.data.replace(
        '0'.repeat(40) + numberToHex(FEE, { size: 3 }).slice(2),
        NATIVE_TOKEN.slice(2) + numberToHex(FEE, { size: 3 }).slice(2),
      );
      for (const leg of [v4.path([a, n, c]), v4.path([a, b, b, c]), v4.path([a, a, c]), { ...sentinel, data: data as Hex }]) {
        await refuse(ground, termsOf(ground, { buyToken: c, legs: [leg] }), 'VenueReverted');
      }
      expect(data).to.not.equal(sentinel.data);
    });

    it('can not point the leg at what holds allowances, an account without code or the router itself', async () => {
      const { ground, v4 } = laid;
      const { a, b, c } = ground.tokens;
      for (const pool of [ground.allowanceHolder, ground.permit2, ground.router, ground.accounts.stranger]) {
        await refuse(ground, termsOf(ground, { buyToken: c, legs: [{ ...v4.path([a, b, c]), pool }] }), 'NotAVenue');
      }
    });
  });

  describe('the callback', () => {
    /** What the leg tells itself, for a swap of a to c by way of b. */
    function order(ground: Ground, receiver: Address, amountIn: bigint): Hex {
      const { a, b, c } = ground.tokens;
      const pool = concatHex([numberToHex(FEE, { size: 3 }), numberToHex(TICK_SPACING, { size: 3 }), ZERO_ADDRESS]);
      const head = encodePacked(['uint256', 'address', 'address', 'address', 'uint8'], [amountIn, receiver, a, c, 1]);
      return concatHex([head, pool, b, pool]);
    }

    it('is refused to strangers, to the manager outside of a hop, and to whoever unlocks it (K2)', async () => {
      const { ground, v4 } = laid;
      await expectCallbackRefused(ground, v4, order(ground, ground.accounts.stranger, ONE));
    });

    /** A manager of our own making for a to c by way of b, and the terms of a swap that it is asked for. */
    async function fakeManager(ground: Ground, deltas: readonly [bigint, bigint], steps: readonly PuppetStep[]) {
      const { a, b, c } = ground.tokens;
      const manager = await createFakeManager(ground, c, deltas, steps);
      return { manager, terms: termsOf(ground, { buyToken: c, legs: [{ ...laid.v4.path([a, b, c]), pool: manager.address }] }) };
    }

    /** Both pools are swapped the same way round in the data that a manager hands back: a path of one token there and back. */
    function sameWay(ground: Ground, receiver: Address, amountIn: bigint): Hex {
      const { a, b, c } = ground.tokens;
      const [low, middle, high] = [a, b, c].sort() as [Address, Address, Address];
      const pool = concatHex([numberToHex(FEE, { size: 3 }), numberToHex(TICK_SPACING, { size: 3 }), ZERO_ADDRESS]);
      return concatHex([encodePacked(['uint256', 'address', 'address', 'address', 'uint8'], [amountIn, receiver, low, high, 1]), pool, middle, pool]);
    }

    it('serves the manager that is being called, once, for at most the input, from the taker alone, whatever data it hands back (K3)', async () => {
      const { ground } = laid;
      const { taker, victim } = ground.accounts;
      const asks = unlockCallback(ground, sameWay(ground, victim, ONE));
      const honest = await fakeManager(ground, [-ONE, ONE], [asks, asks]);
      const moved = await changes(ground, { taker, victim, manager: honest.manager.address, router: ground.router }, () => settle(ground, honest.terms));
      expect(moved).to.deep.equal({ 'taker.a': -ONE, 'manager.a': ONE, 'manager.c': -ONE });
      expect((await honest.manager.outcomes()).slice(0, 3)).to.deep.equal(['ok', 'ok', 'UnexpectedCallback']);
      const reasonOf = async (deltas: readonly [bigint, bigint], data: Hex) => {
        const manager = await fakeManager(ground, deltas, [{ ...unlockCallback(ground, data), bubbles: true }]);
        const [, reason] = await refuse(ground, manager.terms, 'VenueReverted');
        return ground.chain.nameOf(reason as Hex);
      };
      const greedy = 2n * ONE;
      expect(await reasonOf([-greedy, greedy], sameWay(ground, victim, greedy))).to.equal('CallbackAsksTooMuch');
      expect(await reasonOf([-ONE, ONE - 1n], sameWay(ground, victim, ONE)), 'more than the first gave').to.equal('PathBroken');
      expect(await reasonOf([-ONE, ONE + 1n], sameWay(ground, victim, ONE)), 'less than the first gave').to.equal('PathBroken');
      expect(await reasonOf([1n, ONE], sameWay(ground, victim, ONE)), 'pays for its input').to.equal('PoolDeltaUnfit');
      expect(await reasonOf([-ONE, -1n], sameWay(ground, victim, ONE)), 'wants the output too').to.equal('PoolDeltaUnfit');
      expect(await reasonOf([-ONE, ONE], sliceHex(sameWay(ground, victim, ONE), 0, 100)), 'data that ends early').to.equal('PayloadMalformed');
      const silent = await fakeManager(ground, [-ONE, ONE], []);
      await refuse(ground, silent.terms, 'CallbackMissing');
    });

    it('more than a signed amount can say is named before anything moves', async () => {
      const { ground, v4 } = laid;
      const { a, b, c } = ground.tokens;
      const selling = (amount: bigint) => termsOf(ground, { buyToken: c, sellAmount: asWei(amount), legs: [v4.path([a, b, c])] });
      for (const amount of [2n ** 255n, 2n ** 256n - 1n]) expect((await refuse(ground, selling(amount), 'ManagerInputUnfit'))[1]).to.equal(amount);
      await refuse(ground, selling(2n ** 255n - 1n), 'VenueReverted');
    });

    it('a hostile hook in the middle can neither call back, nor reenter, nor unlock, nor take what lies between', async () => {
      const { ground, v4 } = laid;
      const { a, b, c } = ground.tokens;
      const { stranger, victim, taker } = ground.accounts;
      const hook = await createPuppet(ground, ASKED_BEFORE);
      await v4.makePool(b, c, ASKED_BEFORE);
      const pools = [undefined, { hooks: ASKED_BEFORE }];
      const teach = (steps: readonly PuppetStep[]) => hook.teach(BEFORE_SWAP, { steps, answer: beforeSwapAnswer() });
      await teach([
        unlockCallback(ground, order(ground, stranger, ONE)),
        takerCall(ground, termsOf(ground, { legs: [v4.hop(a, b)] })),
        { to: v4.manager, data: encodeFunctionData({ abi: MANAGER_ABI, functionName: 'unlock', args: ['0x'] }) },
        { to: v4.manager, data: encodeFunctionData({ abi: MANAGER_ABI, functionName: 'sync', args: [c] }) },
      ]);
      const given = await ground.chain.apart(() => quotePath(v4, [a, b, c], ONE, pools));
      const terms = termsOf(ground, { buyToken: c, minBuyAmount: asWei(given), legs: [v4.path([a, b, c], 10_000, pools)] });
      const moved = await changes(ground, { taker, victim, stranger, router: ground.router }, () => settle(ground, terms));
      expect(moved).to.deep.equal({ 'taker.a': -ONE });
      expect((await hook.outcomes()).slice(0, 2)).to.deep.equal(['UnexpectedCallback', 'Reentered']);
      expect((await hook.outcomes()).slice(3, 4)).to.deep.equal(['ok']);
      // Taking what the first pool gave makes a debt of the hook's own, which nobody pays.
      await teach([{ to: v4.manager, data: encodeFunctionData({ abi: MANAGER_ABI, functionName: 'take', args: [b, stranger, ONE / 2n] }), bubbles: true }]);
      await refuse(ground, terms, 'VenueReverted');
    });

    it('a hook in the middle that takes more than the output makes the swap revert; what it takes of the input is missing at the floor', async () => {
      const { ground, v4 } = laid;
      const { a, b, c } = ground.tokens;
      const hook = await createPuppet(ground, CHANGES_BEFORE);
      await v4.makePool(b, c, CHANGES_BEFORE);
      const legs = [v4.path([a, b, c], 10_000, [undefined, { hooks: CHANGES_BEFORE }])];
      const terms = termsOf(ground, { buyToken: c, minBuyAmount: asWei((9n * ONE) / 10n), legs });
      const attempt = async (token: Address, amount: bigint, specified: bigint, unspecified: bigint) => {
        const taking = encodeFunctionData({ abi: MANAGER_ABI, functionName: 'take', args: [token, CHANGES_BEFORE, amount] });
        await hook.teach(BEFORE_SWAP, { steps: [{ to: v4.manager, data: taking, bubbles: true }], answer: beforeSwapAnswer(specified, unspecified) });
        return ground.chain.attempt(ground.accounts.taker, takerCall(ground, terms));
      };
      const [, unfit] = expectError(await attempt(c, 2n * ONE, 0n, 2n * ONE), 'VenueReverted');
      expect(ground.chain.nameOf(unfit as Hex)).to.equal('PoolDeltaUnfit');
      // To the manager the input is taken whole, with the hook's part.
      const part = ONE / 2n;
      expectError(await attempt(b, part, part, 0n), 'BelowMinimum');
    });
  });

  it('every transient slot of the router is zero at the end of a swap (K-inv 6)', async () => {
    const { ground, v4 } = laid;
    const { a, b, c } = ground.tokens;
    const legs = [v4.path([a, b, NATIVE_TOKEN, c], 5000), v4.hop(a, c)];
    const slots = await transientSlots(ground, takerCall(ground, termsOf(ground, { buyToken: c, minBuyAmount: asWei((9n * ONE) / 10n), legs })));
    expect(['0', '1', '2', '3'].map((slot) => slots.get(slot))).to.deep.equal(Array(4).fill(0n));
  });

  it('the Router of a chain without V4 does not know the leg', async () => {
    const { ground, v4 } = laid;
    const { a, b, c } = ground.tokens;
    await refuse(here.current(), termsOf(ground, { buyToken: c, legs: [v4.path([a, b, c])] }), 'LegUnknown');
  });
});

/** By which the manager, and hooks, know a pool. */
function poolId(one: Address, other: Address, fee: number, hooks: Address): Hex {
  const [currency0, currency1] = [one, other].sort() as [Address, Address];
  const types = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }));
  return keccak256(encodeAbiParameters(types, [currency0, currency1, fee, TICK_SPACING, hooks]));
}
