import { parseAbi } from 'viem';
import type { VenueOracle } from '../venue-oracle.ts';

const POOL = parseAbi(['function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256 amountOut)']);

export const venueOracle: VenueOracle = {
  families: ['aerodrome'],
  exactIn: async (read, _devnet, { pool, tokenIn }, amountIn) => (await read(pool.address, POOL, 'getAmountOut', [amountIn, tokenIn])) as bigint,
  leg: () => ({ leg: 'solidly', data: '0x' }),
};
