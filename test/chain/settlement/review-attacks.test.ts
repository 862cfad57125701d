import { expect } from 'chai';
import { concatHex, encodeFunctionData, erc20Abi, type Hex, numberToHex, toFunctionSelector } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { contractOf, type Ground, hop, ONE, takerCall, termsOf, through, useGround, wrap } from '../../support/settlement/ground.ts';
import { callThrough, deployRouterWithTestLegs, throughTestLeg } from '../../support/settlement/other-router.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { callbackData, changes, execData, expectError, pullData, refuse } from '../../support/settlement/swaps.ts';

const V3_SWAP = 'swap(address,bool,int256,uint160,bytes)';
const DONATED = 777n * ONE;

/** Ways to steal that a review of the contracts came up with, beside those of the lists (rules-*.test.ts, allowance-holder.test.ts, permit2-attacks.test.ts). */
describe('attacks that a review came up with', function () {
  this.timeout(300_000);
  const here = useGround();

  const mint = ({ chain, accounts, contracts }: Ground, token: Address, to: Address, amount: bigint) =>
    chain.write(accounts.deployer, token, contractOf(contracts, 'TrickToken').abi, 'mint', [[to], amount]);

  describe('a token, or wrapped native, taken for the venue of a leg', () => {
    /** Every leg but wrapping, with data that its reader takes. */
    const LEGS: Readonly<Record<string, Hex>> = {
      uniswap_v2: '0x000bb8',
      uniswap_v2_path: '0x000bb800',
      uniswap_v3: '0x00',
      solidly: '0x',
      balancer_v2: numberToHex(7, { size: 32 }),
      curve: '0x000001',
      erc4626: '0x',
      uniswap_v4: concatHex(['0x000bb800003c', numberToHex(0, { size: 20 })]),
      uniswap_v4_path: concatHex(['0x00', '0x000bb800003c', numberToHex(0, { size: 20 })]),
    };

    async function withEveryLeg(): Promise<Ground> {
      const ground = here.current();
      const { chain, accounts, allowanceHolder, wrappedNative } = ground;
      const code = readSettlementContracts().routerFor([...Object.keys(LEGS), 'wrap']);
      chain.know(code.abi);
      return {
        ...ground,
        router: await chain.deploy(accounts.deployer, code.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.collector })),
      };
    }

    it('gives nothing of anybody’s, by any leg: no floor is met, and without one nothing moves and nothing is left approved', async () => {
      const ground = await withEveryLeg();
      const { a, b, n, weth } = ground.tokens;
      const { taker, recipient, victim, stranger } = ground.accounts;
      const watched = { taker, recipient, victim, stranger, router: ground.router, holder: ground.allowanceHolder };
      // As one who approved the Router by mistake.
      for (const token of [a, b, n, weth]) {
        await ground.chain.mustSend(victim, { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ground.router, ONE] }) });
      }
      let tried = 0;
      for (const [leg, data] of Object.entries(LEGS)) {
        for (const venue of [a, b, n, weth]) {
          for (const sellToken of [n, weth]) {
            const legs: readonly Leg[] = [{ leg, bps: asBps(10_000), tokenIn: sellToken, tokenOut: b, pool: venue, data }];
            const terms = termsOf(ground, { sellToken, legs });
            const label = `${leg} ${venue} ${sellToken}`;
            const strict = takerCall(ground, { ...terms, minBuyAmount: asWei(1n) });
            expect((await ground.chain.attempt(taker, strict)).ok, label).to.equal(false);
            const loose = takerCall(ground, terms);
            tried++;
            if (!(await ground.chain.attempt(taker, loose)).ok) continue;
            await ground.chain.apart(async () => {
              expect(await changes(ground, watched, () => ground.chain.mustSend(taker, loose)), label).to.deep.equal({});
              expect(await ground.chain.read(sellToken, erc20Abi, 'allowance', [ground.router, venue]), label).to.equal(0n);
            });
          }
        }
      }
      expect(tried).to.equal(Object.keys(LEGS).length * 4 * 2);
    });

    it('the allowance holder, Permit2, the router, precompiles and accounts without code are no venue of any leg (K1, K23)', async () => {
      const ground = await withEveryLeg();
      const { a, b } = ground.tokens;
      const never = [ground.allowanceHolder, ground.permit2, ground.router, asAddress(`0x${'1'.padStart(40, '0')}`), ground.accounts.stranger];
      for (const [leg, data] of Object.entries(LEGS)) {
        for (const pool of never)
          await refuse(ground, termsOf(ground, { legs: [{ leg, bps: asBps(10_000), tokenIn: a, tokenOut: b, pool, data }] }), 'NotAVenue');
      }
    });
  });

  describe('what lies in the router by mistake', () => {
    /** Donations of tokens and native, and what a swap changes of them. */
    async function donated(ground: Ground, router: Address): Promise<void> {
      for (const token of [ground.tokens.a, ground.tokens.b, ground.tokens.c]) await mint(ground, token, router, DONATED);
      const { weth } = ground.tokens;
      const send = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [router, ONE] });
      await ground.chain.mustSend(ground.accounts.victim, { to: weth, data: send });
      await ground.chain.rpc.request('anvil_setBalance', router, `0x${(9n * ONE).toString(16)}`);
    }

    it('no callback takes: a pool that is owed a wei asks for a wei more, for another token, or pretends to have paid', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      await donated(ground, ground.router);
      const { taker, recipient, stranger } = ground.accounts;
      const pool = await createPuppet(ground);
      const legs = [hop(ground, 'v2', a, c), through('v3', pool.address, c, b)];
      const watched = { taker, recipient, stranger, router: ground.router, pool: pool.address };
      for (const [owed0, owed1] of [
        [10n ** 24n, 0n],
        [0n, 10n ** 24n],
        [-5n, ONE * 2n],
        [2n ** 255n - 1n, 2n ** 255n - 1n],
      ] as const) {
        await pool.teach(V3_SWAP, { steps: [{ to: ground.router, data: callbackData('uniswapV3SwapCallback', owed0, owed1), bubbles: true }] });
        const [, reason] = await refuse(ground, termsOf(ground, { legs }), 'VenueReverted');
        expect(ground.chain.nameOf(reason as Hex)).to.equal('CallbackAsksTooMuch');
      }
      // It is paid nothing and says that it gave a lot: what it says is not looked at, and what came is nothing.
      await pool.teach(V3_SWAP, {
        steps: [{ to: ground.router, data: callbackData('uniswapV3SwapCallback', 0n, 0n) }],
        answer: concatHex([numberToHex(0, { size: 32 }), numberToHex(2n ** 256n - DONATED, { size: 32 })]),
      });
      for (const surplus of ['protocol', 'taker'] as const) {
        await refuse(ground, termsOf(ground, { surplus, minBuyAmount: asWei(1n), legs }), 'BelowMinimum');
        const moved = await ground.chain.apart(() =>
          changes(ground, watched, () => ground.chain.mustSend(taker, takerCall(ground, termsOf(ground, { surplus, legs })))),
        );
        expect(Object.keys(moved).sort()).to.deep.equal(['taker.a', 'taker.c']);
      }
    });

    it('no entry of the ledger counts twice: a token that stands in the table twice, and a venue that gives back what it was given', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      const router = await deployRouterWithTestLegs(ground);
      await donated(ground, router);
      const takes = (token: Address, amount: bigint, to: Address) => ({
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [router, to, amount] }),
      });
      const gives = (token: Address, amount: bigint) => ({
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [router, amount] }),
      });
      const watched = { taker, recipient, router };
      // What a venue may do with ONE of a token that it is to trade for the same token, or for another: nothing, take and give back, take and give back more, only give.
      const parts = [
        (token: Address) => [takes(token, 0n, router)],
        (token: Address, venue: Address) => [takes(token, ONE / 2n, venue), gives(token, ONE / 2n)],
        (token: Address, venue: Address) => [takes(token, ONE / 2n, venue), gives(token, ONE)],
        (token: Address) => [gives(token, ONE)],
        (token: Address, venue: Address) => [takes(token, ONE * 2n, venue), takes(token, DONATED, venue)],
      ];
      for (const part of parts) {
        const venue = await createPuppet(ground);
        for (const token of [b, c]) await mint(ground, token, venue.address, 10n * ONE);
        await venue.teach('trade()', { steps: part(c, venue.address) });
        const there = hop(ground, 'v2', a, c);
        const twin = throughTestLeg('puppet_custody', venue.address, c, b);
        const call = asTwin(callThrough(ground, router, termsOf(ground, { surplus: 'protocol', legs: [there, twin] })), b, c);
        const moved = await ground.chain.apart(() => changes(ground, watched, () => ground.chain.mustSend(taker, call)));
        for (const [place, change] of Object.entries(moved)) if (place.startsWith('router.')) expect(change >= 0n, `${place} ${change}`).to.equal(true);
        // All that the route brought in, and the venue's own gift at most.
        const got = (moved['taker.c'] ?? 0n) + (moved['recipient.c'] ?? 0n);
        expect(got <= 2n * ONE, String(got)).to.equal(true);
      }
    });

    it('native and wrapped: no wrap, unwrap or sell of a wei reaches it', async () => {
      const ground = here.current();
      const { weth, a, c } = ground.tokens;
      await donated(ground, ground.router);
      const { taker } = ground.accounts;
      const watched = { taker, recipient: ground.accounts.recipient, router: ground.router };
      const sellsNative = { sellToken: NATIVE_TOKEN, buyToken: weth, sellAmount: asWei(1n) };
      expect(
        await changes(ground, watched, () =>
          ground.chain.mustSend(taker, takerCall(ground, termsOf(ground, { ...sellsNative, legs: [wrap(NATIVE_TOKEN, weth)] }))),
        ),
      ).to.deep.equal({
        'taker.native': -1n,
        'recipient.weth': 1n,
      });
      const unwraps = { sellToken: weth, buyToken: NATIVE_TOKEN, sellAmount: asWei(1n), legs: [wrap(weth, NATIVE_TOKEN)] };
      expect(await changes(ground, watched, () => ground.chain.mustSend(taker, takerCall(ground, termsOf(ground, unwraps))))).to.deep.equal({
        'taker.weth': -1n,
        'recipient.native': 1n,
      });
      // Hops that start from what no hop brought.
      for (const legs of [[wrap(weth, NATIVE_TOKEN)], [hop(ground, 'v2', weth, c)], [wrap(NATIVE_TOKEN, weth)]]) {
        expectError(
          await ground.chain.attempt(
            taker,
            takerCall(ground, termsOf(ground, { buyToken: legs[0]?.tokenOut ?? weth, legs: [...legs, hop(ground, 'v2', a, c)] })),
          ),
          'NothingToSpend',
        );
      }
    });
  });

  it('a swap or an exec that fails within a transaction leaves no lock, expectation or grant for what comes after it there', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { recipient, stranger } = ground.accounts;
    const wallet = await createPuppet(ground);
    await mint(ground, a, wallet.address, 10n * ONE);
    const silent = await createPuppet(ground);
    await silent.teach('later()', { steps: [{ to: ground.router, data: callbackData('uniswapV3SwapCallback', 1n, 1n) }] });
    const target = await createPuppet(ground);
    await target.teach('executeFrom(address,bytes)', { refuses: true });
    await target.teach('later()', { steps: [{ to: ground.allowanceHolder, data: pullData(a, wallet.address, stranger, 1n) }] });
    const later = toFunctionSelector('later()');
    const swapThrough = (legs: readonly Leg[]) => takerCall(ground, termsOf(ground, { taker: wallet.address, legs }));
    const moved = await changes(ground, { wallet: wallet.address, stranger, silent: silent.address, router: ground.router }, () =>
      wallet.play([
        { to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ground.allowanceHolder, 10n * ONE] }) },
        swapThrough([through('v3', silent.address, a, b)]),
        { to: silent.address, data: later },
        { to: ground.allowanceHolder, data: execData(target.address, a, ONE, '0x') },
        { to: target.address, data: later },
        swapThrough([hop(ground, 'v3', a, b)]),
      ]),
    );
    expect(moved).to.deep.equal({ 'wallet.a': -ONE });
    expect(await wallet.outcomes()).to.deep.equal(['ok', 'CallbackMissing', 'ok', 'Error', 'ok', 'ok']);
    expect([await silent.outcomes(), await target.outcomes()]).to.deep.equal([['UnexpectedCallback'], ['GrantTooSmall']]);
    expect((await ground.balance(b, recipient)) > ONE).to.equal(true);
  });

  /** The same calldata with another buy token, so that a token between stands in the table as the bought one does: twice. */
  function asTwin<Sent extends { readonly data?: Hex }>(call: Sent, named: Address, instead: Address): Sent {
    const data = (call.data ?? '0x').replace(named.slice(2), instead.slice(2)) as Hex;
    expect(data).to.not.equal(call.data);
    return { ...call, data };
  }
});
