import { expect } from 'chai';
import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { compileSolidity } from '../../scripts/solidity.ts';
import { useBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { until } from '../support/until.ts';
import { takerOf } from './swap-check.ts';

const TOKEN = parseAbi([
  'function mint(address[] accounts, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function balanceOf(address account) view returns (uint256)',
]);
const ROUTER = parseAbi([
  'function addLiquidityETH(address token, uint256 amount, uint256 least, uint256 leastNative, address to, uint256 deadline) payable',
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
]);
const MAX = 2n ** 256n - 1n;
/** More than any real token has; the largest a contract of the standard can say; what is no number of decimals at all. */
const DECIMALS = [77n, 255n, MAX];

describe('tokens that say odd things of themselves (G11, G12)', function suite() {
  this.timeout(300_000);
  const braid = useBraid();
  const odd = new Map<bigint, Hex>();

  before(async () => {
    const taker = takerOf(braid.current());
    const { account, wallet, reader, devnet } = taker;
    const send = async (call: { readonly to?: Hex; readonly data: Hex; readonly value?: bigint }) => {
      const receipt = await reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ ...call, gas: 5_000_000n }) });
      expect(receipt.status).to.equal('success');
      return receipt;
    };
    const { LoudToken } = await compileSolidity('contracts/devnet/adversaries');
    const router = devnet.contract('uniswapV2Router');
    for (const decimals of DECIMALS) {
      const data = concatHex([LoudToken?.bytecode ?? '0x', encodeAbiParameters([{ type: 'uint256' }], [decimals])]);
      const token = (await send({ data })).contractAddress as Hex;
      await send({ to: token, data: encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [[account.address], 10n ** 30n] }) });
      for (const spender of [router, devnet.allowanceHolder])
        await send({ to: token, data: encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [spender, MAX] }) });
      const args = [token, 10n ** 27n, 0n, 0n, account.address, MAX] as const;
      await send({ to: router, data: encodeFunctionData({ abi: ROUTER, functionName: 'addLiquidityETH', args }), value: 50n * 10n ** 18n });
      odd.set(decimals, token);
    }
  });

  for (const decimals of DECIMALS) {
    it(`${decimals < 1000n ? decimals : '2^256 - 1'} decimals: amounts are exact, USD is unknown, and a swap delivers`, async () => {
      const { publicUrl, apiKey } = braid.current();
      const taker = takerOf(braid.current());
      const token = odd.get(decimals) as Hex;
      const trade = { sellToken: taker.devnet.wrappedNative, buyToken: token, sellAmount: String(10n ** 18n) };
      const query = new URLSearchParams({ chainId: '31337', mode: 'sell', ...trade });
      const ask = () => fetchPatiently(`${publicUrl}/v1/quote?${query}`, { headers: { 'x-api-key': apiKey ?? '' } });
      expect(await until(async () => (await ask()).status === 200, 60_000)).to.equal(true);
      const quote = (await (await ask()).json()) as Readonly<Record<string, unknown>>;
      const amounts = await taker.reader.readContract({
        address: taker.devnet.contract('uniswapV2Router'),
        abi: ROUTER,
        functionName: 'getAmountsOut',
        args: [10n ** 18n, [taker.devnet.wrappedNative, token]],
      });
      expect(quote.buyAmount).to.equal(String(amounts[1]));
      expect(quote).to.include({ amountOutUsd: null, priceImpact: null });
      const balance = () => taker.reader.readContract({ address: token, abi: TOKEN, functionName: 'balanceOf', args: [taker.account.address] });
      const before = await balance();
      const { status, swap, text } = await taker.ask({
        mode: 'sell',
        sellToken: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
        buyToken: token,
        sellAmount: String(10n ** 18n),
      });
      expect(status, text).to.equal(200);
      const { to, data, value } = swap.transaction;
      const hash = await taker.wallet.sendTransaction({ to, data, value: BigInt(value), gas: 3_000_000n });
      expect((await taker.reader.waitForTransactionReceipt({ hash })).status).to.equal('success');
      expect((await balance()) - before).to.equal(BigInt(swap.buyAmount));
    });
  }
});
