import { expect } from 'chai';
import { type Abi, encodeFunctionData, erc20Abi, type Hex, parseAbi, toFunctionSelector } from 'viem';
import type { SwapTerms } from '../../../src/building/building.ts';
import { type Address, asWei, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { contractOf, type Ground, hop, ONE, pairOutput, termsOf, useGround } from '../../support/settlement/ground.ts';
import { createPuppet, type Puppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { callbackData, changes, refuse, setToken, settle, VENUE_ABI } from '../../support/settlement/swaps.ts';
import { layV4, MANAGER_ABI, type V4Ground } from '../../support/settlement/v4.ts';

const HOOK = 'onTransfer(address,address,uint256)';
const PLAIN = 0;
const PAIR_ABI = parseAbi([
  'function sync()',
  'function skim(address to)',
  'function mint(address to) returns (uint256)',
  'function burn(address to) returns (uint256, uint256)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
]);
const POOL_ABI = parseAbi([
  'function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes data) returns (uint256, uint256)',
  'function burn(int24 tickLower, int24 tickUpper, uint128 amount) returns (uint256, uint256)',
  'function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0, uint128 amount1) returns (uint128, uint128)',
  'function flash(address recipient, uint256 amount0, uint256 amount1, bytes data)',
  'function increaseObservationCardinalityNext(uint16 next)',
]);
const LOWEST_LIMIT = 4_295_128_740n;
const HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

type Moment = 'before' | 'after';
/** How a swap ends: with what was quoted to the wei, with more than that, or with an error by name and nothing moved. */
type End = 'exact' | 'more' | 'VenueReverted' | 'PairInputUnfit' | 'BelowMinimum';

/**
 * The hook of a token (as ERC-777 has them) is called in the middle of a swap of ours, when its token is on its way to the pool or out of it, and calls
 * that very pool. Whoever wrote it has tokens and shares of the pool to do it with.
 */
describe('a pool that the hook of a token calls while it is paid, or pays', function () {
  this.timeout(300_000);
  const here = useGround();

  /** A hook with 1,000 of each token. */
  async function createHook(ground: Ground): Promise<Puppet> {
    const hook = await createPuppet(ground);
    const { a, b, c } = ground.tokens;
    const { abi } = contractOf(ground.contracts, 'TrickToken');
    for (const token of [a, b, c]) await ground.chain.write(ground.accounts.deployer, token, abi, 'mint', [[hook.address], 1_000n * ONE]);
    return hook;
  }

  /** Takes the steps at one moment of the next move of its token, and none at any later one. */
  async function act(ground: Ground, hook: Puppet, token: Address, moment: Moment, steps: readonly PuppetStep[]): Promise<void> {
    const once = { steps: [hook.teachCall(HOOK, {}), ...steps] };
    await hook.teach(HOOK, moment === 'before' ? once : { steps: [hook.teachCall(HOOK, once)] });
    await setToken(ground, token, PLAIN, 0, hook.address);
  }

  const send = (token: Address, to: Address, amount: bigint): PuppetStep => ({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    bubbles: true,
  });

  const watched = ({ accounts, router, allowanceHolder }: Ground) => ({ taker: accounts.taker, recipient: accounts.recipient, router, allowanceHolder });

  /** Settles the swap, whose floor is what was quoted, or finds that it is refused and changes nothing. Of what was done is left nothing. */
  async function expectEnd(ground: Ground, terms: SwapTerms, end: End, what: string): Promise<void> {
    const swap = async () => {
      if (end === 'exact' || end === 'more') await settle(ground, terms);
      else await refuse(ground, terms, end);
    };
    const moved = await ground.chain.apart(() => changes(ground, watched(ground), swap));
    const { 'recipient.b': came = 0n, ...others } = moved;
    if (end === 'more') expect(came > terms.minBuyAmount, what).to.equal(true);
    else expect(came, what).to.equal(end === 'exact' ? terms.minBuyAmount : 0n);
    expect(others, what).to.deep.equal(end === 'exact' || end === 'more' ? { 'taker.a': -ONE } : {});
  }

  describe('a pair of Uniswap V2', () => {
    /** What can be done to the pair, by how the swap ends where it is done before the payment arrives and after it, without and with a leg that measures what arrived. */
    const DEEDS: readonly (readonly [string, Readonly<Record<'plain' | 'measured', Readonly<Record<Moment, End>>>>])[] = [
      ['sync', { plain: { before: 'exact', after: 'VenueReverted' }, measured: { before: 'exact', after: 'VenueReverted' } }],
      ['skim', { plain: { before: 'exact', after: 'VenueReverted' }, measured: { before: 'exact', after: 'PairInputUnfit' } }],
      ['take what was paid for', { plain: { before: 'exact', after: 'VenueReverted' }, measured: { before: 'exact', after: 'VenueReverted' } }],
      ['trade the same way', { plain: { before: 'VenueReverted', after: 'VenueReverted' }, measured: { before: 'VenueReverted', after: 'VenueReverted' } }],
      ['trade the other way', { plain: { before: 'exact', after: 'VenueReverted' }, measured: { before: 'BelowMinimum', after: 'VenueReverted' } }],
      ['mint', { plain: { before: 'exact', after: 'VenueReverted' }, measured: { before: 'VenueReverted', after: 'VenueReverted' } }],
      ['burn', { plain: { before: 'VenueReverted', after: 'VenueReverted' }, measured: { before: 'PairInputUnfit', after: 'PairInputUnfit' } }],
      ['give', { plain: { before: 'exact', after: 'exact' }, measured: { before: 'more', after: 'more' } }],
    ];

    /** The steps of each deed, by a hook that has shares of the pair. */
    async function prepare(ground: Ground) {
      const { a, b } = ground.tokens;
      const hook = await createHook(ground);
      const pair = ground.pool('v2', a, b);
      const call = (functionName: 'sync' | 'skim' | 'mint' | 'burn' | 'swap', ...args: readonly unknown[]): PuppetStep => ({
        to: pair,
        data: encodeFunctionData({ abi: PAIR_ABI as Abi, functionName, args: [...args] }),
      });
      const out = (token: Address, amount: bigint) => {
        const first = token === a ? a < b : b < a;
        return call('swap', first ? amount : 0n, first ? 0n : amount, hook.address, '0x');
      };
      await hook.play([send(a, pair, 100n * ONE), send(b, pair, 100n * ONE), { ...call('mint', hook.address), bubbles: true }]);
      // Afterwards the pair is 100 of each deeper than at first; what it gives is asked of a plain swap.
      const steps: Readonly<Record<string, readonly PuppetStep[]>> = {
        sync: [call('sync')],
        skim: [call('skim', hook.address)],
        'take what was paid for': [out(b, (9n * ONE) / 10n)],
        'trade the same way': [send(a, pair, ONE), out(b, (9n * ONE) / 10n)],
        'trade the other way': [send(b, pair, ONE), out(a, ONE / 2n)],
        mint: [send(a, pair, ONE), send(b, pair, ONE), call('mint', hook.address)],
        burn: [send(pair, pair, 50n * ONE), call('burn', hook.address)],
        give: [send(a, pair, ONE)],
      };
      const leg = hop(ground, 'v2', a, b);
      const { buyAmount } = await ground.chain.apart(() => settle(ground, termsOf(ground, { legs: [leg] })));
      const quoted = { minBuyAmount: asWei(buyAmount), buyAmount: asWei(buyAmount) };
      return {
        hook,
        steps,
        plain: termsOf(ground, { ...quoted, legs: [leg] }),
        measured: termsOf(ground, { ...quoted, legs: [hop(ground, 'v2', a, b, 10_000, true)] }),
      };
    }

    it('synced, skimmed, traded with, filled or emptied while it is paid: the swap gives what was quoted, or reverts and nothing moves (G8)', async () => {
      const ground = here.current();
      const { hook, steps, ...terms } = await prepare(ground);
      expect(DEEDS.map(([deed]) => deed)).to.have.members(Object.keys(steps));
      for (const [deed, ends] of DEEDS) {
        for (const moment of ['before', 'after'] as const) {
          await act(ground, hook, ground.tokens.a, moment, steps[deed] ?? []);
          for (const leg of ['plain', 'measured'] as const) await expectEnd(ground, terms[leg], ends[leg][moment], `${deed} ${moment} the move, ${leg}`);
        }
      }
    });

    it('is locked while it pays: its hook can do nothing to it, and the swap gives what was quoted (G8)', async () => {
      const ground = here.current();
      const { b } = ground.tokens;
      const { hook, steps, plain, measured } = await prepare(ground);
      for (const [deed] of DEEDS) {
        for (const moment of ['before', 'after'] as const) {
          await act(ground, hook, b, moment, steps[deed] ?? []);
          for (const terms of [plain, measured]) {
            await ground.chain.apart(async () => {
              const { 'recipient.b': came, ...others } = await changes(ground, watched(ground), () => settle(ground, terms));
              expect([came, others], `${deed} ${moment}`).to.deep.equal([terms.minBuyAmount, { 'taker.a': -ONE }]);
              // Tokens may be sent there; the pair itself refuses.
              const outcomes = await hook.outcomes();
              expect(outcomes.at(-1), `${deed} ${moment}`).to.equal(deed === 'give' ? 'ok' : 'Error');
            });
          }
        }
      }
    });

    it('the next pair of the route, traded with while the first is paid: the floor refuses (G8)', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const hook = await createHook(ground);
      const next = ground.pool('v2', c, b);
      const out = (500n * ONE * 9n) / 10n;
      const swap = encodeFunctionData({ abi: PAIR_ABI, functionName: 'swap', args: [c < b ? 0n : out, c < b ? out : 0n, hook.address, '0x'] });
      const quoted = asWei(pairOutput(pairOutput(ONE)));
      const terms = termsOf(ground, { minBuyAmount: quoted, legs: [hop(ground, 'v2', a, c), hop(ground, 'v2', c, b)] });
      await expectEnd(ground, terms, 'exact', 'without a hook');
      for (const moment of ['before', 'after'] as const) {
        await act(ground, hook, a, moment, [send(c, next, 500n * ONE), { to: next, data: swap, bubbles: true }]);
        await expectEnd(ground, terms, 'BelowMinimum', moment);
      }
    });
  });

  it('a pool of Uniswap V3 is locked while it is paid and while it pays: no function of it runs, and the swap gives what was quoted (G8)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const hook = await createHook(ground);
    const pool = ground.pool('v3', a, b);
    const [range, whole] = [[-887_220, 887_220] as const, 2n ** 128n - 1n];
    const down = a < b;
    const calls: readonly Hex[] = [
      encodeFunctionData({ abi: VENUE_ABI, functionName: 'swap', args: [hook.address, down, ONE, down ? LOWEST_LIMIT : HIGHEST_LIMIT, '0x'] }),
      encodeFunctionData({ abi: POOL_ABI, functionName: 'mint', args: [hook.address, ...range, ONE, '0x'] }),
      encodeFunctionData({ abi: POOL_ABI, functionName: 'burn', args: [...range, ONE / 2n] }),
      encodeFunctionData({ abi: POOL_ABI, functionName: 'collect', args: [hook.address, ...range, whole, whole] }),
      encodeFunctionData({ abi: POOL_ABI, functionName: 'flash', args: [hook.address, 0n, 0n, '0x'] }),
      encodeFunctionData({ abi: POOL_ABI, functionName: 'increaseObservationCardinalityNext', args: [5] }),
    ];
    const steps: readonly PuppetStep[] = calls.map((data) => ({ to: pool, data }));
    // By itself, each of them goes through.
    await hook.teach('uniswapV3SwapCallback(int256,int256,bytes)', { steps: [send(a, pool, ONE)] });
    await hook.teach('uniswapV3MintCallback(uint256,uint256,bytes)', { steps: [send(a, pool, 2n * ONE), send(b, pool, 2n * ONE)] });
    await ground.chain.apart(() => hook.play(steps.map((step) => ({ ...step, bubbles: true }))));

    const legs = [hop(ground, 'v3', a, b)];
    const { buyAmount } = await ground.chain.apart(() => settle(ground, termsOf(ground, { legs })));
    const terms = termsOf(ground, { minBuyAmount: asWei(buyAmount), buyAmount: asWei(buyAmount), legs });
    for (const [token, other] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const moment of ['before', 'after'] as const) {
        await setToken(ground, other, PLAIN, 0, ZERO_ADDRESS);
        await act(ground, hook, token, moment, [...steps, { to: ground.router, data: callbackData('uniswapV3SwapCallback', ONE, 0n) }]);
        await ground.chain.apart(async () => {
          const { 'recipient.b': came, ...others } = await changes(ground, watched(ground), () => settle(ground, terms));
          expect([came, others], moment).to.deep.equal([buyAmount, { 'taker.a': -ONE }]);
          expect((await hook.outcomes()).slice(-steps.length - 1)).to.deep.equal([...steps.map(() => 'Error'), 'UnexpectedCallback']);
        });
      }
    }
  });

  describe('the manager of Uniswap V4', () => {
    let laid: { readonly ground: Ground; readonly v4: V4Ground };
    before(async () => {
      const plain = here.current();
      const v4 = await layV4(plain);
      await v4.makePool(plain.tokens.a, plain.tokens.b);
      laid = { ground: { ...plain, router: v4.router }, v4 };
    });

    it('a swap of the hook in our unlocking: unsettled, or settled out of our payment or instead of it, it makes ours revert; settled while we take, it changes nothing of ours (G8)', async () => {
      const { ground, v4 } = laid;
      const { a, b } = ground.tokens;
      const hook = await createHook(ground);
      const call = (functionName: 'unlock' | 'sync' | 'settle' | 'take', ...args: readonly unknown[]): PuppetStep => ({
        to: v4.manager,
        data: encodeFunctionData({ abi: MANAGER_ABI as Abi, functionName, args: [...args] }),
        bubbles: true,
      });
      for (const leg of [v4.hop(a, b), v4.path([a, b])]) {
        const { given } = await v4.quote(a, b, ONE);
        const terms = termsOf(ground, { minBuyAmount: asWei(given), buyAmount: asWei(given), legs: [leg] });
        // What a second such swap gives, which is what the hook's is.
        const { given: second } = await ground.chain.apart(async () => {
          await settle(ground, terms);
          return v4.quote(a, b, ONE);
        });
        const swap = { ...v4.swapCall(a, b, ONE), bubbles: true };
        const paid = [swap, call('sync', a), send(a, v4.manager, ONE), call('settle'), call('take', b, hook.address, second)];
        const robbed = [swap, call('settle'), call('take', b, hook.address, second)];
        const shut = [{ ...call('unlock', '0x'), bubbles: false }];
        const ends: readonly (readonly [string, Address, readonly PuppetStep[], Readonly<Record<Moment, End>>])[] = [
          ['unsettled, while it is paid', a, [swap], { before: 'VenueReverted', after: 'VenueReverted' }],
          ['settled, while it is paid', a, paid, { before: 'VenueReverted', after: 'VenueReverted' }],
          ['settled out of the payment', a, robbed, { before: 'VenueReverted', after: 'VenueReverted' }],
          ['unlocked again, while it is paid', a, shut, { before: 'exact', after: 'exact' }],
          ['unsettled, while it pays', b, [swap], { before: 'VenueReverted', after: 'VenueReverted' }],
          ['settled, while it pays', b, paid, { before: 'exact', after: 'exact' }],
          ['unlocked again, while it pays', b, shut, { before: 'exact', after: 'exact' }],
        ];
        for (const [what, token, steps, end] of ends) {
          for (const moment of ['before', 'after'] as const) {
            await setToken(ground, token === a ? b : a, PLAIN, 0, ZERO_ADDRESS);
            await act(ground, hook, token, moment, steps);
            await expectEnd(ground, terms, end[moment], `${leg.leg}: ${what}, ${moment} the move`);
          }
        }
        await act(ground, hook, b, 'after', shut);
        await ground.chain.apart(async () => {
          await settle(ground, terms);
          expect((await hook.outcomes()).at(-1)).to.equal(toFunctionSelector('AlreadyUnlocked()'));
        });
        for (const token of [a, b]) await setToken(ground, token, PLAIN, 0, ZERO_ADDRESS);
      }
    });
  });
});
