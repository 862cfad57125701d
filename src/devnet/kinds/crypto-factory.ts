import { encodeFunctionData, getContractAddress, type Hex, parseAbi } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { PlacedToken } from '../deploy-contracts.ts';

const FACTORY_ABI = parseAbi(['function deploy_pool(address[2] coins, uint256[10] numbers) returns (address pool)']);

/** Of Curve's own pools of the kind: the amplification times 4 with four decimals, gamma with 18; what has to be earned beyond half of the profit, the gamma of fees and the least step with 18, the average's half time in seconds. */
const AMPLIFICATION = 400_000n;
const GAMMA = 145_000_000_000_000n;
const [EXTRA_PROFIT, FEE_GAMMA, STEP, HALF_TIME] = [2_000_000_000_000n, 230_000_000_000_000n, 146_000_000_000_000n, 600n];
/** A share with ten decimals. */
const ADMIN_FEE = 5_000_000_000n;

/** Where the factory's pool is, and the contract of its shares: it makes the shares first, and a contract's first one has its nonce 1. `place`: in the factory's list. */
export function cryptoFactoryPool(factory: Address, place: number): { readonly pool: Address; readonly share: Address } {
  const made = (nonce: number) => asAddress(getContractAddress({ from: factory, nonce: BigInt(nonce) }).toLowerCase());
  return { share: made(2 * place + 1), pool: made(2 * place + 2) };
}

/** Makes a pool at the table's price, which is in its first coin. Fees are shares with ten decimals: of an even pool, and far from even. */
export function deployCryptoPool(coins: readonly [PlacedToken, PlacedToken], midFee: bigint, outFee: bigint): Hex {
  const [first, second] = coins;
  const price = BigInt(Math.round((second.usd / first.usd) * 1e12)) * 1_000_000n;
  const numbers = [AMPLIFICATION, GAMMA, midFee, outFee, EXTRA_PROFIT, FEE_GAMMA, STEP, ADMIN_FEE, HALF_TIME, price] as const;
  return encodeFunctionData({ abi: FACTORY_ABI, args: [[first.address, second.address], numbers] });
}
