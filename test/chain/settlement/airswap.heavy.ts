import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, type Hex, padHex, size, sliceHex } from 'viem';
import { encodePayload, ROUTER_ABI, type SwapTerms } from '../../../src/building/building.ts';
import { type Address, asBps, asWei, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import type { SignedOrder } from '../../../src/venues/airswap/signed-order.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { type AirSwapGround, layAirSwap, SWAP_ERC20_ABI } from '../../support/settlement/airswap.ts';
import { contractOf, hop, MAX, ONE, pairOutput, takerCall, termsOf, useGround } from '../../support/settlement/ground.ts';
import { approvePermit2, settlePermitted } from '../../support/settlement/permit2.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { changes, execData, mint, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const HOOK = 'onTransfer(address,address,uint256)';
const SWAP = 'swap(address,uint256,uint256,address,address,uint256,address,uint256,uint8,bytes32,bytes32)';
const CUT_AT_ONCE = 32;
/** Draws of whose funds an order names and whose key signed it; a slice of them is for every day. */
const DRAWS = FULL_SCALE ? 500 : 8;

describe('the leg of AirSwap’s orders, through SwapERC20 as AirSwap compiled it', function () {
  this.timeout(300_000);
  const here = useGround();
  let laid: AirSwapGround;

  before(async () => {
    laid = await layAirSwap(here.current());
  });

  const approved = (token: Address) => laid.ground.chain.read(token, erc20Abi, 'allowance', [laid.ground.router, laid.settlement]);

  /** A swap of one order, whose floor is what was signed. */
  const termsFor = (order: SignedOrder, more: Partial<SwapTerms> = {}): SwapTerms => {
    const { senderToken, signerToken, senderAmount, signerAmount } = order;
    const amounts = { sellAmount: asWei(senderAmount), buyAmount: asWei(signerAmount), minBuyAmount: asWei(signerAmount) };
    return termsOf(laid.ground, { sellToken: senderToken, buyToken: signerToken, ...amounts, legs: [laid.leg(order)], ...more });
  };

  it('gives what was signed, to the wei, from the taker and by Permit2, direct and with custody; the maker pays AirSwap’s fee, and nothing stays approved', async () => {
    const { ground, maker, feeWallet, sign } = laid;
    const { taker, recipient } = ground.accounts;
    const { a, b, n } = ground.tokens;
    await approvePermit2(ground, taker);
    const random = seededRandom('orders');
    for (let i = 0; i < 6; i++) {
      const [senderToken, signerToken] = random.pick([
        [a, b],
        [b, a],
        [n, b],
        [a, n],
      ] as const);
      const [senderAmount, signerAmount] = [1n + random.logUniform(500n * ONE), 1n + random.logUniform(500n * ONE)];
      await mint(ground, senderToken, taker, senderAmount);
      const order = await sign({ senderToken, signerToken, senderAmount, signerAmount });
      const name = (token: Address) => Object.entries(ground.tokens).find(([, known]) => known === token)?.[0];
      const terms = termsFor(order, {
        surplus: random.pick(['taker', 'protocol']),
        tag: `0x${(i + 1).toString(16).padStart(32, '0')}${'00'.repeat(16)}` as Hex,
      });
      const moved = await changes(ground, { taker, recipient, maker, feeWallet, router: ground.router }, () =>
        random.chance(0.4) ? settlePermitted(ground, terms) : settle(ground, terms),
      );
      const fee = (signerAmount * 5n) / 10_000n;
      expect(moved, `BRAID_SEED=${SEED} ${i}`).to.deep.equal({
        [`taker.${name(senderToken)}`]: -senderAmount,
        [`recipient.${name(signerToken)}`]: signerAmount,
        [`maker.${name(senderToken)}`]: senderAmount,
        [`maker.${name(signerToken)}`]: -signerAmount - fee,
        ...(fee === 0n ? {} : { [`feeWallet.${name(signerToken)}`]: fee }),
      });
      expect([await approved(senderToken), await approved(signerToken)]).to.deep.equal([0n, 0n]);
    }
  });

  it('in the middle of a route takes just what was signed: a wei more or less before it changes nothing, the rest is the next hop’s, or swept to the taker', async () => {
    const { ground, sign, leg } = laid;
    const { a, b, c } = ground.tokens;
    const { taker, recipient, router } = { ...ground.accounts, router: ground.router };
    const came = pairOutput(ONE);
    for (const ordered of [came, came - 1n, came - came / 200n]) {
      const order = await sign({ senderToken: b, signerToken: c, senderAmount: ordered, signerAmount: ONE / 2n });
      const terms = termsOf(ground, { buyToken: c, minBuyAmount: asWei(ONE / 2n), legs: [hop(ground, 'v2', a, b), leg(order)] });
      const moved = await ground.chain.apart(() => changes(ground, { taker, recipient, router }, () => settle(ground, terms)));
      const left = came - ordered;
      expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.c': ONE / 2n, ...(left === 0n ? {} : { 'taker.b': left }) });
    }
    // Beside a pool that takes all that is left.
    const half = came / 2n - 1n;
    const order = await sign({ senderToken: b, signerToken: c, senderAmount: half, signerAmount: ONE / 2n });
    const legs = [hop(ground, 'v2', a, b), leg(order, 5000), hop(ground, 'v2', b, c)];
    const moved = await ground.chain.apart(() => changes(ground, { taker, recipient, router }, () => settle(ground, termsOf(ground, { buyToken: c, legs }))));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.c': ONE / 2n + pairOutput(came - half) });
    // Upstream gives less than was signed for: the swap reverts, and says why.
    const dearer = await sign({ senderToken: b, signerToken: c, senderAmount: came + 1n, signerAmount: ONE / 2n });
    const short = await refuse(ground, termsOf(ground, { buyToken: c, legs: [hop(ground, 'v2', a, b), leg(dearer)] }), 'OrderNotFunded');
    expect(short).to.deep.equal([came, came + 1n]);
  });

  it('in `buy` the recipient gets the target, what is given beyond it is the protocol’s, and what the order leaves of the sell token is the taker’s', async () => {
    const { ground, sign } = laid;
    const { taker, recipient, collector } = ground.accounts;
    const order = await sign();
    const target = order.signerAmount - 7n;
    const terms = termsFor(order, { mode: 'buy', sellAmount: asWei(ONE + 5n), buyAmount: asWei(target), minBuyAmount: asWei(target) });
    const moved = await changes(ground, { taker, recipient, collector, router: ground.router }, () => settle(ground, terms));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': target, 'collector.b': 7n });
    const short = await sign();
    await refuse(ground, termsFor(short, { mode: 'buy', buyAmount: asWei(short.signerAmount + 1n) }), 'BelowMinimum');
  });

  it('an order that was settled, cancelled, has expired, is another chain’s, contract’s or Router’s, or is not what its maker signed: the swap reverts (K7)', async () => {
    const { ground, maker, settlement, sign, leg } = laid;
    const { taker, stranger, victim } = ground.accounts;
    const settled = await sign();
    await settle(ground, termsFor(settled));
    await mint(ground, ground.tokens.a, taker, ONE);
    await refuse(ground, termsFor(settled), 'VenueReverted');
    const cancelled = await sign();
    await ground.chain.write(maker, settlement, SWAP_ERC20_ABI, 'cancel', [[cancelled.nonce]]);
    await refuse(ground, termsFor(cancelled), 'VenueReverted');
    const { timestamp } = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
    await refuse(ground, termsFor(await sign({ expiry: BigInt(timestamp) })), 'VenueReverted');
    for (const changed of [
      { domain: { chainId: 1 } },
      { domain: { verifyingContract: stranger } },
      { domain: { version: '4.2' } },
      { senderWallet: taker },
      { senderWallet: ZERO_ADDRESS },
      { protocolFee: 4n },
      { signer: stranger },
    ] as const)
      await refuse(ground, termsFor(await sign(changed)), 'VenueReverted');
    const order = await sign();
    const forged: Partial<SignedOrder>[] = [
      { nonce: order.nonce + 1_000n },
      { expiry: order.expiry + 1n },
      { signerWallet: victim },
      { signerAmount: order.signerAmount + 1n },
      { senderAmount: order.senderAmount - 1n },
      { v: 55 - order.v },
      { r: order.s },
    ];
    for (const part of forged) await refuse(ground, termsFor(order, { legs: [leg({ ...order, ...part })] }), 'VenueReverted');
    // Tokens are the hop's: an order for others is signed by nobody.
    await refuse(ground, termsFor(order, { buyToken: ground.tokens.c, legs: [{ ...leg(order), tokenOut: ground.tokens.c }] }), 'VenueReverted');
    // Partly filled: not to be had. And it still stands.
    await refuse(ground, termsFor(order, { sellAmount: asWei(order.senderAmount - 1n) }), 'OrderNotFunded');
    await settle(ground, termsFor(order));
    // A fee that AirSwap changed after it was signed over.
    const before = await sign();
    await ground.chain.write(ground.accounts.deployer, settlement, SWAP_ERC20_ABI, 'setProtocolFee', [6n]);
    await refuse(ground, termsFor(before), 'VenueReverted');
  });

  it('funds move from nobody whose key did not sign: another’s wallet, the taker’s, the Router’s, and signers that authorise themselves (K8, TrustedVolumes 2026)', async () => {
    const { ground, settlement, sign, leg } = laid;
    const { taker, victim, stranger } = ground.accounts;
    const { a, b } = ground.tokens;
    // All of them let SwapERC20 take what they have, and the Router has something by mistake.
    for (const account of [taker, victim]) await ground.chain.write(account, b, erc20Abi, 'approve', [settlement, MAX]);
    await mint(ground, b, ground.router, ONE);
    await ground.chain.write(stranger, settlement, SWAP_ERC20_ABI, 'authorize', [stranger]);
    for (const signerWallet of [victim, taker, ground.router, ground.allowanceHolder, settlement, ZERO_ADDRESS]) {
      const order = await sign({ signerWallet, signer: stranger });
      await refuse(ground, termsFor(order), 'VenueReverted');
    }
    // Who authorised another is served by that one's signature, and by no more than what it says.
    await ground.chain.write(laid.maker, settlement, SWAP_ERC20_ABI, 'authorize', [stranger]);
    await settle(ground, termsFor(await sign({ signer: stranger })));
    await refuse(ground, termsFor(await sign()), 'VenueReverted');
    // What holds allowances never stands in the place of SwapERC20, and who has no code neither.
    const order = await sign({ signer: stranger });
    for (const none of [ZERO_ADDRESS, ground.allowanceHolder, ground.permit2, ground.router, stranger])
      await refuse(ground, termsFor(order, { legs: [leg(order, 10_000, none)] }), 'NotAVenue');
    await refuse(ground, termsFor(order, { sellToken: NATIVE_TOKEN, legs: [{ ...leg(order), tokenIn: NATIVE_TOKEN }] }), 'VenueReverted');
    expect(await ground.balance(a, ground.router)).to.equal(0n);
  });

  /** All whose funds a swap could reach. */
  const everybody = () => {
    const { ground, maker, feeWallet, settlement } = laid;
    const { taker, victim, recipient, stranger, collector } = ground.accounts;
    return { taker, victim, recipient, stranger, collector, maker, feeWallet, settlement, router: ground.router, allowanceHolder: ground.allowanceHolder };
  };

  /** What a swap by an order of `signer` has to change: the funds of its taker, its recipient and whoever signed, and AirSwap's fee. */
  function expectedChanges(signer: string, { senderAmount, signerAmount }: SignedOrder): Readonly<Record<string, bigint>> {
    const fee = (signerAmount * 5n) / 10_000n;
    const sums = new Map<string, bigint>();
    for (const [place, change] of [
      ['taker.a', -senderAmount],
      [`${signer}.a`, senderAmount],
      [`${signer}.b`, -signerAmount - fee],
      ['recipient.b', signerAmount],
      ['feeWallet.b', fee],
    ] as const)
      sums.set(place, (sums.get(place) ?? 0n) + change);
    return Object.fromEntries([...sums].filter(([, change]) => change !== 0n));
  }

  async function allowSettlement(): Promise<void> {
    const { ground, settlement } = laid;
    const { taker, victim } = ground.accounts;
    for (const account of [taker, victim]) await ground.chain.write(account, ground.tokens.b, erc20Abi, 'approve', [settlement, MAX]);
    await mint(ground, ground.tokens.b, ground.router, ONE);
  }

  it(`in ${DRAWS} draws of whose funds an order names and whose key signed it, funds move only from an address whose key signed, and of nobody else (K8)`, async () => {
    const { ground, maker, sign } = laid;
    const { taker, victim, stranger } = ground.accounts;
    await allowSettlement();
    const wallets = { victim, taker, maker, router: ground.router };
    const keys = { stranger, maker, taker, victim };
    const random = seededRandom('whose key signed');
    const tally = { settled: 0, refused: 0 };
    for (let i = 0; i < DRAWS; i++) {
      // The first two are one of each, whatever is drawn after them.
      const wallet = i === 0 ? 'maker' : i === 1 ? 'victim' : random.pick(['victim', 'taker', 'maker', 'router'] as const);
      const key = i === 0 ? 'maker' : i === 1 ? 'stranger' : random.pick(['stranger', 'maker', 'taker', 'victim'] as const);
      const [senderAmount, signerAmount] = [1n + random.logUniform(10n * ONE), 1n + random.logUniform(10n * ONE)];
      const order = await sign({ signerWallet: wallets[wallet], signer: keys[key], senderAmount, signerAmount });
      const terms = termsFor(order);
      const context = `BRAID_SEED=${SEED} ${i}: ${wallet}, signed by ${key}`;
      const moved = await changes(ground, everybody(), async () => {
        if (wallet === key) await settle(ground, terms);
        else expect((await ground.chain.send(taker, takerCall(ground, terms))).ok, context).to.equal(false);
      });
      expect(moved, context).to.deep.equal(wallet === key ? expectedChanges(wallet, order) : {});
      tally[wallet === key ? 'settled' : 'refused']++;
    }
    expect(tally.settled, JSON.stringify(tally)).to.be.at.least(FULL_SCALE ? DRAWS / 10 : 1);
    expect(tally.refused, JSON.stringify(tally)).to.be.at.least(FULL_SCALE ? DRAWS / 10 : 1);
  });

  it('a taker who is the maker as well, by its own signature, moves its own funds and nobody else’s; the Router is never a maker (K8)', async () => {
    const { ground, sign } = laid;
    const { taker } = ground.accounts;
    await allowSettlement();
    const order = await sign({ signerWallet: taker, signer: taker });
    const moved = await changes(ground, everybody(), () => settle(ground, termsFor(order)));
    expect(moved).to.deep.equal(expectedChanges('taker', order));
    // Who would pay itself gains nothing by the swap, which says so and reverts.
    await refuse(ground, termsFor(await sign({ signerWallet: taker, signer: taker }), { recipient: taker }), 'BalanceFell');
    // It signs for itself alone: for whoever else it names, the Router with what it has by mistake among them, nothing is settled.
    for (const signerWallet of [ground.router, ground.allowanceHolder, ground.accounts.victim, laid.maker])
      await refuse(ground, termsFor(await sign({ signerWallet, signer: taker })), 'VenueReverted');
  });

  it('a maker’s wallet that enters the allowance holder, the Router, SwapERC20 and its tokens while it is asked whether it signed changes nothing: it is asked by a static call (K6, K25)', async () => {
    const { ground, settlement, sign, leg } = laid;
    const { a, b } = ground.tokens;
    const { stranger } = ground.accounts;
    const kind = contractOf(ground.contracts, 'ReenteringWallet');
    const wallet = await ground.chain.create(stranger, kind);
    const run = (to: Address, data: Hex) => ground.chain.write(stranger, wallet, kind.abi, 'run', [to, data]);
    const teach = (steps: readonly PuppetStep[], succeeds: boolean) =>
      ground.chain.write(stranger, wallet, kind.abi, 'teach', [steps.map(({ to: target, data = '0x' }) => ({ target, data, succeeds }))]);
    for (const token of [a, b]) await mint(ground, token, wallet, 10n * ONE);
    await run(b, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [settlement, MAX] }));
    await run(a, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ground.allowanceHolder, MAX] }));
    const inner = await sign({ senderAmount: 5n, signerAmount: 3n });
    const innerTerms = termsFor(inner, { taker: wallet, recipient: stranger });
    const entered: readonly PuppetStep[] = [
      { to: ground.allowanceHolder, data: execData(ground.router, a, 5n, encodePayload(innerTerms)) },
      { to: settlement, data: encodeFunctionData({ abi: SWAP_ERC20_ABI, functionName: 'cancel', args: [[77n]] }) },
      { to: settlement, data: encodeFunctionData({ abi: SWAP_ERC20_ABI, functionName: 'authorize', args: [stranger] }) },
      { to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 7n] }) },
      { to: b, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, MAX] }) },
    ];
    // All of them are there for the wallet to do at any other time: that they fail is of the moment alone.
    for (const { to, data = '0x' } of entered) {
      const moved = await ground.chain.apart(() => changes(ground, { wallet, stranger, maker: laid.maker }, () => run(to, data)));
      expect(moved).to.deep.equal(
        to === ground.allowanceHolder
          ? { 'wallet.a': -5n, 'maker.a': 5n, 'maker.b': -3n, 'stranger.b': 3n }
          : to === a
            ? { 'wallet.a': -7n, 'stranger.a': 7n }
            : {},
      );
    }
    const own = { ...everybody(), wallet };
    const signedOrder = () => sign({ signerWallet: wallet, signer: stranger });
    const settled = async () => {
      const order = await signedOrder();
      const moved = await ground.chain.apart(() => changes(ground, own, () => settle(ground, termsFor(order))));
      expect(moved).to.deep.equal(expectedChanges('wallet', order));
    };
    // It says that it signed only where every one of them failed: they were made, in the middle of the swap.
    await teach(entered, false);
    await settled();
    for (const step of entered) {
      await teach([step], true);
      await refuse(ground, termsFor(await signedOrder()), 'VenueReverted');
    }
    // The Router's own doors, which fail for more reasons than that, and what a static call allows: to read.
    await teach([{ to: ground.router, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swap', args: [encodePayload(innerTerms)] }) }], false);
    await settled();
    await teach([{ to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [ground.router] }) }], true);
    await settled();
    // A wallet that writes when it is asked has not signed, whatever it answers.
    const order = await signedOrder();
    const writing = await createPuppet(ground, wallet);
    await writing.teach('isValidSignature(bytes32,bytes)', {
      steps: [{ to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }) }],
      answer: padHex('0x1626ba7e', { size: 32, dir: 'right' }),
    });
    await refuse(ground, termsFor(order, { legs: [leg(order)] }), 'VenueReverted');
  });

  it('a maker that is a contract is asked by a static call whether it signed; hooks of its tokens and of the taker’s reach nothing (K6)', async () => {
    const { ground, settlement, sign, leg } = laid;
    const { a, b } = ground.tokens;
    const { taker, recipient, stranger } = ground.accounts;
    const wallet = await ground.chain.create(stranger, contractOf(ground.contracts, 'SigningWallet'));
    await mint(ground, b, wallet, 10n * ONE);
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [settlement, MAX] });
    await ground.chain.write(stranger, wallet, contractOf(ground.contracts, 'SigningWallet').abi, 'run', [b, approve]);
    await settle(ground, termsFor(await sign({ signerWallet: wallet, signer: stranger })));
    // A token that calls its holders calls the Router, the allowance holder and SwapERC20 in the middle of the swap.
    const hook = await createPuppet(ground);
    const inner = await sign({ senderAmount: 1n, signerAmount: 1n });
    const innerTerms = termsFor(inner, { taker: hook.address, recipient: hook.address });
    const innerPayload = encodePayload(innerTerms);
    const executed = encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swap', args: [innerPayload] });
    const steps: readonly PuppetStep[] = [
      { to: ground.router, data: executed },
      { to: ground.allowanceHolder, data: execData(ground.router, a, 1n, innerPayload) },
      { to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [ground.router, hook.address, 1n] }) },
      { to: settlement, data: encodeFunctionData({ abi: SWAP_ERC20_ABI, functionName: 'cancel', args: [[inner.nonce]] }) },
    ];
    await mint(ground, a, hook.address, ONE);
    await hook.play([{ to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ground.allowanceHolder, MAX] }) }]);
    for (const token of [a, b]) {
      await ground.chain.apart(async () => {
        await hook.teach(HOOK, { steps: [hook.teachCall(HOOK, {}), ...steps] });
        await setToken(ground, token, 0, 0, hook.address);
        const order = await sign();
        const moved = await changes(ground, { taker, recipient, hook: hook.address, router: ground.router }, () => settle(ground, termsFor(order)));
        expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': order.signerAmount });
        expect((await hook.outcomes()).slice(-steps.length)).to.deep.equal(['Reentered', 'Reentered', 'Error', 'ok']);
      });
    }
    // Input of a token that taxes transfers does not fund an order.
    await setToken(ground, a, 0, 100, ZERO_ADDRESS);
    await refuse(ground, termsFor(await sign(), { minBuyAmount: asWei(0n) }), 'VenueReverted');
    await setToken(ground, a, 0, 0, ZERO_ADDRESS);
    // Whatever stands in the place of SwapERC20 gets the hop's input at most, and its output is held to the floor.
    const thief = await createPuppet(ground);
    const take = (amount: bigint): PuppetStep => ({
      to: a,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [ground.router, thief.address, amount] }),
      bubbles: true,
    });
    await mint(ground, a, ground.router, ONE);
    const order = await sign();
    const trick = [leg(order, 10_000, thief.address)];
    await thief.teach(SWAP, { steps: [take(ONE + 1n)] });
    await refuse(ground, termsFor(order, { legs: trick }), 'VenueReverted');
    await thief.teach(SWAP, { steps: [take(ONE)] });
    await refuse(ground, termsFor(order, { legs: trick }), 'BelowMinimum');
    await thief.teach(SWAP, { steps: [take(ONE / 2n)] });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () =>
      settle(ground, termsFor(order, { minBuyAmount: asWei(0n), legs: trick })),
    );
    expect(moved).to.deep.equal({ 'taker.a': -ONE / 2n });
    expect(await ground.chain.read(a, erc20Abi, 'allowance', [ground.router, thief.address])).to.equal(0n);
  });

  it('calldata cut at every byte reverts, and a Router without the leg refuses it', async () => {
    const { ground, sign } = laid;
    const order = await sign();
    const terms = termsFor(order, { fee: { feeBps: asBps(30), partner: ground.accounts.partner, partnerShareBps: asBps(8500) }, minBuyAmount: asWei(1n) });
    const payload = encodePayload(terms);
    const callOf = (data: Hex) => ({ to: ground.allowanceHolder, data: execData(ground.router, terms.sellToken, terms.sellAmount, data) });
    const cuts = Array.from({ length: size(payload) }, (_, bytes) => callOf(bytes === 0 ? '0x' : sliceHex(payload, 0, bytes)));
    const found = new Map<string, number>();
    for (let start = 0; start < cuts.length; start += CUT_AT_ONCE) {
      for (const ending of await Promise.all(cuts.slice(start, start + CUT_AT_ONCE).map((call) => ground.chain.attempt(ground.accounts.taker, call)))) {
        const name = ending.ok ? 'ok' : ending.error;
        found.set(name, (found.get(name) ?? 0) + 1);
      }
    }
    // Without the hop nothing comes: the floor refuses it.
    expect([...found.keys()].sort()).to.deep.equal(['BelowMinimum', 'PayloadMalformed']);
    expect(found.get('BelowMinimum')).to.equal(1);
    await refuse(here.current(), termsFor(order), 'LegUnknown');
    await settle(ground, terms);
  });
});
