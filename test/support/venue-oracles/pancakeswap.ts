import { parseAbi } from 'viem';
import type { VenueOracle } from '../venue-oracle.ts';

const PAIR = parseAbi(['function getReserves() view returns (uint112, uint112, uint32)']);
const V2_ROUTER = parseAbi(['function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) view returns (uint256)']);
const V3_PERIPHERY = parseAbi(['function quote(address pool, bool zeroForOne, int256 amountSpecified, uint160 limit) returns (int256, int256)']);
const LOWEST_LIMIT = 4_295_128_740n;
const HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

export const venueOracle: VenueOracle = {
  families: ['pancakeswap_v2', 'pancakeswap_v3'],
  async exactIn(read, devnet, { pool, tokenIn, tokenOut }, amountIn) {
    const zeroForOne = tokenIn < tokenOut;
    if (pool.family === 'pancakeswap_v2') {
      const [reserve0, reserve1] = (await read(pool.address, PAIR, 'getReserves', [])) as readonly [bigint, bigint];
      const reserves = zeroForOne ? [reserve0, reserve1] : [reserve1, reserve0];
      return (await read(devnet.contract('pancakeswapV2Router'), V2_ROUTER, 'getAmountOut', [amountIn, ...reserves])) as bigint;
    }
    const args = [pool.address, zeroForOne, amountIn, zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT];
    const [amount0, amount1] = (await read(devnet.contract('pancakeswapV3Periphery'), V3_PERIPHERY, 'quote', args)) as readonly [bigint, bigint];
    if ((zeroForOne ? amount0 : amount1) !== amountIn) throw new Error('taken in part');
    return zeroForOne ? -amount1 : -amount0;
  },
  // The fee of 25 bps in millionths, three bytes; that the pool calls back by PancakeSwap's name.
  leg: ({ pool }) => (pool.family === 'pancakeswap_v2' ? { leg: 'uniswap_v2', data: '0x0009c4' } : { leg: 'uniswap_v3', data: '0x01' }),
};
