import { type Hex, parseAbi } from 'viem';
import { ZERO_ADDRESS } from '../../../src/units/units.ts';
import type { VenueOracle } from '../venue-oracle.ts';

const VAULT = parseAbi([
  'struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'function queryBatchSwap(uint8 kind, Step[] swaps, address[] assets, Funds funds) returns (int256[] assetDeltas)',
]);
const NOBODY = { sender: ZERO_ADDRESS, fromInternalBalance: false, recipient: ZERO_ADDRESS, toInternalBalance: false };

export const venueOracle: VenueOracle = {
  families: ['balancer_v2'],
  async exactIn(read, devnet, { pool, tokenIn, tokenOut }, amount) {
    const steps = [{ poolId: pool.key, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: '0x' }];
    const deltas = (await read(devnet.contract('balancerVault'), VAULT, 'queryBatchSwap', [0, steps, [tokenIn, tokenOut], NOBODY])) as readonly bigint[];
    return -(deltas[1] ?? 0n);
  },
  leg: ({ pool }) => ({ leg: 'balancer_v2', data: pool.key as Hex }),
};
