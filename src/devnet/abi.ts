import { parseAbi } from 'viem';

/** The calls of tokens that the devnet itself makes and reads. */
export const TOKEN_ABI = parseAbi([
  'function mint(address[] accounts, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function deposit() payable',
  'function balanceOf(address account) view returns (uint256)',
]);

/** As far as deadlines of the devnet's own transactions go: they never expire. */
export const NEVER = 2n ** 64n;
