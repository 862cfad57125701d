import { expect } from 'chai';
import { erc20Abi, type Hex } from 'viem';
import { encodePayload, encodeSwapCall } from '../../../src/building/building.ts';
import { asAddress, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { hop, MAX, ONE, takerCall, termsOf, through, useGround, wrap } from '../../support/settlement/ground.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { callbackData, changes, execData, executeFromData, expectError, pullData, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const NOBODY = asAddress(`0x${'0'.repeat(40)}`);
const V3_SWAP = 'swap(address,bool,int256,uint160,bytes)';

describe('settlement rules 1, 2, 4, 5, 6: funds', function () {
  this.timeout(300_000);
  const here = useGround();

  describe("1. Funds can be pulled only from the transaction's own caller", () => {
    it('nobody but the allowance holder names an owner (K8, Transit Swap 2022)', async () => {
      const ground = here.current();
      const { victim, stranger } = ground.accounts;
      const payload = encodePayload(termsOf(ground, { taker: victim, recipient: stranger, legs: [hop(ground, 'v2', ground.tokens.a, ground.tokens.b)] }));
      const call = { to: ground.router, data: executeFromData(victim, payload) };
      for (const caller of [stranger, victim]) expectError(await ground.chain.attempt(caller, call), 'OnlyAllowanceHolder');
    });

    it('who runs a payload made for somebody else pays with his own tokens', async () => {
      const ground = here.current();
      const { victim, stranger, recipient } = ground.accounts;
      const terms = termsOf(ground, { taker: victim, recipient, legs: [hop(ground, 'v3', ground.tokens.a, ground.tokens.b)] });
      expect(expectError(await ground.chain.attempt(stranger, takerCall(ground, terms)), 'VenueReverted')[0]).to.be.a('string');
      await ground.chain.write(ground.accounts.deployer, ground.tokens.a, ground.contracts.TrickToken?.abi ?? [], 'mint', [[stranger], ONE]);
      await ground.chain.write(stranger, ground.tokens.a, erc20Abi, 'approve', [ground.allowanceHolder, MAX]);
      const moved = await changes(ground, { victim, stranger, recipient }, () => ground.chain.mustSend(stranger, takerCall(ground, terms)));
      expect(moved['stranger.a']).to.equal(-ONE);
      expect(Object.keys(moved).filter((name) => name.startsWith('victim'))).to.deep.equal([]);
    });

    it('the entry of native sells takes no token, the entry of token sells no native', async () => {
      const ground = here.current();
      const terms = termsOf(ground, { legs: [hop(ground, 'v2', ground.tokens.a, ground.tokens.b)] });
      expectError(await ground.chain.attempt(terms.taker, { to: ground.router, data: encodeSwapCall(terms) }), 'FundingMismatch');
      const native = termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: ground.wrappedNative, legs: [wrap(NATIVE_TOKEN, ground.wrappedNative)] });
      const data = execData(ground.router, ground.tokens.a, ONE, encodePayload(native));
      expectError(await ground.chain.attempt(terms.taker, { to: ground.allowanceHolder, data }), 'FundingMismatch');
    });

    it('at most the grant is pulled: terms that ask for more than exec grants revert', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      const payload = encodePayload(termsOf(ground, { sellAmount: asWei(2n * ONE), legs: [hop(ground, 'v2', a, b)] }));
      expectError(
        await ground.chain.attempt(ground.accounts.taker, { to: ground.allowanceHolder, data: execData(ground.router, a, ONE, payload) }),
        'GrantTooSmall',
      );
      // Another token was granted than is sold.
      expectError(
        await ground.chain.attempt(ground.accounts.taker, { to: ground.allowanceHolder, data: execData(ground.router, b, MAX, payload) }),
        'GrantTooSmall',
      );
    });
  });

  describe("2. No leg calls an address with data of the caller's making", () => {
    it('the allowance holder, Permit2, the router, precompiles and addresses without code are never a pool (K1, K23)', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      const never = [
        ground.allowanceHolder,
        ground.permit2,
        ground.router,
        ...['1', '9', '64', '100', 'ffff'].map((low) => asAddress(`0x${low.padStart(40, '0')}`)),
      ];
      for (const pool of [...never, ground.accounts.stranger, NOBODY]) {
        for (const venue of ['v2', 'v3'] as const) await refuse(ground, termsOf(ground, { legs: [through(venue, pool, a, b)] }), 'NotAVenue');
      }
    });

    it('a token, or wrapped native with its fallback, taken for a pool moves nothing (LI.FI 2022, Dexible 2023, SwapNet 2026)', async () => {
      const ground = here.current();
      const { a, b, n, weth } = ground.tokens;
      for (const token of [a, b, n]) {
        await refuse(ground, termsOf(ground, { legs: [through('v2', token, a, b)] }), 'VenueReverted');
        await refuse(ground, termsOf(ground, { legs: [through('v3', token, a, b)] }), 'VenueReverted');
      }
      await refuse(ground, termsOf(ground, { legs: [through('v2', weth, a, b)] }), 'VenueReverted');
      await refuse(ground, termsOf(ground, { legs: [through('v3', weth, a, b)] }), 'CallbackMissing');
    });

    it('a leg that does not exist, or a wrap of something else, reverts', async () => {
      const ground = here.current();
      const { a, b, weth } = ground.tokens;
      await refuse(ground, termsOf(ground, { legs: [wrap(a, b)] }), 'NotAWrap');
      await refuse(ground, termsOf(ground, { sellToken: weth, legs: [wrap(weth, b)] }), 'NotAWrap');
      const payload = encodePayload(termsOf(ground, { legs: [hop(ground, 'v2', a, b)] }));
      for (const kind of ['00', '04', 'ff']) {
        const bent = payload.replace('00012710', `00${kind}2710`) as Hex;
        expect(bent).to.not.equal(payload);
        expectError(
          await ground.chain.attempt(ground.accounts.taker, { to: ground.allowanceHolder, data: execData(ground.router, a, ONE, bent) }),
          'LegUnknown',
        );
      }
    });
  });

  describe('4. The Router is locked against reentry on all entry points', () => {
    it('a token with ERC-777 hooks that reenters the router and the allowance holder changes nothing (G8, K6)', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      const { stranger, victim } = ground.accounts;
      const attacker = await createPuppet(ground);
      const theft = termsOf(ground, { recipient: stranger, taker: attacker.address, legs: [hop(ground, 'v2', a, b)] });
      const native = termsOf(ground, {
        sellToken: NATIVE_TOKEN,
        buyToken: ground.wrappedNative,
        recipient: stranger,
        sellAmount: asWei(1n),
        legs: [wrap(NATIVE_TOKEN, ground.wrappedNative)],
      });
      await ground.chain.mustSend(stranger, { to: attacker.address, value: 10n });
      await attacker.teach('onTransfer(address,address,uint256)', {
        steps: [
          takerCall(ground, theft),
          { to: ground.router, data: encodeSwapCall(native), value: 1n },
          { to: ground.router, data: executeFromData(victim, encodePayload(theft)) },
          { to: ground.router, data: callbackData('uniswapV3SwapCallback', ONE, 0n) },
        ],
      });
      for (const venue of ['v2', 'v3'] as const) {
        const terms = termsOf(ground, { minBuyAmount: asWei((9n * ONE) / 10n), legs: [hop(ground, venue, a, b)] });
        const plain = await ground.chain.apart(async () => (await settle(ground, terms)).buyAmount);
        await setToken(ground, a, 0, 0, attacker.address);
        const moved = await changes(ground, { victim, stranger, router: ground.router, holder: ground.allowanceHolder }, async () => {
          expect((await settle(ground, terms)).buyAmount).to.equal(plain);
        });
        await setToken(ground, a, 0, 0, NOBODY);
        expect(moved).to.deep.equal({});
      }
      const outcomes = await attacker.outcomes();
      expect(outcomes.length).to.be.at.least(16);
      const expected = ['Reentered', 'Reentered', 'OnlyAllowanceHolder', 'UnexpectedCallback'];
      expect(
        outcomes.every((outcome, i) => outcome === expected[i % expected.length]),
        outcomes.join(' '),
      ).to.equal(true);
    });

    it('a recipient of native that reenters can not change recipient or floor (K6)', async () => {
      const ground = here.current();
      const { a, weth } = ground.tokens;
      const attacker = await createPuppet(ground);
      const again = termsOf(ground, {
        sellToken: NATIVE_TOKEN,
        buyToken: weth,
        recipient: attacker.address,
        sellAmount: asWei(1n),
        legs: [wrap(NATIVE_TOKEN, weth)],
      });
      await attacker.teach('native', {
        steps: [
          { to: ground.router, data: encodeSwapCall(again), value: 1n },
          { to: ground.allowanceHolder, data: pullData(ground.tokens.a, ground.accounts.taker, attacker.address, 1n) },
        ],
      });
      const terms = termsOf(ground, { buyToken: NATIVE_TOKEN, recipient: attacker.address, legs: [hop(ground, 'v2', a, weth), wrap(weth, NATIVE_TOKEN)] });
      const before = await ground.balance(NATIVE_TOKEN, attacker.address);
      const { buyAmount } = await settle(ground, terms);
      expect((await ground.balance(NATIVE_TOKEN, attacker.address)) - before).to.equal(buyAmount);
      expect(await attacker.outcomes()).to.deep.equal(['Reentered', 'GrantTooSmall']);
      // One that insists on its own swap refuses the payment.
      await attacker.teach('native', { steps: [{ to: ground.router, data: encodeSwapCall(again), value: 1n, bubbles: true }] });
      await refuse(ground, terms, 'NativeRefused');
    });

    it('the lock opens again: two swaps in one transaction go through', async () => {
      const ground = here.current();
      const { weth } = ground.tokens;
      const taker = await createPuppet(ground);
      const terms = termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: weth, taker: taker.address, sellAmount: asWei(5n), legs: [wrap(NATIVE_TOKEN, weth)] });
      const step = { to: ground.router, data: encodeSwapCall(terms), value: 5n, bubbles: true };
      await taker.play([step, step, { to: ground.router, data: callbackData('uniswapV3SwapCallback', 1n, 0n) }], 10n);
      expect(await taker.outcomes()).to.deep.equal(['ok', 'ok', 'UnexpectedCallback']);
    });
  });

  describe('5. Tokens that return nothing, return false, or need a zero first', () => {
    it('a token that returns nothing trades normally, in every place of a route (G1)', async () => {
      const ground = here.current();
      const { a, b, n } = ground.tokens;
      for (const venue of ['v2', 'v3'] as const) {
        expect((await settle(ground, termsOf(ground, { sellToken: n, legs: [hop(ground, venue, n, b)] }))).buyAmount > 0n).to.equal(true);
        expect((await settle(ground, termsOf(ground, { buyToken: n, legs: [hop(ground, venue, a, n)] }))).buyAmount > 0n).to.equal(true);
        expect((await settle(ground, termsOf(ground, { legs: [hop(ground, venue, a, n), hop(ground, venue, n, b)] }))).buyAmount > 0n).to.equal(true);
      }
    });

    it('returning false, a number that is not 1, or reverting with 100 kB is never a success (G2, K23)', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      for (const temper of [1, 2, 5]) {
        for (const token of [a, b, c]) {
          await ground.chain.apart(async () => {
            await setToken(ground, token, temper, 0, NOBODY);
            for (const venue of ['v2', 'v3'] as const) {
              const route = { minBuyAmount: asWei((9n * ONE) / 10n), legs: [hop(ground, venue, a, c), hop(ground, venue, c, b)] };
              // Whatever the router moves itself, it insists on the answer. The first pool to move the token may refuse it before the router does.
              const through = await ground.chain.attempt(ground.accounts.taker, takerCall(ground, termsOf(ground, { ...route, surplus: 'protocol' })));
              expect(through.ok ? 'went through' : through.error).to.be.oneOf(['TransferFailed', 'VenueReverted']);
              // Where the last pool pays the recipient, what counts is what the recipient has got: Uniswap's pools take 2 for true.
              const direct = termsOf(ground, route);
              const ending = await ground.chain.attempt(ground.accounts.taker, takerCall(ground, direct));
              if (temper === 2 && token === b) {
                const moved = await changes(ground, { recipient: ground.accounts.recipient }, () => settle(ground, direct));
                expect((moved['recipient.b'] ?? 0n) >= direct.minBuyAmount).to.equal(true);
              } else {
                expect(ending.ok ? 'went through' : ending.error).to.be.oneOf(['TransferFailed', 'VenueReverted']);
              }
            }
          });
        }
      }
      await setToken(ground, a, 1, 0, NOBODY);
      await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b)] }), 'TransferFailed');
    });

    it('100 kB of return data that begin with true are looked at no further than the first word', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      await setToken(ground, a, 4, 0, NOBODY);
      expect((await settle(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b)] }))).buyAmount > 0n).to.equal(true);
    });

    it('a token without code is neither sold nor bought (G2, K23)', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      const nothing = ground.accounts.stranger;
      await refuse(ground, termsOf(ground, { sellToken: nothing, legs: [through('v2', ground.pool('v2', a, b), nothing, b)] }), 'TransferFailed');
      await refuse(ground, termsOf(ground, { buyToken: nothing, legs: [through('v2', ground.pool('v2', a, b), a, nothing)] }), 'BalanceUnreadable');
    });

    it("the legs need no approval: the router's allowances stay zero", async () => {
      const ground = here.current();
      const { a, b, weth } = ground.tokens;
      const pools = (['v2', 'v3'] as const).flatMap((venue) => [ground.pool(venue, a, b), ground.pool(venue, a, weth), ground.pool(venue, weth, b)]);
      const legs = [hop(ground, 'v2', a, weth, 5000), hop(ground, 'v3', a, weth), hop(ground, 'v3', weth, b, 5000), hop(ground, 'v2', weth, b)];
      await settle(ground, termsOf(ground, { legs }));
      for (const token of [a, b, weth]) {
        for (const spender of [...pools, ground.allowanceHolder, ground.permit2, weth]) {
          expect(await ground.chain.read(token, erc20Abi, 'allowance', [ground.router, spender])).to.equal(0n);
        }
      }
    });
  });

  describe('6. Native', () => {
    it('msg.value equals sellAmount for native sells, and is zero otherwise (K16)', async () => {
      const ground = here.current();
      const { weth, a, b } = ground.tokens;
      const terms = termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: weth, legs: [wrap(NATIVE_TOKEN, weth)] });
      for (const value of [0n, ONE - 1n, ONE + 1n]) {
        expectError(await ground.chain.attempt(terms.taker, { ...takerCall(ground, terms), value }), 'ValueMismatch');
      }
      const erc20 = termsOf(ground, { legs: [hop(ground, 'v2', a, b)] });
      expectError(await ground.chain.attempt(terms.taker, { ...takerCall(ground, erc20), value: 1n }), '0x');
      expectError(await ground.chain.attempt(terms.taker, { to: ground.router, data: encodeSwapCall(erc20), value: 1n }), 'FundingMismatch');
    });

    it('wrapping is a hop, both ways, at the start and at the end of a route', async () => {
      const ground = here.current();
      const { a, weth } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      const wrapped = await settle(ground, termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: weth, legs: [wrap(NATIVE_TOKEN, weth)] }));
      expect([wrapped.sellAmount, wrapped.buyAmount, wrapped.sellToken]).to.deep.equal([ONE, ONE, NATIVE_TOKEN]);
      const unwrapped = await changes(ground, { recipient }, () =>
        settle(ground, termsOf(ground, { sellToken: weth, buyToken: NATIVE_TOKEN, legs: [wrap(weth, NATIVE_TOKEN)] })),
      );
      expect(unwrapped).to.deep.equal({ 'recipient.native': ONE });
      const sold = termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: a, legs: [wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, a)] });
      expect((await settle(ground, sold)).buyAmount > (9n * ONE) / 10n).to.equal(true);
      const bought = termsOf(ground, { buyToken: NATIVE_TOKEN, recipient: taker, legs: [hop(ground, 'v3', a, weth), wrap(weth, NATIVE_TOKEN)] });
      expect((await settle(ground, bought)).buyAmount > (9n * ONE) / 10n).to.equal(true);
    });

    it('a native payment that the recipient refuses reverts', async () => {
      const ground = here.current();
      const { weth } = ground.tokens;
      const grump = await createPuppet(ground);
      await grump.teach('native', { refuses: true });
      const terms = termsOf(ground, { sellToken: weth, buyToken: NATIVE_TOKEN, legs: [wrap(weth, NATIVE_TOKEN)] });
      await refuse(ground, { ...terms, recipient: grump.address }, 'NativeRefused');
    });

    it('what a native sell does not spend goes back to the taker, and a taker that refuses it reverts (K16)', async () => {
      const ground = here.current();
      const { weth } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      const terms = termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: weth, legs: [wrap(NATIVE_TOKEN, weth, 2500)] });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, async () => {
        expect((await settle(ground, terms)).sellAmount).to.equal(ONE / 4n);
      });
      expect(moved).to.deep.equal({ 'taker.native': -ONE / 4n, 'recipient.weth': ONE / 4n });
      const grump = await createPuppet(ground);
      await grump.teach('native', { refuses: true });
      const step = { to: ground.router, data: encodeSwapCall({ ...terms, taker: grump.address }), value: ONE, bubbles: true };
      expectError(await ground.chain.attempt(taker, grump.playCall([step], ONE)), 'NativeRefused');
    });

    it('native sent to the router by anybody but wrapped native while no swap runs, or to the allowance holder, is refused', async () => {
      const ground = here.current();
      expectError(await ground.chain.attempt(ground.accounts.stranger, { to: ground.router, value: 1n }), 'UnexpectedPayment');
      expectError(await ground.chain.attempt(ground.accounts.stranger, { to: ground.router, value: 1n, data: '0x12345678' }), '0x');
      expectError(await ground.chain.attempt(ground.accounts.stranger, { to: ground.allowanceHolder, value: 1n }), '0x');
    });

    it("native that comes while a swap runs is let in, as venues may pay the router, and is nobody's if no hop brought it", async () => {
      const ground = here.current();
      const { a, b, weth } = ground.tokens;
      const { recipient, stranger, taker } = ground.accounts;
      const payer = await createPuppet(ground);
      await ground.chain.mustSend(stranger, { to: payer.address, value: 10n });
      // The hook pays before and after the only move of a.
      await payer.teach('onTransfer(address,address,uint256)', { steps: [{ to: ground.router, value: 1n }] });
      await setToken(ground, a, 0, 0, payer.address);
      const watched = { recipient, taker, router: ground.router, payer: payer.address };
      const bought = await ground.chain.apart(() => changes(ground, watched, () => settle(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b)] }))));
      expect(bought).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': bought['recipient.b'], 'router.native': 2n, 'payer.native': -2n });
      const terms = termsOf(ground, { buyToken: NATIVE_TOKEN, legs: [hop(ground, 'v2', a, weth), wrap(weth, NATIVE_TOKEN)] });
      const native = await ground.chain.apart(() => changes(ground, watched, () => settle(ground, terms)));
      expect(native['router.native']).to.equal(2n);
    });
  });

  it('a pool that pays nothing back is caught by the floor, whatever it returns (invariant 10)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const pool = await createPuppet(ground);
    const [amount0, amount1] = a < b ? [ONE, -ONE] : [-ONE, ONE];
    await pool.teach(V3_SWAP, {
      steps: [{ to: ground.router, data: callbackData('uniswapV3SwapCallback', amount0, amount1) }],
      answer: `0x${BigInt.asUintN(256, amount0).toString(16).padStart(64, '0')}${BigInt.asUintN(256, amount1).toString(16).padStart(64, '0')}`,
    });
    await refuse(ground, termsOf(ground, { minBuyAmount: asWei(1n), legs: [through('v3', pool.address, a, b)] }), 'BelowMinimum');
  });
});
