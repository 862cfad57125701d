import { parseAbi } from 'viem';
import type { OracleHop, VenueOracle } from '../venue-oracle.ts';

const POOL = parseAbi(['function get_dy(int128 i, int128 j, uint256 dx) view returns (uint256)']);

/** Of the plain pools, in millionths. */
const PLAIN_FEE = 400;

export const venueOracle: VenueOracle = {
  families: ['curve'],
  exactIn: async (read, _devnet, hop, amountIn) => (await read(hop.pool.address, POOL, 'get_dy', [...placesOf(hop).map(BigInt), amountIn])) as bigint,
  // A byte that tells whether the pool pays a receiver, which those of the registry do not, and the places of both coins.
  leg(hop) {
    const flags = hop.pool.tokens.length === 3 && hop.pool.feePpm === PLAIN_FEE ? 0 : 1;
    return { leg: 'curve', data: `0x${[flags, ...placesOf(hop)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}` };
  },
};

function placesOf({ pool, tokenIn, tokenOut }: OracleHop): readonly [number, number] {
  return [pool.tokens.indexOf(tokenIn), pool.tokens.indexOf(tokenOut)];
}
