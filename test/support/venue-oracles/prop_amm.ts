import { concatHex, numberToHex, parseAbi } from 'viem';
import type { VenueOracle } from '../venue-oracle.ts';

const MAKER = parseAbi(['function quote(address tokenIn, address tokenOut, uint256 amountIn) view returns (uint256 amountOut)']);
const MAKERS_ROUTER = '0x4ddf368080cd7946db5b459ad591c350158175e1';

export const venueOracle: VenueOracle = {
  families: ['fermi', 'kipseli'],
  exactIn: async (read, _devnet, { pool, tokenIn, tokenOut }, amountIn) => (await read(pool.address, MAKER, 'quote', [tokenIn, tokenOut, amountIn])) as bigint,
  // Whatever it gives.
  leg: () => ({ leg: 'prop_amm', data: concatHex([MAKERS_ROUTER, numberToHex(0, { size: 1 })]) }),
};
