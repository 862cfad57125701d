import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { encodeSwapCall, type SwapTerms } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { contractOf, type Ground, hop, ONE, takerCall, termsOf, through, useGround, wrap } from '../../support/settlement/ground.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { callbackData, changes, expectError, setToken, swapEvents } from '../../support/settlement/swaps.ts';

const FEE_BPS = 100;
const PARTNER_BPS = 8500;
/** What the Router gives a receiver of native fees to use, and what calling it costs beside that. */
const MOST_GAS_OF_NATIVE_OFFER = 30_000 + 10_000;
const MOST_GAS_OF_TOKEN_OFFER = 300_000 + 10_000;
/** Code that reverts at whatever it is called with. */
const REVERTS: Hex = '0x5f5ffd';
/** Code that reverts at once where it has less than 25,000 gas, and gives back the rest. */
const WANTS_25_000_GAS: Hex = '0x5a6161a811600957005b5f5ffd';
const V3_SWAP = 'swap(address,bool,int256,uint160,bytes)';
const PAIR_ABI = parseAbi(['function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)']);

/** A limit that a wallet would set. */
const limitFor = (gasUsed: number) => Math.ceil(1.25 * gasUsed) + 20_000;

describe('receivers of fees can neither stop a swap nor spend its gas (decision B21)', function () {
  this.timeout(300_000);
  const here = useGround();

  /** 1 a into native, the fee to a partner. */
  function intoNative(ground: Ground, partner: Address, more: Partial<SwapTerms> = {}): SwapTerms {
    const { a, weth } = ground.tokens;
    const fee = { feeBps: asBps(FEE_BPS), partner, partnerShareBps: asBps(PARTNER_BPS) };
    return termsOf(ground, { buyToken: NATIVE_TOKEN, fee, legs: [hop(ground, 'v2', a, weth), wrap(weth, NATIVE_TOKEN)], ...more });
  }

  function glutton(ground: Ground, appetite: bigint): Promise<Address> {
    return ground.chain.create(ground.accounts.deployer, contractOf(ground.contracts, 'Glutton'), [appetite]);
  }

  /** What a swap changes for everybody who is paid, its fee, and its gas; taken back afterwards. `gas`: the transaction's limit. */
  async function outcome(ground: Ground, terms: SwapTerms, gas?: number) {
    const { taker, recipient, collector } = ground.accounts;
    const partner = terms.fee?.partner ?? recipient;
    return ground.chain.apart(async () => {
      let gasUsed = 0;
      let feeAmount = 0n;
      // Pairs write their price oracle once in a second: so that all swaps do, or none, each is ten seconds after the last block.
      const head = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
      await ground.chain.rpc.request('evm_setNextBlockTimestamp', Number(head.timestamp) + 10);
      const moved = await changes(ground, { taker, recipient, partner, collector, router: ground.router }, async () => {
        const receipt = await ground.chain.mustSend(taker, { ...takerCall(ground, terms), ...(gas === undefined ? {} : { gas }) });
        gasUsed = receipt.gasUsed;
        feeAmount = swapEvents(ground, receipt)[0]?.feeAmount ?? 0n;
      });
      return { moved, gasUsed, feeAmount };
    });
  }

  /** What is the same whoever takes the fee: what the recipient gets, and the fee in the event. */
  async function plainOutcome(ground: Ground, token = 'native', terms = intoNative(ground, ground.accounts.partner)) {
    const { moved, gasUsed, feeAmount } = await outcome(ground, terms);
    const toPartner = (feeAmount * BigInt(PARTNER_BPS)) / 10_000n;
    expect([moved[`partner.${token}`], moved[`collector.${token}`]]).to.deep.equal([toPartner, feeAmount - toPartner]);
    return { toRecipient: moved[`recipient.${token}`], feeAmount, toPartner, gasUsed };
  }

  it('a partner that burns 2 million gas, or all there is, is refused its part and costs the swap little; the collector gets it', async () => {
    const ground = here.current();
    const plain = await plainOutcome(ground);
    for (const appetite of [2_000_000n, 2n ** 200n]) {
      const { moved, gasUsed, feeAmount } = await outcome(ground, intoNative(ground, await glutton(ground, appetite)));
      expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.native': plain.toRecipient, 'collector.native': plain.feeAmount });
      expect(feeAmount).to.equal(plain.feeAmount);
      expect(gasUsed - plain.gasUsed).to.be.at.most(MOST_GAS_OF_NATIVE_OFFER);
      // Nor does it need a limit far above what it uses (a fifth of which may come back at the end).
      expect((await outcome(ground, intoNative(ground, await glutton(ground, appetite)), limitFor(gasUsed))).moved).to.deep.equal(moved);
    }
    // A wallet that does something with a payment gets it.
    const wallet = await outcome(ground, intoNative(ground, await glutton(ground, 25_000n)));
    expect(wallet.moved['partner.native']).to.equal(plain.toPartner);
  });

  it("what the partner refuses is the collector's, what the collector refuses the taker's; the recipient and the event do not change", async () => {
    const ground = here.current();
    const { collector } = ground.accounts;
    const grump = asAddress(`0x${'9'.repeat(40)}`);
    for (const mode of ['sell', 'buy'] as const) {
      const terms = (partner: Address) => intoNative(ground, partner, mode === 'buy' ? { mode, buyAmount: asWei(ONE / 2n) } : {});
      await ground.chain.apart(async () => {
        const honest = await outcome(ground, terms(ground.accounts.partner));
        const parts = [honest.moved['partner.native'] ?? 0n, honest.moved['collector.native'] ?? 0n] as const;
        await ground.chain.rpc.request('anvil_setCode', grump, REVERTS);
        const noPartner = await outcome(ground, terms(grump));
        const same = { 'taker.a': -ONE, 'recipient.native': honest.moved['recipient.native'] };
        expect(noPartner.moved).to.deep.equal({ ...same, 'collector.native': parts[0] + parts[1] });
        await ground.chain.rpc.request('anvil_setCode', collector, REVERTS);
        const neither = await outcome(ground, terms(grump));
        expect(neither.moved).to.deep.equal({ ...same, 'taker.native': parts[0] + parts[1] });
        const noCollector = await outcome(ground, terms(ground.accounts.partner));
        expect(noCollector.moved).to.deep.equal({ ...same, 'partner.native': parts[0], 'taker.native': parts[1] });
        expect([noPartner, neither, noCollector].map(({ feeAmount }) => feeAmount)).to.deep.equal(Array(3).fill(honest.feeAmount));
        if (mode === 'buy') expect(same['recipient.native']).to.equal(ONE / 2n);
      });
    }
  });

  it("a partner that trades on the taker's gas, against the pool just used or through the router, changes nothing for anybody else", async () => {
    const ground = here.current();
    const { a, weth } = ground.tokens;
    const plain = await plainOutcome(ground);
    const trader = await createPuppet(ground);
    await ground.chain.mustSend(ground.accounts.stranger, { to: trader.address, value: ONE });
    await ground.chain.write(ground.accounts.deployer, a, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[trader.address], ONE]);
    const pair = ground.pool('v2', a, weth);
    const [out0, out1] = a < weth ? [0n, ONE / 2n] : [ONE / 2n, 0n];
    const wrapping = { sellToken: NATIVE_TOKEN, buyToken: weth, sellAmount: asWei(1n), legs: [wrap(NATIVE_TOKEN, weth)] };
    const swapping = encodeFunctionData({ abi: PAIR_ABI, functionName: 'swap', args: [out0, out1, trader.address, '0x'] });
    await trader.teach('native', {
      steps: [
        { to: ground.router, data: encodeSwapCall(termsOf(ground, wrapping)), value: 1n },
        { to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pair, ONE] }), bubbles: true },
        { to: pair, data: swapping, bubbles: true },
      ],
    });
    const { moved, gasUsed } = await outcome(ground, intoNative(ground, trader.address));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.native': plain.toRecipient, 'collector.native': plain.feeAmount });
    expect(gasUsed - plain.gasUsed).to.be.at.most(MOST_GAS_OF_NATIVE_OFFER);
  });

  it('the hook of a token burns a bounded part of the gas in the name of a partner', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const legs = [hop(ground, 'v2', a, b)];
    const plain = await plainOutcome(ground, 'b', intoNative(ground, ground.accounts.partner, { buyToken: b, legs }));
    const eater = await glutton(ground, 2_000_000n);
    await setToken(ground, b, 0, 0, eater);
    const { moved, gasUsed } = await outcome(ground, intoNative(ground, eater, { buyToken: b, legs }));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': plain.toRecipient, 'collector.b': plain.feeAmount });
    // Every move of a token with a hook costs more; the most of it is the offer.
    expect(gasUsed - plain.gasUsed).to.be.at.most(MOST_GAS_OF_TOKEN_OFFER + 60_000);
    expect((await outcome(ground, intoNative(ground, eater, { buyToken: b, legs }), limitFor(gasUsed))).moved).to.deep.equal(moved);
  });

  it('a token that bars the partner or the collector, with a revert or with false, still trades', async () => {
    const ground = here.current();
    const { a } = ground.tokens;
    const { deployer, taker, recipient, partner, collector, stranger } = ground.accounts;
    const fee = { feeBps: asBps(FEE_BPS), partner, partnerShareBps: asBps(PARTNER_BPS) };
    for (const [barred, saysFalse] of [
      [partner, false],
      [partner, true],
      [collector, false],
      [collector, true],
    ] as const) {
      const contract = contractOf(ground.contracts, 'BarringToken');
      const token = await ground.chain.create(deployer, contract, [barred, saysFalse]);
      const pool = await createPuppet(ground);
      await ground.chain.write(deployer, token, contract.abi, 'mint', [[pool.address], 20_000n]);
      const giving = { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.router, 10_000n] }), bubbles: true };
      await pool.teach(V3_SWAP, { steps: [giving, { to: ground.router, data: callbackData('uniswapV3SwapCallback', 5n, 0n) }] });
      const terms = termsOf(ground, { buyToken: token, fee, legs: [through('v3', pool.address, a, token)] });
      await ground.chain.mustSend(taker, takerCall(ground, terms));
      const held = await Promise.all([recipient, partner, collector, taker, stranger].map((account) => ground.balance(token, account)));
      expect(held, `${saysFalse}`).to.deep.equal(barred === partner ? [9_900n, 0n, 100n, 0n, 0n] : [9_900n, 85n, 0n, 15n, 0n]);
      expectError(await ground.chain.attempt(taker, takerCall(ground, { ...terms, recipient: barred })), 'TransferFailed');
    }
  });

  it('whoever sets the gas of the transaction can not starve a partner: it is paid wherever the swap goes through', async () => {
    const ground = here.current();
    const { taker } = ground.accounts;
    const picky = asAddress(`0x${'8'.repeat(40)}`);
    await ground.chain.rpc.request('anvil_setCode', picky, WANTS_25_000_GAS);
    for (const wallet of [await glutton(ground, 25_000n), picky]) {
      const { to, data = '0x' } = takerCall(ground, intoNative(ground, wallet));
      const wire = (gas: number) => ({ from: taker, to, data, gas: `0x${gas.toString(16)}`, gasPrice: '0x0' });
      let [low, high] = [21_000, 2_000_000];
      while (high - low > 50) {
        const middle = Math.floor((low + high) / 2);
        const went = await ground.chain.rpc.request('eth_call', wire(middle), 'latest').catch(() => null);
        if (went === null) low = middle;
        else high = middle;
      }
      let [paid, failed] = [0, 0];
      for (let gas = high - 40_000; gas <= high + 10_000; gas += 1_000) {
        await ground.chain.apart(async () => {
          const before = await ground.balance(NATIVE_TOKEN, wallet);
          const receipt = await ground.chain.send(taker, { to, data, gas });
          if (receipt.ok) expect((await ground.balance(NATIVE_TOKEN, wallet)) > before, `${gas} gas`).to.equal(true);
          if (receipt.ok) paid++;
          else failed++;
        });
      }
      expect(paid).to.be.at.least(10);
      expect(failed).to.be.at.least(30);
    }
  });
});
