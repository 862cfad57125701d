import { type Abi, encodeFunctionData, erc20Abi, parseAbi } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import type { Devnet, DevnetPool } from '../../../src/devnet/devnet.ts';
import { type Address, asBps } from '../../../src/units/units.ts';
import { MAX } from './ground.ts';
import { connectTestChain, type TestChain } from './test-chain.ts';

/** The settlement contracts on the devnet, and what the venues' own contracts say there. */
export type DevnetGround = {
  readonly chain: TestChain;
  readonly devnet: Devnet;
  readonly router: Address;
  readonly allowanceHolder: Address;
  readonly accounts: Readonly<Record<'taker' | 'recipient' | 'partner' | 'collector' | 'victim' | 'bystander', Address>>;
  /** Balances of every account in every token, and native by the sentinel. */
  balances(accounts: readonly Address[], tokens: readonly Address[]): Promise<ReadonlyMap<string, bigint>>;
  /** Output of a pool for an exact input, asked of the venue's own contracts: null where it reverts or would fill in part. */
  quote(pool: DevnetPool, tokenIn: Address, amountIn: bigint): Promise<bigint | null>;
};

const GAS_PRICE = 100n * 10n ** 9n;
const QUOTER_ABI = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Params params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 ticksCrossed, uint256 gasEstimate)',
]);
const SOLIDLY_ABI = parseAbi(['function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256 amountOut)']);
const V2_ABI = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
  'function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) pure returns (uint256 amountOut)',
]);
const LOWEST_RATIO = 4_295_128_740n;
const HIGHEST_RATIO = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

export async function settleOnDevnet(devnet: Devnet): Promise<DevnetGround> {
  const chain = connectTestChain(devnet.rpcUrl, GAS_PRICE);
  await chain.rpc.request('evm_setAutomine', true);
  const [, taker, recipient, partner, victim, bystander, deployer] = devnet.accounts.map(({ address }) => address);
  if (!taker || !recipient || !partner || !victim || !bystander || !deployer) throw new Error('too few accounts');
  const settlement = readSettlementContracts();
  const routerCode = settlement.routerFor(['solidly', 'uniswap_v2', 'uniswap_v3', 'wrap']);
  chain.know(routerCode.abi);
  chain.know(settlement.allowanceHolder.abi);
  const allowanceHolder = await chain.deploy(deployer, settlement.allowanceHolder.creationCode);
  const settings = { allowanceHolder, wrappedNative: devnet.wrappedNative, feeCollector: devnet.feeCollector };
  const router = await chain.deploy(deployer, routerCode.creationCode(settings));
  for (const { address } of devnet.tokens) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [allowanceHolder, MAX] });
    for (const account of [taker, victim]) await chain.mustSend(account, { to: address, data });
  }
  const read = async <T>(address: Address, abi: Abi, name: string, args: readonly unknown[]): Promise<T | null> => {
    try {
      return (await chain.read(address, abi, name, args)) as T;
    } catch {
      return null;
    }
  };
  return {
    chain,
    devnet,
    router,
    allowanceHolder,
    accounts: { taker, recipient, partner, collector: devnet.feeCollector, victim, bystander },
    async balances(accounts, tokens) {
      const places = accounts.flatMap((account) => tokens.map((token) => ({ account, token })));
      const read = await chain.balances(places);
      return new Map(places.map(({ account, token }, i) => [`${account} ${token}`, read[i] ?? 0n]));
    },
    async quote(pool, tokenIn, amountIn) {
      const [token0, token1] = pool.tokens;
      const tokenOut = tokenIn === token0 ? token1 : token0;
      if (pool.family === 'aerodrome') return read<bigint>(pool.address, SOLIDLY_ABI, 'getAmountOut', [amountIn, tokenIn]);
      if (pool.family !== 'uniswap_v3') {
        const reserves = await read<readonly [bigint, bigint, number]>(pool.address, V2_ABI, 'getReserves', []);
        if (reserves === null) return null;
        const [reserveIn, reserveOut] = tokenIn === token0 ? reserves : [reserves[1], reserves[0]];
        return read<bigint>(devnet.venues.uniswapV2Router, V2_ABI, 'getAmountOut', [amountIn, reserveIn, reserveOut]);
      }
      const params = { tokenIn, tokenOut, amountIn, fee: pool.feePpm, sqrtPriceLimitX96: 0n };
      const answer = await read<readonly [bigint, bigint, number, bigint]>(devnet.venues.quoterV2, QUOTER_ABI, 'quoteExactInputSingle', [params]);
      if (answer === null || answer[1] <= LOWEST_RATIO || answer[1] >= HIGHEST_RATIO - 1n) return null;
      return answer[0];
    },
  };
}

/** A hop through a pool of the devnet. */
export function devnetHop(pool: DevnetPool, tokenIn: Address, bps: number): Leg {
  const [token0, token1] = pool.tokens;
  const common = { bps: asBps(bps), tokenIn, tokenOut: tokenIn === token0 ? token1 : token0, pool: pool.address };
  switch (pool.family) {
    case 'uniswap_v3':
      return { ...common, leg: 'uniswap_v3', data: '0x00' };
    case 'aerodrome':
      return { ...common, leg: 'solidly', data: '0x' };
    default:
      return { ...common, leg: 'uniswap_v2', data: '0x000bb8' };
  }
}
