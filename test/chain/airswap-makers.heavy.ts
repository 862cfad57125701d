import { expect } from 'chai';
import { Wallet } from 'ethers';
import { createPublicClient, http } from 'viem';
import type { MakerFault } from '../../src/devnet/makers/faults.ts';
import { createAsk } from '../../src/outbound/outbound.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { firmUp } from '../../src/venues/airswap/firm-up.ts';
import { orderOf } from '../../src/venues/airswap/signed-order.ts';
import type { AskOutside, FirmHop, FirmHopBy, HopToFirm, OutsideSource } from '../../src/venues/venues.ts';
import { useDevnet } from '../support/devnet.ts';

const NEVER = new AbortController().signal;
/** Beyond the deadlines of what is asked: whatever is not at once is unreachable. */
const SHORT = { deadlineMs: 1_500, bodyBytes: 64 * 1024, perSource: 8 };
/** Of whatever answers: on a busy machine late. */
const PATIENT = { ...SHORT, deadlineMs: 30_000 };
const NEVER_WHOLE: ReadonlySet<string> = new Set(['silent', 'delay', 'drip']);

describe('makers of AirSwap on the local chain', function suite() {
  this.timeout(240_000);
  const handle = useDevnet({ makers: true });

  function makerNow() {
    const devnet = handle.current();
    const maker = devnet.makers[0];
    if (maker === undefined) throw new Error('no makers');
    const source: OutsideSource = { name: maker.name, origin: maker.origin, contract: maker.contract, signer: maker.signer };
    const tokenOf = (symbol: string): Address => devnet.tokens.find((token) => token.symbol === symbol)?.address ?? asAddress('0x');
    return { devnet, maker, source, tokenOf };
  }

  /** `answeredReads`: how often the node answers before it falls silent. */
  function firmWith(ask: AskOutside, changes: Partial<OutsideSource> = {}, answeredReads = Number.POSITIVE_INFINITY): FirmHopBy {
    const { devnet, source } = makerNow();
    const client = createPublicClient({ transport: http(devnet.rpcUrl) });
    let reads = 0;
    return firmUp.open({
      chainId: devnet.chainId,
      sources: [{ ...source, ...changes }],
      ask,
      read: async (calls) => {
        if (++reads > answeredReads) return null;
        return await Promise.all(calls.map(async ({ to, data }) => (await client.call({ to, data })).data ?? null)).catch(() => null);
      },
      now: () => Math.floor(Date.now() / 1000) as EpochSeconds,
      blockNumber: () => null,
    });
  }

  function hopOf(changes: Partial<HopToFirm> = {}): HopToFirm {
    const { devnet, source, tokenOf } = makerNow();
    return {
      family: 'airswap',
      poolAddress: source.contract,
      poolKey: '0x00',
      hook: null,
      legFacts: { maker: source.name },
      slotIn: 0,
      slotOut: 1,
      tokenIn: tokenOf('WETH'),
      tokenOut: tokenOf('USDC'),
      leastOut: 2_400_000_000n,
      taxedInput: false,
      mode: 'sell',
      amountIn: 10n ** 18n,
      amountOut: 2_450_000_000n,
      taker: devnet.accounts[0]?.address ?? source.signer,
      recipient: devnet.accounts[0]?.address ?? source.signer,
      user: devnet.accounts[1]?.address ?? source.signer,
      router: devnet.router,
      deadline: (Math.floor(Date.now() / 1000) + 1_200) as EpochSeconds,
      ...changes,
    };
  }

  const ask = (limits = PATIENT): AskOutside => createAsk({ sources: [makerNow().source], limits });

  afterEach(() => {
    for (const maker of handle.current().makers) maker.setFault(null);
  });

  it('sign exactly what is asked for, in both modes, for the user behind the taker', async () => {
    const { maker } = makerNow();
    const sold = await firmWith(ask())(hopOf(), NEVER);
    if (!sold.ok) throw new Error(sold.reason);
    expect(sold.amountIn).to.equal(10n ** 18n);
    expect(Number(sold.amountOut)).to.be.closeTo(2_500e6, 10e6);
    const { legFacts, expiry } = sold;
    expect(orderOf({ ...hopOf(), legFacts })).to.deep.include({ signerWallet: maker.signer, senderAmount: 10n ** 18n, signerAmount: sold.amountOut });
    expect(Number(legFacts.expiry)).to.equal(Number(expiry) + 1);
    const bought = await firmWith(ask())(hopOf({ mode: 'buy', amountOut: 2_500_000_000n, amountIn: 2n * 10n ** 18n }), NEVER);
    if (!bought.ok) throw new Error(bought.reason);
    expect(bought.amountOut).to.equal(2_500_000_000n);
    expect(Number(bought.amountIn)).to.be.closeTo(1e18, 5e15);
    const asked = maker.calls().filter(({ method }) => method.endsWith('OrderERC20'));
    expect(asked.map(({ method }) => method)).to.deep.equal(['getSignerSideOrderERC20', 'getSenderSideOrderERC20']);
    for (const { params } of asked) expect(params).to.deep.include({ proxyingFor: hopOf().user, senderWallet: hopOf().router });
    const worse = await firmWith(ask())(hopOf({ mode: 'buy', amountOut: 2_500_000_000n, amountIn: 10n ** 17n }), NEVER);
    expect(worse).to.deep.include({ ok: false, reason: 'worse' });
  });

  const faults: readonly (readonly [MakerFault['kind'], FirmHop extends { ok: true } ? never : string])[] = [
    ['refused', 'refused'],
    ['rpc-busy', 'busy'],
    ['busy', 'busy'],
    ['error', 'unreachable'],
    ['redirect', 'unreachable'],
    ['reset', 'unreachable'],
    ['silent', 'unreachable'],
    ['delay', 'unreachable'],
    ['drip', 'unreachable'],
    ['half-closed', 'unreachable'],
    ['garbage', 'unreachable'],
    ['huge', 'unreachable'],
    ['nested', 'unreachable'],
    ['bomb', 'unreachable'],
    ['hostile-text', 'refused'],
    ['wrong-types', 'unreachable'],
    ['name-twice', 'unreachable'],
    ['wrong-signer', 'invalid'],
    ['wrong-domain', 'invalid'],
    ['wrong-chain', 'invalid'],
    ['wrong-contract', 'invalid'],
    ['wrong-token', 'invalid'],
    ['wrong-amount', 'invalid'],
    ['swapped', 'invalid'],
    ['other-sender', 'invalid'],
    ['altered', 'invalid'],
    ['zero', 'invalid'],
    ['expired', 'invalid'],
    ['expiring', 'invalid'],
    ['unfunded', 'invalid'],
    ['worse', 'worse'],
  ];

  for (const [kind, reason] of faults) {
    it(`an order is not taken where the maker does this: ${kind}`, async () => {
      makerNow().maker.setFault({ kind });
      const firm = await firmWith(ask(NEVER_WHOLE.has(kind) ? SHORT : PATIENT))(hopOf(), NEVER);
      expect(firm).to.deep.include({ ok: false, reason });
    });
  }

  it('an order that is better, or holds for ever, is taken as it is signed; one that was given before is not', async () => {
    const { maker } = makerNow();
    const firm = firmWith(ask());
    const plain = await firm(hopOf(), NEVER);
    maker.setFault({ kind: 'better' });
    const better = await firm(hopOf(), NEVER);
    expect(plain.ok && better.ok && better.amountOut > plain.amountOut).to.equal(true);
    maker.setFault({ kind: 'endless' });
    const endless = await firm(hopOf(), NEVER);
    expect(endless).to.deep.include({ ok: true, expiry: 2n ** 63n - 1n });
    maker.setFault({ kind: 'replayed' });
    expect(await firm(hopOf(), NEVER)).to.deep.equal({ ok: false, reason: 'invalid' });
  });

  it('what is no fault of a maker is none of the above: a node that falls silent is unverified, and a maker who is a party of the swap is unfit, and not asked', async () => {
    const { maker, source } = makerNow();
    for (const answered of [0, 1]) {
      const before = maker.calls().length;
      expect(await firmWith(ask(), {}, answered)(hopOf(), NEVER)).to.deep.equal({ ok: false, reason: 'unverified' });
      expect(maker.calls().length).to.equal(before + 1);
    }
    const before = maker.calls().length;
    for (const party of ['taker', 'recipient', 'router'])
      expect(await firmWith(ask())(hopOf({ [party]: source.signer }), NEVER)).to.deep.equal({ ok: false, reason: 'unfit' });
    expect(maker.calls().length).to.equal(before);
  });

  it('nobody is believed but the wallet that the configuration names, at the contract that it names', async () => {
    const { devnet, source } = makerNow();
    const other = devnet.accounts[2]?.address ?? source.signer;
    expect(await firmWith(ask(), { signer: other })(hopOf(), NEVER)).to.deep.equal({ ok: false, reason: 'invalid' });
    expect(await firmWith(ask(), { contract: other })(hopOf(), NEVER)).to.deep.equal({ ok: false, reason: 'invalid' });
    expect(await firmWith(ask())(hopOf({ legFacts: { maker: 'another' } }), NEVER)).to.deep.equal({ ok: false, reason: 'unfit' });
    expect(await firmWith(ask())(hopOf({ taker: source.signer }), NEVER)).to.deep.equal({ ok: false, reason: 'unfit' });
    expect(await firmWith(ask())(hopOf(), AbortSignal.abort())).to.deep.equal({ ok: false, reason: 'unreachable' });
  });

  it('an order that another library signs, by the types of AirSwap’s documentation, is one that we take', async () => {
    const { devnet, source } = makerNow();
    const account = devnet.accounts[3];
    if (account === undefined) throw new Error('no accounts');
    const hop = hopOf();
    const order = {
      nonce: '77',
      expiry: String(Math.floor(Date.now() / 1000) + 60),
      signerWallet: account.address,
      signerToken: hop.tokenOut,
      signerAmount: '2460000000',
      protocolFee: '5',
      senderWallet: devnet.router,
      senderToken: hop.tokenIn,
      senderAmount: String(hop.amountIn),
    };
    const domain = { name: 'SWAP_ERC20', version: '4.3', chainId: devnet.chainId, verifyingContract: source.contract };
    const uints = new Set(['nonce', 'expiry', 'signerAmount', 'protocolFee', 'senderAmount']);
    const types = { OrderERC20: Object.keys(order).map((name) => ({ name, type: uints.has(name) ? 'uint256' : 'address' })) };
    const signature = (await new Wallet(account.privateKey)._signTypedData(domain, types, order)).slice(2);
    const signed = { ...order, r: `0x${signature.slice(0, 64)}`, s: `0x${signature.slice(64, 128)}`, v: String(Number.parseInt(signature.slice(128), 16)) };
    const answering: AskOutside = async (_source, body) => {
      const { id } = JSON.parse(body) as { readonly id: string };
      return { ok: true, text: JSON.stringify({ jsonrpc: '2.0', id, result: signed }) };
    };
    const firm = firmWith(answering, { signer: account.address });
    // Its signer has not let the contract take anything yet.
    expect(await firm(hop, NEVER)).to.deep.equal({ ok: false, reason: 'invalid' });
    await approve(devnet.rpcUrl, account.address, hop.tokenOut, source.contract);
    expect(await firm(hop, NEVER)).to.deep.include({ ok: true, amountIn: hop.amountIn, amountOut: 2_460_000_000n });
  });

  /** By the node, which has the account's key. */
  async function approve(rpcUrl: string, from: Address, token: Address, spender: Address): Promise<void> {
    const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 });
    const data = `0x095ea7b3${spender.slice(2).padStart(64, '0')}${'f'.repeat(64)}` as const;
    const hash = (await client.request({ method: 'eth_sendTransaction' as never, params: [{ from, to: token, data }] as never })) as `0x${string}`;
    await client.waitForTransactionReceipt({ hash });
  }
});
