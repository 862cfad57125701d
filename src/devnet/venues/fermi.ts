import { propAMM } from '../kinds/prop-amm.ts';

export const devnetVenue = propAMM('fermi', 'Fermi', [
  ['WETH/USDC', 400, 4_000_000, 'full'],
  ['WBTC/WETH', 500, 2_000_000, 'full'],
  ['LINK/WETH', 900, 400_000, 'full'],
  ['USDC/USDT', 60, 1_500_000, 'full'],
]);
