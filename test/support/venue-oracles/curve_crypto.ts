import { parseAbi } from 'viem';
import type { OracleHop, VenueOracle } from '../venue-oracle.ts';

const POOL = parseAbi(['function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)']);

export const venueOracle: VenueOracle = {
  families: ['curve_crypto'],
  // The pool's view is exact while its parameters stand, which they do on a devnet that nobody governs.
  exactIn: async (read, _devnet, hop, amountIn) => (await read(hop.pool.address, POOL, 'get_dy', [...placesOf(hop).map(BigInt), amountIn])) as bigint,
  // Pays its caller, and its places are wide; then the places of both coins.
  leg: (hop) => ({ leg: 'curve', data: `0x${[2, ...placesOf(hop)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}` }),
};

function placesOf({ pool, tokenIn, tokenOut }: OracleHop): readonly [number, number] {
  return [pool.tokens.indexOf(tokenIn), pool.tokens.indexOf(tokenOut)];
}
