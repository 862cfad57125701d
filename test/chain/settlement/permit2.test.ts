import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, type Hex, padHex } from 'viem';
import type { SwapTerms } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { contractOf, type Ground, hop, MAX, ONE, pairOutput, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { approvePermit2, isNonceUsed, permittedCall, settlePermitted } from '../../support/settlement/permit2.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { changes, expectError, setToken } from '../../support/settlement/swaps.ts';
import { transientSlots } from '../../support/settlement/transient-slots.ts';
import { layV4 } from '../../support/settlement/v4.ts';

const NOBODY = asAddress(`0x${'0'.repeat(40)}`);

describe('swaps that Permit2 funds', function () {
  this.timeout(300_000);
  const here = useGround();

  beforeEach(async () => {
    const ground = here.current();
    await approvePermit2(ground, ground.accounts.taker);
  });

  function watched(ground: Ground): Readonly<Record<string, Address>> {
    const { taker, recipient, partner, collector, victim } = ground.accounts;
    return { taker, recipient, partner, collector, victim, router: ground.router, holder: ground.allowanceHolder, permit2: ground.permit2 };
  }

  it('deliver what those by the allowance holder deliver, to the wei: each shape of route, native bought, buy, fee, each surplus policy', async () => {
    const ground = here.current();
    const { a, b, c, n, weth } = ground.tokens;
    const { taker, partner } = ground.accounts;
    const fee = { feeBps: asBps(30), partner, partnerShareBps: asBps(8500) };
    const ways: readonly Partial<SwapTerms>[] = [
      { surplus: 'taker' },
      { surplus: 'protocol', buyAmount: asWei(ONE / 2n) },
      { surplus: 'shared', buyAmount: asWei(ONE / 2n), fee },
      { mode: 'buy', buyAmount: asWei(ONE / 2n), fee, recipient: taker },
    ];
    const routes: readonly (Partial<SwapTerms> & Pick<SwapTerms, 'legs'>)[] = [
      { legs: [hop(ground, 'v2', a, b)] },
      { sellToken: n, buyToken: weth, legs: [hop(ground, 'v3', n, weth)] },
      { legs: [hop(ground, 'v2', a, b, 4000), hop(ground, 'v3', a, b)] },
      { legs: [hop(ground, 'v3', a, c), hop(ground, 'v2', c, b, 3000), hop(ground, 'v3', c, b)] },
      { legs: [hop(ground, 'v3', a, c, 2500), hop(ground, 'v2', a, b), hop(ground, 'v2', c, b)] },
      { buyToken: NATIVE_TOKEN, legs: [hop(ground, 'v3', a, weth), wrap(weth, NATIVE_TOKEN)] },
      { sellToken: weth, buyToken: NATIVE_TOKEN, legs: [wrap(weth, NATIVE_TOKEN)] },
    ];
    for (const [index, route] of routes.entries()) {
      for (const way of [ways[index % ways.length], ways[(index + 1) % ways.length]]) {
        const terms = termsOf(ground, { ...route, ...way });
        const moved = (run: () => Promise<unknown>) => ground.chain.apart(() => changes(ground, watched(ground), run));
        const byHolder = await moved(() => ground.chain.mustSend(taker, takerCall(ground, terms)));
        expect(Object.keys(byHolder).filter((name) => /router|holder|permit2|victim/.test(name))).to.deep.equal([]);
        expect(await moved(() => settlePermitted(ground, terms))).to.deep.equal(byHolder);
      }
    }
  });

  it('by Uniswap V4 too, whose manager is paid in its callback, straight from the taker', async () => {
    const plain = here.current();
    const v4 = await layV4(plain);
    const ground = { ...plain, router: v4.router };
    const { a, b } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    await v4.makePool(a, b);
    const { given } = await v4.quote(a, b, ONE);
    const terms = termsOf(ground, { minBuyAmount: asWei(given), legs: [v4.hop(a, b)] });
    const manager = v4.manager;
    const moved = await changes(ground, { taker, recipient, manager, router: ground.router }, () => settlePermitted(ground, terms));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': given, 'manager.a': ONE, 'manager.b': -given });
  });

  it('where the first hop takes all of it the sell token never comes to the router; where hops share it, once', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const transfersTo = async (terms: SwapTerms) => {
      const { logs } = await ground.chain.mustSend(terms.taker, await permittedCall(ground, terms));
      return logs.filter(({ address, topics }) => address === a && BigInt(topics[2] ?? 0) === BigInt(ground.router)).length;
    };
    for (const venue of ['v2', 'v3'] as const) {
      expect(await ground.chain.apart(() => transfersTo(termsOf(ground, { legs: [hop(ground, venue, a, b)] })))).to.equal(0);
    }
    expect(await transfersTo(termsOf(ground, { legs: [hop(ground, 'v2', a, b, 5000), hop(ground, 'v3', a, b)] }))).to.equal(1);
  });

  it('what a venue does not take stays with the taker, or comes back to it', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const { taker, deployer } = ground.accounts;
    await ground.chain.write(deployer, a, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[taker], MAX >> 40n]);
    const huge = asWei(10n ** 45n);
    const byWhole = termsOf(ground, { sellAmount: huge, legs: [hop(ground, 'v3', a, b)] });
    const byHalves = termsOf(ground, { sellAmount: huge, legs: [hop(ground, 'v3', a, b, 5000), hop(ground, 'v3', a, c), hop(ground, 'v2', c, b)] });
    for (const terms of [byWhole, byHalves]) {
      await ground.chain.apart(async () => {
        let sold = 0n;
        const moved = await changes(ground, watched(ground), async () => {
          sold = (await settlePermitted(ground, terms)).sellAmount;
        });
        expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.b']);
        expect(moved['taker.a']).to.equal(-sold);
        expect(sold < huge).to.equal(true);
      });
    }
  });

  it('a token that taxes transfers is taxed once on the way to a pair that takes all, and measured where it comes to the router', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    await setToken(ground, a, 0, 100, NOBODY);
    const afterTax = (amount: bigint) => amount - amount / 100n;
    // Permit2 pays the pair.
    const whole = pairOutput(afterTax(ONE));
    // It pays the router, and that the pair, twice.
    const half = afterTax(ONE) / 2n;
    const first = { taken: afterTax(half), given: pairOutput(afterTax(half)) };
    const halves = first.given + pairOutput(afterTax(afterTax(ONE) - half), first);
    for (const [legs, expected] of [
      [[hop(ground, 'v2', a, b, 10_000, true)], whole],
      [[hop(ground, 'v2', a, b, 5000, true), hop(ground, 'v2', a, b, 10_000, true)], halves],
    ] as const) {
      await ground.chain.apart(async () => {
        const moved = await changes(ground, watched(ground), () => settlePermitted(ground, termsOf(ground, { legs, minBuyAmount: asWei(expected) })));
        expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': expected });
      });
    }
  });

  it('a taker with code answers for its signature by ERC-1271; what it does when it is asked changes nothing (K25, Odos limit orders 2025)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { recipient, deployer, stranger } = ground.accounts;
    const { chain, contracts } = ground;
    const kind = contractOf(contracts, 'SigningWallet');
    const wallet = await chain.create(stranger, kind);
    await chain.write(deployer, a, contractOf(contracts, 'TrickToken').abi, 'mint', [[wallet], ONE]);
    const run = (to: Address, data: Hex) => chain.write(stranger, wallet, kind.abi, 'run', [to, data]);
    await run(a, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ground.permit2, MAX] }));
    const terms = termsOf(ground, { taker: wallet, legs: [hop(ground, 'v3', a, b)] });
    const { to, data = '0x' } = await permittedCall(ground, terms, { signer: stranger });
    // Only the wallet itself can use what it would sign.
    for (const caller of [stranger, ground.accounts.taker]) expect((await chain.attempt(caller, { to, data })).ok).to.equal(false);
    const moved = await chain.apart(() => changes(ground, { wallet, recipient }, () => run(to, data)));
    expect(Object.keys(moved)).to.deep.equal(['wallet.a', 'recipient.b']);
    expect(moved['wallet.a']).to.equal(-ONE);
    // A wallet that writes when it is asked can not: Permit2 asks it by a static call.
    const writing = await createPuppet(ground, wallet);
    await writing.teach('isValidSignature(bytes32,bytes)', { answer: padHex('0x1626ba7e', { size: 32, dir: 'right' }) });
    await writing.play([{ to, data }]);
    expect(await writing.outcomes()).to.deep.equal(['VenueReverted']);
  });

  it('a signature that no venue asks for is not used up, and nothing of it is left', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const idle = await createPuppet(ground);
    const terms = termsOf(ground, { legs: [{ ...hop(ground, 'v3', a, b), pool: idle.address }] });
    expectError(await ground.chain.attempt(terms.taker, await permittedCall(ground, terms)), 'CallbackMissing');
    expect(await isNonceUsed(ground, terms)).to.equal(false);
    await settlePermitted(ground, termsOf(ground, { legs: [hop(ground, 'v3', a, b)] }));
    expect(await isNonceUsed(ground, terms)).to.equal(true);
  });

  it('every transient slot of the router is zero at the end (K-inv 6)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    // The lock; three of a call back; five of a signature that waits for its hop.
    for (const [legs, written] of [
      [[hop(ground, 'v3', a, b)], 9],
      [[hop(ground, 'v2', a, b)], 6],
      [[hop(ground, 'v2', a, b, 5000), hop(ground, 'v3', a, b)], 4],
    ] as const) {
      const slots = await transientSlots(ground, await permittedCall(ground, termsOf(ground, { legs })));
      expect(slots.size).to.equal(written);
      expect([...slots.values()].every((value) => value === 0n)).to.equal(true);
    }
  });

  it('native token is not sold by a signature; native value does not come with one (S15, K16)', async () => {
    const ground = here.current();
    const { b, weth } = ground.tokens;
    const native = termsOf(ground, { sellToken: NATIVE_TOKEN, legs: [wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, b)] });
    expectError(await ground.chain.attempt(native.taker, await permittedCall(ground, native)), 'FundingMismatch');
    const sold = termsOf(ground, { legs: [hop(ground, 'v3', ground.tokens.a, b)] });
    expectError(await ground.chain.attempt(sold.taker, { ...(await permittedCall(ground, sold)), value: 1n }), '0x');
  });
});
