import { parseAbi } from 'viem';

/** A rate, 18 decimals, that its owner says: what tokens that earn are worth to the venues that ask. */
export const SETTABLE_RATE = {
  source: 'contracts/devnet/venues/SettableRate.sol',
  contract: 'SettableRate',
  abi: parseAbi(['function set(uint256 rate, bool silent)', 'function getRate() view returns (uint256)']),
} as const;
