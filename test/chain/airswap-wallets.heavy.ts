import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { createPinnedReader } from '../../src/indexing/multicall.ts';
import { createRpc, type Rpc } from '../../src/indexing/rpc/rpc.ts';
import { type Address, asWei, type EpochSeconds } from '../../src/units/units.ts';
import { firmUp } from '../../src/venues/airswap/firm-up.ts';
import { orderOf, type SignedOrder } from '../../src/venues/airswap/signed-order.ts';
import type { FirmHop, HopToFirm } from '../../src/venues/venues.ts';
import { type AirSwapGround, layAirSwap, SWAP_ERC20_ABI } from '../support/settlement/airswap.ts';
import { contractOf, LATE, MAX, ONE, termsOf, useGround } from '../support/settlement/ground.ts';
import { changes, mint, refuse, settle } from '../support/settlement/swaps.ts';

const NEVER = new AbortController().signal;

describe('makers whose wallet is a contract, through SwapERC20 as AirSwap compiled it', function suite() {
  this.timeout(300_000);
  const here = useGround();
  let laid: AirSwapGround;
  let rpc: Rpc;
  /** Takes any signature for its own. */
  let wallet: Address;
  let run: (to: Address, data: Hex) => Promise<unknown>;

  before(async () => {
    laid = await layAirSwap(here.current());
    const { ground, settlement } = laid;
    const { chain, contracts, accounts, tokens } = ground;
    rpc = createRpc({ urls: [chain.url], chainId: 31_337, fetch, random: Math.random, onHead: () => undefined });
    const kind = contractOf(contracts, 'SigningWallet');
    wallet = await chain.create(accounts.stranger, kind);
    run = (to, data) => chain.write(accounts.stranger, wallet, kind.abi, 'run', [to, data]);
    await mint(ground, tokens.b, wallet, 1_000n * ONE);
    await run(tokens.b, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [settlement, MAX] }));
  });
  after(() => rpc?.close());

  async function firm(order: SignedOrder, signer: Address): Promise<FirmHop> {
    const { ground, settlement } = laid;
    const { hash, timestamp } = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly hash: Hex; readonly timestamp: Hex };
    const texts = Object.fromEntries(Object.entries(order).map(([name, value]) => [name, String(value)]));
    const firmHop = firmUp.open({
      chainId: 31_337,
      sources: [{ name: 'stall', origin: 'https://stall.example', contract: settlement, signer }],
      ask: async (_source, body) => ({ ok: true, text: JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: texts }) }),
      read: createPinnedReader(rpc, hash),
      now: () => Number(timestamp) as EpochSeconds,
      blockNumber: () => null,
    });
    return await firmHop(hopOf(order), NEVER);
  }

  function hopOf({ senderToken, signerToken, senderAmount, signerAmount }: SignedOrder): HopToFirm {
    const { ground, settlement } = laid;
    const { taker, recipient } = ground.accounts;
    return {
      ...{ family: 'airswap', poolAddress: settlement, poolKey: '0x00', hook: null, legFacts: { maker: 'stall' }, slotIn: 0, slotOut: 1, taxedInput: false },
      ...{ tokenIn: senderToken, tokenOut: signerToken, mode: 'sell', amountIn: senderAmount, amountOut: signerAmount, leastOut: signerAmount },
      ...{ taker, recipient, user: taker, router: ground.router, deadline: LATE },
    };
  }

  it('an order that the wallet says it signed is taken, and settles to the wei from its funds', async () => {
    const { ground, sign, leg, feeWallet } = laid;
    const { taker, recipient, stranger } = ground.accounts;
    const order = await sign({ signer: stranger, signerWallet: wallet });
    const firmed = await firm(order, wallet);
    if (!firmed.ok) throw new Error(firmed.reason);
    expect([firmed.amountIn, firmed.amountOut]).to.deep.equal([order.senderAmount, order.signerAmount]);
    const signed = orderOf({ ...hopOf(order), legFacts: firmed.legFacts });
    expect(signed).to.deep.equal(order);
    const terms = termsOf(ground, {
      sellAmount: asWei(ONE),
      buyAmount: asWei(order.signerAmount),
      minBuyAmount: asWei(order.signerAmount),
      legs: [leg(signed)],
    });
    const moved = await changes(ground, { taker, recipient, wallet, feeWallet, router: ground.router }, () => settle(ground, terms));
    const fee = (order.signerAmount * 5n) / 10_000n;
    expect(moved).to.deep.equal({
      'taker.a': -ONE,
      'recipient.b': order.signerAmount,
      'wallet.a': ONE,
      'wallet.b': -order.signerAmount - fee,
      'feeWallet.b': fee,
    });
    // Its nonce is used now, and SwapERC20 says so.
    expect(await firm(order, wallet)).to.deep.equal({ ok: false, reason: 'invalid' });
  });

  it('so is one of a maker who lets such a wallet sign, and of nobody else any more', async () => {
    const { ground, maker, settlement, sign } = laid;
    const { chain, accounts } = ground;
    await chain.apart(async () => {
      await chain.write(maker, settlement, SWAP_ERC20_ABI, 'authorize', [wallet]);
      expect((await firm(await sign({ signer: accounts.stranger }), maker)).ok).to.equal(true);
      await chain.write(maker, settlement, SWAP_ERC20_ABI, 'authorize', [accounts.stranger]);
      expect((await firm(await sign({ signer: accounts.stranger }), maker)).ok).to.equal(true);
      expect(await firm(await sign(), maker)).to.deep.equal({ ok: false, reason: 'invalid' });
    });
  });

  it('an order of a contract that says no such thing is not taken, and would revert', async () => {
    const { ground, settlement, sign, leg } = laid;
    const { chain, contracts, accounts, tokens } = ground;
    // A contract with a fallback, one that knows nothing, and no contract at all, each with the funds for it.
    for (const name of ['Puppet', 'TrickToken', null] as const) {
      const mute = name === null ? accounts.victim : await chain.create(accounts.deployer, contractOf(contracts, name));
      await mint(ground, tokens.b, mute, 1_000n * ONE);
      await chain.rpc.request('anvil_impersonateAccount', mute);
      await chain.rpc.request('anvil_setBalance', mute, '0xde0b6b3a7640000');
      await chain.write(mute, tokens.b, erc20Abi, 'approve', [settlement, MAX]);
      const order = await sign({ signer: accounts.stranger, signerWallet: mute });
      expect(await firm(order, mute), String(name)).to.deep.equal({ ok: false, reason: 'invalid' });
      await refuse(ground, termsOf(ground, { legs: [leg(order)], buyAmount: asWei(1n), minBuyAmount: asWei(1n) }), 'VenueReverted');
    }
  });
});
