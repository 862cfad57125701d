import { parseAbi } from 'viem';
import type { VenueOracle } from '../venue-oracle.ts';

const QUOTER = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Single params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
]);
const LOWEST_RATIO = 4_295_128_740n;
const HIGHEST_RATIO = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

export const venueOracle: VenueOracle = {
  families: ['uniswap_v3'],
  async exactIn(read, devnet, { pool, tokenIn, tokenOut }, amountIn) {
    const params = { tokenIn, tokenOut, amountIn, fee: pool.feePpm, sqrtPriceLimitX96: 0n };
    const answer = (await read(devnet.contract('quoterV2'), QUOTER, 'quoteExactInputSingle', [params])) as readonly [bigint, bigint, number, bigint];
    // At the end of the price range the pool stops, and takes what it took until there.
    if (answer[1] <= LOWEST_RATIO || answer[1] >= HIGHEST_RATIO - 1n) throw new Error('taken in part');
    return answer[0];
  },
  leg: () => ({ leg: 'uniswap_v3', data: '0x00' }),
};
