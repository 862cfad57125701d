import { parseAbi } from 'viem';
import type { VenueOracle } from '../venue-oracle.ts';

const ROUTER = parseAbi(['function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)']);
const ROUTERS: Readonly<Record<string, string>> = { uniswap_v2: 'uniswapV2Router', sushiswap_v2: 'sushiswapV2Router' };

export const venueOracle: VenueOracle = {
  families: Object.keys(ROUTERS),
  async exactIn(read, devnet, { pool, tokenIn, tokenOut }, amountIn) {
    const router = devnet.contract(ROUTERS[pool.family] ?? '');
    const amounts = (await read(router, ROUTER, 'getAmountsOut', [amountIn, [tokenIn, tokenOut]])) as readonly bigint[];
    return amounts[1] ?? 0n;
  },
  // The fee of 30 bps in millionths, three bytes.
  leg: () => ({ leg: 'uniswap_v2', data: '0x000bb8' }),
};
