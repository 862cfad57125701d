import { propAMM } from '../kinds/prop-amm.ts';

export const devnetVenue = propAMM('kipseli', 'Kipseli', [
  ['WETH/USDC', 450, 1_500_000, 'full'],
  ['GUSD/USDC', 300, 200_000, 'full'],
]);
