import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createPublicClient, encodeFunctionData, erc20Abi, type Hex, http } from 'viem';
import { createAsk } from '../../src/outbound/outbound.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { firmUp } from '../../src/venues/airswap/firm-up.ts';
import { orderOf } from '../../src/venues/airswap/signed-order.ts';
import type { FirmHopBy, HopToFirm, OutsideSource } from '../../src/venues/venues.ts';
import { useDevnet } from '../support/devnet.ts';

const TOOLS = fileURLToPath(new URL('../../scripts/airswap-tools/', import.meta.url));
const NEVER = new AbortController().signal;

/** Of AirSwap's own libraries, what is used here. Amounts, nonces and times are decimal text. */
type Order = Readonly<Record<'nonce' | 'expiry' | 'signerWallet' | 'signerToken' | 'signerAmount' | 'senderToken' | 'senderAmount', string>>;
type Signature = { readonly v: string; readonly r: string; readonly s: string };
type PeerServer = {
  getAllPricingERC20(): Promise<readonly { readonly baseToken: string; readonly quoteToken: string }[]>;
  getPricingERC20(pairs: readonly object[]): Promise<readonly object[]>;
  getSignerSideOrderERC20(senderAmount: string, signerToken: string, senderToken: string, senderWallet: string): Promise<Order & Signature>;
  getSenderSideOrderERC20(signerAmount: string, signerToken: string, senderToken: string, senderWallet: string): Promise<Order & Signature>;
};
type Libraries = { readonly Server: { at(url: string, options: { readonly swapContract: string; readonly chainId: number }): Promise<PeerServer> } };
type Utils = {
  createOrderERC20(order: object): Order;
  createOrderERC20Signature(order: Order, privateKey: string, contract: string, chainId: number): Promise<Signature>;
  getSignerFromOrderERC20Signature(order: object, contract: string, chainId: number, v: string, r: string, s: string): string;
};

describe('AirSwap’s own libraries, and makers and orders of ours', function suite() {
  this.timeout(240_000);

  before(function installed() {
    if (existsSync(`${TOOLS}node_modules`)) return;
    if (process.env.CI === 'true') throw new Error('scripts/airswap-tools is not installed on CI');
    process.stdout.write('      left out: npm ci --ignore-scripts --prefix scripts/airswap-tools\n');
    this.skip();
  });
  const handle = useDevnet({ makers: true });
  const load = createRequire(`${TOOLS}package.json`);
  const libraries = () => load('@airswap/libraries') as Libraries;
  const utils = () => load('@airswap/utils') as Utils;

  function makerNow() {
    const devnet = handle.current();
    const [maker] = devnet.makers;
    if (maker === undefined) throw new Error('no makers');
    const source: OutsideSource = { name: maker.name, origin: maker.origin, contract: maker.contract, signer: maker.signer };
    const tokenOf = (symbol: string): Address => asAddress(devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '');
    return { devnet, source, tokenOf };
  }

  function firmWith(source: OutsideSource): FirmHopBy {
    const { devnet } = makerNow();
    const client = createPublicClient({ transport: http(devnet.rpcUrl) });
    return firmUp.open({
      chainId: devnet.chainId,
      sources: [source],
      ask: createAsk({ sources: [source] }),
      read: async (calls) => await Promise.all(calls.map(async ({ to, data }) => (await client.call({ to, data })).data ?? null)),
      now: () => Math.floor(Date.now() / 1000) as EpochSeconds,
      blockNumber: () => null,
    });
  }

  function hopOf({ name, contract }: OutsideSource): HopToFirm {
    const { devnet, tokenOf } = makerNow();
    const taker = asAddress(devnet.accounts[0]?.address ?? '');
    return {
      ...{ family: 'airswap', poolAddress: contract, poolKey: '0x00', hook: null, legFacts: { maker: name }, slotIn: 0, slotOut: 1, taxedInput: false },
      ...{ tokenIn: tokenOf('WETH'), tokenOut: tokenOf('USDC'), leastOut: 2_400_000_000n, mode: 'sell', amountIn: 10n ** 18n, amountOut: 2_450_000_000n },
      ...{ taker, recipient: taker, user: taker, router: devnet.router, deadline: (Math.floor(Date.now() / 1000) + 1_200) as EpochSeconds },
    };
  }

  it('its Server takes our maker’s prices and orders in both ways, and finds that our maker signed them', async () => {
    const { devnet, source, tokenOf } = makerNow();
    const server = await libraries().Server.at(source.origin, { swapContract: source.contract, chainId: devnet.chainId });
    const [baseToken, quoteToken] = [tokenOf('WETH'), tokenOf('USDC')];
    const pricing = await server.getAllPricingERC20();
    const some = await server.getPricingERC20([{ baseToken, quoteToken }]);
    expect(some.map((pair) => ({ ...pair }))).to.containSubset([{ baseToken, quoteToken }]);
    expect(pricing).to.containSubset([{ baseToken, quoteToken }]);
    const sold = await server.getSignerSideOrderERC20(String(10n ** 18n), quoteToken, baseToken, devnet.router);
    const bought = await server.getSenderSideOrderERC20('2500000000', quoteToken, baseToken, devnet.router);
    expect([sold.senderAmount, bought.signerAmount]).to.deep.equal([String(10n ** 18n), '2500000000']);
    const protocolFee = String(await feeOf(source.contract));
    for (const order of [sold, bought]) {
      const whole = { ...order, senderWallet: devnet.router, protocolFee };
      const signer = utils().getSignerFromOrderERC20Signature(whole, source.contract, devnet.chainId, order.v, order.r, order.s);
      expect(signer.toLowerCase()).to.equal(source.signer);
    }
  });

  it('an order that its functions write and sign is firm with us, once its contract finds it funded, and is written for the leg as it was signed', async () => {
    const { devnet, source: ours, tokenOf } = makerNow();
    const account = devnet.accounts[3];
    if (account === undefined) throw new Error('no accounts');
    const protocolFee = String(await feeOf(ours.contract));
    let nonce = 70;
    const { createOrderERC20, createOrderERC20Signature } = utils();
    const answerTo = async (request: AsyncIterable<Buffer>): Promise<string> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { id, params } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly id: string; readonly params: Readonly<Record<string, string>> };
      const { minExpiry: expiry, signerToken, senderToken, senderAmount, senderWallet } = params;
      const given = { signerWallet: account.address, signerToken, signerAmount: '2460000000', protocolFee };
      const order = createOrderERC20({ nonce: String(++nonce), expiry, ...given, senderWallet, senderToken, senderAmount });
      const signature = await createOrderERC20Signature(order, account.privateKey, ours.contract, devnet.chainId);
      return JSON.stringify({ jsonrpc: '2.0', id, result: { ...order, ...signature } });
    };
    const server = createServer((request, response) => void answerTo(request).then((text) => response.end(text)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const source: OutsideSource = { name: 'peer', origin, contract: ours.contract, signer: asAddress(account.address) };
      const firm = firmWith(source);
      const hop = hopOf(source);
      expect(await firm(hop, NEVER), 'before its signer let the contract take anything').to.deep.equal({ ok: false, reason: 'invalid' });
      await approve(asAddress(account.address), tokenOf('USDC'), ours.contract);
      const firmed = await firm(hop, NEVER);
      if (!firmed.ok) throw new Error(firmed.reason);
      expect(firmed).to.deep.include({ amountIn: hop.amountIn, amountOut: 2_460_000_000n });
      const amounts = { senderAmount: hop.amountIn, signerAmount: 2_460_000_000n };
      expect(orderOf({ ...hop, legFacts: firmed.legFacts })).to.deep.include({ ...amounts, nonce: BigInt(nonce), signerWallet: account.address.toLowerCase() });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function feeOf(contract: Address): Promise<bigint> {
    const client = createPublicClient({ transport: http(makerNow().devnet.rpcUrl) });
    const { data = '0x' } = await client.call({ to: contract, data: '0xb0e21e8a' });
    return BigInt(data);
  }

  /** By the node, which has the account's key. */
  async function approve(from: Address, to: Address, spender: Address): Promise<void> {
    const client = createPublicClient({ transport: http(makerNow().devnet.rpcUrl), pollingInterval: 50 });
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 10n ** 30n] });
    const hash = (await client.request({ method: 'eth_sendTransaction' as never, params: [{ from, to, data }] as never })) as Hex;
    await client.waitForTransactionReceipt({ hash });
  }
});
