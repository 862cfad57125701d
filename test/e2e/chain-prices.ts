import { createPublicClient, type Hex, http, parseAbi } from 'viem';
import { foundry } from 'viem/chains';
import type { Devnet } from '../../src/devnet/devnet.ts';
import type { PriceHop } from './replay.ts';

const V2_ROUTER = parseAbi(['function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)']);
const V3_POOL = parseAbi(['function fee() view returns (uint24)']);
const SOLIDLY_POOL = parseAbi(['function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256 amountOut)']);
const QUOTER = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Single params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
]);

/** Prices hops at one block through the venues' own router and quoter contracts: the oracle of every quote. */
export function chainPrices(devnet: Devnet, blockNumber: number): PriceHop {
  const client = createPublicClient({ chain: foundry, transport: http(devnet.rpcUrl, { batch: false }) });
  const block = { blockNumber: BigInt(blockNumber) };
  const { venues } = devnet;
  return async (hop, amountIn) => {
    const [tokenIn, tokenOut] = [hop.tokenIn as Hex, hop.tokenOut as Hex];
    if (hop.protocol === 'uniswap_v3') {
      const fee = await client.readContract({ address: hop.poolAddress as Hex, abi: V3_POOL, functionName: 'fee' });
      const args = [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }] as const;
      const { result } = await client.simulateContract({ address: venues.quoterV2, abi: QUOTER, functionName: 'quoteExactInputSingle', args, ...block });
      return result[0];
    }
    if (hop.protocol === 'aerodrome')
      return client.readContract({ address: hop.poolAddress as Hex, abi: SOLIDLY_POOL, functionName: 'getAmountOut', args: [amountIn, tokenIn], ...block });
    const address = { uniswap_v2: venues.uniswapV2Router, sushiswap_v2: venues.sushiswapV2Router }[hop.protocol];
    if (address === undefined) throw new Error(`no router of ${hop.protocol} on the devnet`);
    const amounts = await client.readContract({ address, abi: V2_ROUTER, functionName: 'getAmountsOut', args: [amountIn, [tokenIn, tokenOut]], ...block });
    return amounts[1] ?? 0n;
  };
}
