import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { createPublicClient, createWalletClient, decodeEventLog, erc20Abi, type Hex, http, keccak256, sliceHex, stringToBytes, toEventSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { ROUTER_ABI } from '../../src/building/building.ts';
import { plainMarket } from '../../src/devnet/devnet.ts';
import { runKeys } from '../../src/key-admin/key-admin.ts';
import type { Braid } from '../../src/main.ts';
import { asAddress, NATIVE_TOKEN } from '../../src/units/units.ts';
import { startConfiguredBraid } from '../support/configured-braid.ts';
import { useDevnet } from '../support/devnet.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { type DevnetGround, settleOnDevnet } from '../support/settlement/on-devnet.ts';
import { until } from '../support/until.ts';

const POLICIES = ['protocol', 'taker', 'shared'] as const;
const ETHER = 10n ** 18n;
const hasIpv6 = Object.values(os.networkInterfaces()).some((list) => list?.some(({ family, internal }) => family === 'IPv6' && internal));

describe('identity as a configuration file sets it, on the chain', function suite() {
  this.timeout(300_000);
  // Nobody else trades: whether there is surplus is this test's doing.
  const chain = useDevnet({ bots: false });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'braid-configured-'));
  const keys = new Map<string, string>();
  let braid: Braid;

  async function issue(name: string, ...options: readonly string[]): Promise<void> {
    const out: string[] = [];
    const world = { out: (line: string) => void out.push(line), err: () => {}, keysFile: path.join(folder, 'keys.json'), now: () => new Date(), lockMs: 1000 };
    expect(await runKeys(['issue', '--rps', '200', ...options], world)).to.equal(0);
    keys.set(name, out[0] ?? '');
  }

  before(async () => {
    const { chainId, rpcUrl, wrappedNative, deployments, router, allowanceHolder, feeCollector, tokens } = chain.current();
    const wellKnownTokens = tokens.map(({ address }) => address);
    for (const surplus of POLICIES) await issue(surplus, '--surplus', surplus, '--partner-id', `partner-${surplus}`);
    await issue('approved', '--gated', 'uniswap_v3');
    const hosted = { chainId, rpcUrls: [rpcUrl], wrappedNative, deployments, router, allowanceHolder, wellKnownTokens, gatedVenues: ['Uniswap_V3'] };
    braid = await startConfiguredBraid(
      folder,
      { feeCollector, keysFile: 'keys.json', trustProxy: ['127.0.0.0/8', '198.51.100.7'], chains: [hosted] },
      { HOST: hasIpv6 ? '::' : '127.0.0.1', SOLVER_THREADS: '1' },
    );
  });
  after(async () => {
    await braid?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const base = () => `http://127.0.0.1:${new URL(braid.publicUrl).port}`;
  const token = (symbol: string) => chain.current().tokens.find((candidate) => candidate.symbol === symbol)?.address ?? '0x';
  const ask = (route: string, headers: Readonly<Record<string, string>> = {}) => fetchPatiently(`${base()}${route}`, { headers });
  const query = (parameters: Readonly<Record<string, string>>) => `${new URLSearchParams({ chainId: '31337', mode: 'sell', ...parameters })}`;
  const withKey = (name: string) => ({ 'x-api-key': keys.get(name) ?? '' });

  it('gatedVenues: routed through with the key that names the venue, never without, and listed for everybody (B9)', async () => {
    const trade = query({ sellToken: token('USDC'), buyToken: token('WETH'), sellAmount: String(10n ** 11n) });
    const sources = async (headers: Readonly<Record<string, string>>, more = '') => {
      const { route = [] } = (await (await ask(`/v1/quote?${trade}${more}`, headers)).json()) as { route?: readonly { source: string }[] };
      return [...new Set(route.map(({ source }) => source))];
    };
    expect(await sources(withKey('approved'))).to.include('uniswap_v3');
    for (const headers of [{}, withKey('taker')]) expect(await sources(headers)).to.not.include('uniswap_v3').and.not.be.empty;
    expect((await ask(`/v1/quote?${trade}&includeVenues=uniswap_v3`, withKey('taker'))).status).to.equal(404);
    expect((await ask(`/v1/swap?${trade}&taker=${chain.current().accounts[0]?.address}&includeVenues=uniswap_v3`, withKey('taker'))).status).to.equal(404);
    expect(((await (await ask('/v1/31337/sources', withKey('taker'))).json()) as { sources: string[] }).sources).to.include('uniswap_v3');
  });

  it('trustProxy: the right-most entry that is no trusted proxy is the client; IPv4-mapped addresses are unwrapped (B8, faults E2)', async () => {
    // With a dual-stack listener this peer is ::ffff:127.0.0.1, and has to be found in 127.0.0.0/8.
    const left = async (forwarded: string) => Number((await ask('/v1/31337/sources', { 'x-forwarded-for': forwarded })).headers.get('x-ratelimit-remaining'));
    expect(await left('203.0.113.50')).to.equal(3);
    expect(await left('6.6.6.6, 203.0.113.50')).to.be.below(3);
    expect(await left('6.6.6.7, ::ffff:203.0.113.50, 198.51.100.7')).to.be.below(2);
    expect(await left('203.0.113.51, 198.51.100.7')).to.equal(3);
    expect(await left('2001:db8:9:9::1')).to.equal(3);
    expect(await left('2001:db8:9:9:a:b:c:d')).to.be.below(3);
  });

  for (const surplus of POLICIES) {
    it(`surplus ${surplus} (B14) and the partner's hash in the tag (B6), as the chain executes what the service wrote`, async () => {
      const { rpcUrl, accounts, router, feeCollector } = chain.current();
      const [trader, mover] = [accounts[POLICIES.indexOf(surplus) + 1], accounts[9]];
      if (trader === undefined || mover === undefined) throw new Error('accounts');
      const transport = http(rpcUrl);
      const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 50, cacheTime: 0 });
      const walletOf = (privateKey: Hex) => createWalletClient({ chain: foundry, transport, account: privateKeyToAccount(privateKey) });
      const holding = (of: Hex) => reader.readContract({ address: token('USDC'), abi: erc20Abi, functionName: 'balanceOf', args: [of] });
      const swapOf = async (from: string, parameters: Readonly<Record<string, string>>) => {
        const response = await ask(`/v1/swap?${query({ taker: from, ...parameters })}`, withKey(surplus));
        const body = (await response.json()) as {
          quoteId: string;
          buyAmount: string;
          allowanceTarget: Hex;
          transaction: { to: Hex; data: Hex; value: string };
        };
        expect(response.status, JSON.stringify(body)).to.equal(200);
        return body;
      };
      /** Not after the second that a block takes: in a block at once. */
      const settled = async (hash: Hex) => {
        await reader.request({ method: 'evm_mine' } as never);
        return reader.waitForTransactionReceipt({ hash });
      };
      const send = async (privateKey: Hex, { to, data, value }: { readonly to: Hex; readonly data: Hex; readonly value?: string }) => {
        return settled(await walletOf(privateKey).sendTransaction({ to, data, value: BigInt(value ?? 0), gas: 12_000_000n }));
      };

      // Through one pool: with many venues the other trade need not come by those of the swap.
      const onePool = { includeVenues: 'uniswap_v2', maxHops: '1' };
      const swap = await swapOf(trader.address, { ...onePool, sellToken: NATIVE_TOKEN, buyToken: token('USDC'), sellAmount: String(ETHER) });
      // Somebody buys ether for USDC first, so that this swap gives more than it quoted.
      const push = await swapOf(mover.address, { ...onePool, sellToken: token('USDC'), buyToken: NATIVE_TOKEN, sellAmount: String(1_000_000n * 10n ** 6n) });
      const approval = { address: token('USDC'), abi: erc20Abi, functionName: 'approve', args: [push.allowanceTarget, 2n ** 255n] } as const;
      await settled(await walletOf(mover.privateKey).writeContract(approval));
      expect((await send(mover.privateKey, push.transaction)).status).to.equal('success');

      const [traderBefore, protocolBefore] = [await holding(trader.address), await holding(feeCollector)];
      const receipt = await send(trader.privateKey, swap.transaction);
      expect(receipt.status).to.equal('success');
      const [got, kept] = [(await holding(trader.address)) - traderBefore, (await holding(feeCollector)) - protocolBefore];
      const above = got + kept - BigInt(swap.buyAmount);
      expect(above > 0n, 'there was surplus').to.equal(true);
      expect(kept).to.equal({ protocol: above, taker: 0n, shared: above / 2n }[surplus]);

      const [log] = receipt.logs.filter(({ address }) => address.toLowerCase() === router);
      if (log === undefined) throw new Error('no Swap event');
      const { args } = decodeEventLog({ abi: ROUTER_ABI, eventName: 'Swap', ...log });
      const partner = sliceHex(keccak256(stringToBytes(`partner-${surplus}`)), 0, 16).slice(2);
      expect(args.tag).to.equal(`0x${swap.quoteId.replaceAll('-', '')}${partner}`);
      // The next quote must see this trade.
      const { blockNumber } = receipt;
      const reached = async () => {
        const { chains } = (await (await ask('/healthz')).json()) as { chains: readonly { blockNumber: number }[] };
        return BigInt(chains[0]?.blockNumber ?? 0) >= blockNumber;
      };
      expect(await until(reached, 60_000)).to.equal(true);
    });
  }

  describe('routerAddress and allowanceHolderAddress (R4)', () => {
    const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'braid-development-'));
    let development: Braid;
    let other: DevnetGround;

    before(async () => {
      const devnet = chain.current();
      const { chainId, rpcUrl, wrappedNative, deployments, router, allowanceHolder, feeCollector } = devnet;
      const wellKnownTokens = plainMarket(devnet).tokens.map(({ address }) => address);
      development = await startConfiguredBraid(
        elsewhere,
        {
          feeCollector,
          keysFile: path.join(folder, 'keys.json'),
          developmentMode: true,
          chains: [{ chainId, rpcUrls: [rpcUrl], wrappedNative, deployments, router, allowanceHolder, wellKnownTokens }],
        },
        { SOLVER_THREADS: '1', FRESHNESS_BOUND_MS: '600000' },
      );
      // Contracts of the same code at other addresses, which the configuration does not name.
      other = await settleOnDevnet(devnet);
    });
    after(async () => {
      await development?.stop();
      rmSync(elsewhere, { recursive: true, force: true });
    });

    const asked = async (parameters: Readonly<Record<string, string>>) => {
      const { taker } = other.accounts;
      const response = await fetchPatiently(`${development.publicUrl}/v1/swap?${query({ taker, includeVenues: 'uniswap_v2', ...parameters })}`, {
        headers: withKey('taker'),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };

    it('in developmentMode the transaction goes to the contracts that the request names, and settles through them', async () => {
      const [USDC, WETH] = [asAddress(token('USDC')), asAddress(token('WETH'))];
      const { taker, recipient } = other.accounts;
      const both = { routerAddress: other.router, allowanceHolderAddress: other.allowanceHolder };
      const sold = { sellToken: WETH, buyToken: USDC, sellAmount: String(ETHER), recipient };
      // Both before either is executed: what is executed and taken back is still the newest block to the service, for a moment.
      const answers = [];
      for (const [parameters, to, spender] of [
        [{ ...sold, ...both }, other.allowanceHolder, other.allowanceHolder],
        [{ ...sold, ...both, sellToken: NATIVE_TOKEN }, other.router, null],
      ] as const) {
        answers.push({ ...(await asked(parameters)), to, spender });
      }
      for (const { status, body, to, spender } of answers) {
        expect(status, JSON.stringify(body)).to.equal(200);
        const { transaction, allowanceTarget, buyAmount } = body as {
          transaction: { to: Hex; data: Hex; value: string };
          allowanceTarget: Hex | null;
          buyAmount: string;
        };
        expect([transaction.to.toLowerCase(), allowanceTarget?.toLowerCase() ?? null]).to.deep.equal([to, spender]);
        await other.chain.apart(async () => {
          const [before = 0n] = await other.chain.balances([{ account: recipient, token: USDC }]);
          const { logs } = await other.chain.mustSend(taker, { to, data: transaction.data, value: BigInt(transaction.value) });
          const [after = 0n] = await other.chain.balances([{ account: recipient, token: USDC }]);
          expect(after - before).to.equal(BigInt(buyAmount));
          const settled = logs.filter(({ topics }) => topics[0] === toEventSelector(ROUTER_ABI.find((item) => item.type === 'event') as never));
          expect(settled.map(({ address }) => address)).to.deep.equal([other.router]);
        });
      }
      // A permit is for the Router that is named, and its receiver is no receiver.
      const permitted = await asked({ ...sold, ...both, funding: 'permit2' });
      expect((permitted.body.transaction as { to: string }).to.toLowerCase()).to.equal(other.router);
      expect((permitted.body.permit2 as { eip712: { message: { spender: string } } }).eip712.message.spender.toLowerCase()).to.equal(other.router);
      for (const receiver of [other.router, other.allowanceHolder]) expect((await asked({ ...sold, ...both, recipient: receiver })).status).to.equal(400);
      // Nobody has to name any.
      const { body } = await asked(sold);
      expect((body.transaction as { to: string }).to.toLowerCase()).to.equal(chain.current().allowanceHolder);
    });

    it('outside of it either is refused, by quote and by swap, whatever it names', async () => {
      const trade = query({ sellToken: NATIVE_TOKEN, buyToken: token('USDC'), sellAmount: String(ETHER), taker: other.accounts.taker });
      for (const [name, address] of [
        ['routerAddress', other.router],
        ['allowanceHolderAddress', other.allowanceHolder],
        ['routerAddress', chain.current().router],
        ['routerAddress', 'nonsense'],
      ]) {
        for (const route of ['quote', 'swap']) {
          const response = await ask(`/v1/${route}?${trade}&${name}=${address}`, withKey('taker'));
          expect(response.status, `${route} ${name}`).to.equal(400);
          const body = (await response.json()) as { error: string };
          expect(Object.keys(body)).to.deep.equal(['error']);
          expect(body.error).to.contain(name);
        }
      }
    });
  });
});
