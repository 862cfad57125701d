import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, toEventSelector } from 'viem';
import type { SurplusPolicy, SwapTerms } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { contractOf, type Ground, hop, ONE, takerCall, termsOf, through, useGround, wrap } from '../../support/settlement/ground.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { callbackData, changes, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const NOBODY = asAddress(`0x${'0'.repeat(40)}`);
const V3_SWAP = 'swap(address,bool,int256,uint160,bytes)';
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const VENUES = ['v2', 'v3'] as const;

describe('direct delivery: where nothing can be kept of what hops bring, the last pool pays the recipient', function () {
  this.timeout(300_000);
  const here = useGround();

  /** Who paid the buy token to whom in a swap, by the token's own events. */
  async function paymentsOf(ground: Ground, terms: SwapTerms): Promise<readonly (readonly [string, string])[]> {
    const names = new Map<string, string>([[ground.router, 'router'], ...Object.entries(ground.accounts).map(([name, account]) => [account, name] as const)]);
    const receipt = await ground.chain.mustSend(terms.taker, takerCall(ground, terms));
    const name = (topic = '0x') => names.get(`0x${topic.slice(-40)}`) ?? 'pool';
    return receipt.logs
      .filter(({ address, topics }) => address === terms.buyToken && topics[0] === TRANSFER)
      .map(({ topics }) => [name(topics[1]), name(topics[2])] as const);
  }

  it('by every pool, in a split, at the end of a longer route, and for the taker as recipient', async () => {
    const ground = here.current();
    const { a, b, c, weth } = ground.tokens;
    const direct = [['pool', 'recipient']];
    for (const venue of VENUES) {
      expect(await paymentsOf(ground, termsOf(ground, { legs: [hop(ground, venue, a, b)] }))).to.deep.equal(direct);
      expect(await paymentsOf(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, c), hop(ground, venue, c, b)] }))).to.deep.equal(direct);
    }
    const split = [hop(ground, 'v2', a, b, 3000), hop(ground, 'v3', a, b, 5000), hop(ground, 'v3', a, weth), hop(ground, 'v2', weth, b)];
    expect(await paymentsOf(ground, termsOf(ground, { legs: split }))).to.deep.equal([...direct, ...direct, ...direct]);
    const own = termsOf(ground, { recipient: ground.accounts.taker, legs: [hop(ground, 'v3', a, b)] });
    expect(await paymentsOf(ground, own)).to.deep.equal([['pool', 'taker']]);
  });

  it('what is delivered is what custody delivers, to the wei; the floor is met exactly, and no wei above it', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const { recipient } = ground.accounts;
    for (const legs of [
      [hop(ground, 'v2', a, b)],
      [hop(ground, 'v3', a, b)],
      [hop(ground, 'v2', a, b, 4321), hop(ground, 'v3', a, c), hop(ground, 'v2', c, b, 9000), hop(ground, 'v3', c, b)],
    ]) {
      // A quote above what comes leaves no surplus to keep.
      const custody = termsOf(ground, { surplus: 'protocol', buyAmount: asWei(2n * ONE), legs });
      const { buyAmount } = await ground.chain.apart(() => settle(ground, custody));
      const direct = termsOf(ground, { minBuyAmount: asWei(buyAmount), legs });
      const moved = await ground.chain.apart(() => changes(ground, { recipient, router: ground.router }, () => settle(ground, direct)));
      expect(moved).to.deep.equal({ 'recipient.b': buyAmount });
      expect(await refuse(ground, { ...direct, minBuyAmount: asWei(buyAmount + 1n) }, 'BelowMinimum')).to.deep.equal([buyAmount, buyAmount + 1n]);
    }
  });

  it('capture is never dropped: with a fee, with another policy, in buy, and for native the router is between', async () => {
    const ground = here.current();
    const { a, b, weth } = ground.tokens;
    const fee = { feeBps: asBps(1), partner: ground.accounts.partner, partnerShareBps: asBps(0) };
    const legs = [hop(ground, 'v3', a, b)];
    const quoted = { buyAmount: asWei(ONE / 2n), legs };
    const kept = [
      ['pool', 'router'],
      ['router', 'collector'],
      ['router', 'recipient'],
    ];
    for (const surplus of ['protocol', 'shared'] satisfies readonly SurplusPolicy[]) {
      expect(await paymentsOf(ground, termsOf(ground, { ...quoted, surplus })), surplus).to.deep.equal(kept);
    }
    expect(await paymentsOf(ground, termsOf(ground, { ...quoted, fee, surplus: 'taker' }))).to.deep.equal(kept);
    expect(await paymentsOf(ground, termsOf(ground, { ...quoted, mode: 'buy', surplus: 'taker' }))).to.deep.equal(kept);
    // A fee block of nothing keeps nothing.
    const nothing = termsOf(ground, { ...quoted, fee: { ...fee, feeBps: asBps(0) }, surplus: 'taker' });
    expect(await paymentsOf(ground, nothing)).to.deep.equal([['pool', 'recipient']]);
    const native = termsOf(ground, { buyToken: NATIVE_TOKEN, legs: [hop(ground, 'v3', a, weth), wrap(weth, NATIVE_TOKEN)] });
    const moved = await changes(ground, { recipient: ground.accounts.recipient, router: ground.router }, () => settle(ground, native));
    expect(Object.keys(moved)).to.deep.equal(['recipient.native']);
    const wrapping = termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: weth, minBuyAmount: asWei(ONE), legs: [wrap(NATIVE_TOKEN, weth)] });
    expect(await changes(ground, { recipient: ground.accounts.recipient, router: ground.router }, () => settle(ground, wrapping))).to.deep.equal({
      'recipient.weth': ONE,
    });
  });

  it('a recipient that passes on at once what it gets has nothing to measure: the floor refuses, as it does with custody', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { stranger } = ground.accounts;
    const forwarder = await createPuppet(ground);
    const passing = { to: b, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, ONE / 2n] }) };
    await forwarder.teach('onTransfer(address,address,uint256)', { steps: [passing] });
    await setToken(ground, b, 0, 0, forwarder.address);
    for (const venue of VENUES) {
      for (const surplus of ['taker', 'protocol'] as const) {
        const terms = termsOf(ground, { recipient: forwarder.address, buyAmount: asWei(2n * ONE), surplus, legs: [hop(ground, venue, a, b)] });
        await refuse(ground, { ...terms, minBuyAmount: asWei((9n * ONE) / 10n) }, 'BelowMinimum');
        await ground.chain.apart(async () => {
          const moved = await changes(ground, { stranger, forwarder: forwarder.address }, async () => {
            const { buyAmount } = await settle(ground, terms);
            expect(buyAmount < ONE / 2n).to.equal(true);
          });
          expect(moved['stranger.b']).to.equal(ONE / 2n);
        });
      }
    }
  });

  it('a recipient that is the pool, or another pool of the route, can not pass the floor with what was there or comes otherwise', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const floor = { minBuyAmount: asWei(1n) };
    for (const venue of VENUES) {
      const pool = ground.pool(venue, a, b);
      const ending = await ground.chain.attempt(
        ground.accounts.taker,
        takerCall(ground, termsOf(ground, { ...floor, recipient: pool, legs: [hop(ground, venue, a, b)] })),
      );
      // It pays itself: nothing is gained there, or it refuses.
      expect(ending.ok ? 'went through' : ending.error).to.be.oneOf(['BelowMinimum', 'VenueReverted']);
    }
    // The pool that buys c is the recipient of b: it holds b already, and gets c in between. Only the b that comes counts.
    const middle = ground.pool('v2', c, b);
    const legs = [hop(ground, 'v2', a, b, 5000), hop(ground, 'v2', a, c), hop(ground, 'v3', c, b)];
    const { buyAmount } = await ground.chain.apart(() => settle(ground, termsOf(ground, { legs })));
    const given = termsOf(ground, { recipient: middle, minBuyAmount: asWei(buyAmount), legs });
    expect(await ground.chain.apart(() => changes(ground, { middle }, () => settle(ground, given)))).to.deep.equal({ 'middle.b': buyAmount });
    await refuse(ground, { ...given, minBuyAmount: asWei(buyAmount + 1n) }, 'BelowMinimum');
  });

  it('the router and the allowance holder are no recipients', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    for (const recipient of [ground.router, ground.allowanceHolder, NOBODY]) {
      for (const venue of VENUES) await refuse(ground, termsOf(ground, { recipient, legs: [hop(ground, venue, a, b)] }), 'NotAReceiver');
    }
  });

  it('of a token that taxes transfers the recipient gets what is left after one tax, and that is what the floor is held against', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { recipient } = ground.accounts;
    for (const venue of VENUES) {
      await ground.chain.apart(async () => {
        const terms = termsOf(ground, { legs: [hop(ground, venue, a, b)] });
        const untaxed = await ground.chain.apart(async () => (await settle(ground, terms)).buyAmount);
        await setToken(ground, b, 0, 300, NOBODY);
        const taxed = untaxed - (untaxed * 300n) / 10_000n;
        await refuse(ground, { ...terms, minBuyAmount: asWei(taxed + 1n) }, 'BelowMinimum');
        const moved = await changes(ground, { recipient }, () => settle(ground, { ...terms, minBuyAmount: asWei(taxed) }));
        expect(moved).to.deep.equal({ 'recipient.b': taxed });
      });
    }
  });

  it('a pool that pays somebody else, the router, or nobody is caught by the floor', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { stranger, deployer } = ground.accounts;
    for (const paid of [stranger, ground.router, null]) {
      const pool = await createPuppet(ground);
      await ground.chain.write(deployer, b, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[pool.address], 10n * ONE]);
      const asking = { to: ground.router, data: callbackData('uniswapV3SwapCallback', ONE, -ONE), bubbles: true };
      const paying = (to: Address) => ({ to: b, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, ONE] }), bubbles: true });
      await pool.teach(V3_SWAP, { steps: paid === null ? [asking] : [paying(paid), asking] });
      await refuse(ground, termsOf(ground, { minBuyAmount: asWei(1n), legs: [through('v3', pool.address, a, b)] }), 'BelowMinimum');
    }
  });

  it('no hop spends what the recipient has already, nor what was given to the router', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    await ground.chain.write(ground.accounts.deployer, b, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[ground.router], 5n * ONE]);
    const legs = [hop(ground, 'v2', a, b), hop(ground, 'v2', b, c, 5000), hop(ground, 'v3', c, b)];
    await refuse(ground, termsOf(ground, { legs }), 'NothingToSpend');
    await settle(ground, termsOf(ground, { surplus: 'shared', legs }));
  });

  it('what a hook takes away from the recipient while the route runs is missing at the floor', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const { recipient } = ground.accounts;
    const legs = [hop(ground, 'v2', a, b, 5000), hop(ground, 'v2', a, c), hop(ground, 'v3', c, b)];
    const plain = await ground.chain.apart(async () => (await settle(ground, termsOf(ground, { legs }))).buyAmount);
    // The hook of c, moved between the two deliveries, spends what the recipient has allowed it.
    const thief = await createPuppet(ground);
    await ground.chain.write(recipient, b, erc20Abi, 'approve', [thief.address, ONE / 4n]);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [recipient, thief.address, ONE / 4n] });
    await thief.teach('onTransfer(address,address,uint256)', { steps: [{ to: b, data }] });
    await setToken(ground, c, 0, 0, thief.address);
    const terms = termsOf(ground, { minBuyAmount: asWei(plain - ONE / 4n), legs });
    expect(await refuse(ground, { ...terms, minBuyAmount: asWei(plain - ONE / 4n + 1n) }, 'BelowMinimum')).to.deep.equal([
      plain - ONE / 4n,
      plain - ONE / 4n + 1n,
    ]);
    expect((await settle(ground, terms)).buyAmount).to.equal(plain - ONE / 4n);
  });
});
