import { encodeFunctionData, parseAbi } from 'viem';
import type { Devnet, DevnetPool } from '../../../src/devnet/devnet.ts';
import type { Address } from '../../../src/units/units.ts';
import type { SolidlyState } from '../../../src/venues/solidly/solidly-pool.ts';
import { type Activity, ERC20 } from './activity.ts';

const POOL = parseAbi([
  'function metadata() view returns (uint256 unit0, uint256 unit1, uint256 reserve0, uint256 reserve1, bool stable, address token0, address token1)',
  'function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256)',
  'function mint(address to)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
  'function sync()',
]);
const FACTORY = parseAbi([
  'function feeManager() view returns (address)',
  'function getFee(address pool, bool stable) view returns (uint256)',
  'function setCustomFee(address pool, uint256 fee)',
  'function setFee(bool stable, uint256 fee)',
  'function setPauseState(bool state)',
  'function isPaused() view returns (bool)',
]);
const TRANSFER = parseAbi(['function transfer(address to, uint256 value)']);

/** What can happen to Aerodrome's pools, a block each. */
export type SolidlyActivity = {
  readonly pools: readonly DevnetPool[];
  swap(): Promise<void>;
  /** Liquidity that goes in, by transfer and mint. */
  add(): Promise<void>;
  /** Tokens given to a pool, which it counts as its own. */
  donate(): Promise<void>;
  /** 0: none of its own, so that the factory's default holds; 420: none is taken. */
  setCustomFee(pool: Address, fee: bigint): Promise<void>;
  setDefaultFee(stable: boolean, fee: bigint): Promise<void>;
  setPaused(paused: boolean): Promise<void>;
  /** What the contracts say of a pool; null while trade is paused. */
  stateOf(pool: Address): Promise<SolidlyState | null>;
};

export async function openSolidlyActivity(devnet: Devnet, { client, request, mine }: Activity, random: () => number): Promise<SolidlyActivity> {
  const me = devnet.accounts[0]?.address as Address;
  const factory = devnet.contract('aerodromeFactory');
  const pools = devnet.pools.filter(({ family }) => family === 'aerodrome');
  const manager = await client.readContract({ address: factory, abi: FACTORY, functionName: 'feeManager' });
  await request('anvil_impersonateAccount', manager);
  const any = () => pools[Math.floor(random() * pools.length)] as DevnetPool;
  const govern = async (data: `0x${string}`): Promise<void> => {
    await request('eth_sendTransaction', { from: manager, to: factory, data, gas: '0x100000', gasPrice: '0x2e90edd000' });
    await request('evm_mine');
  };
  const give = async (token: Address, pool: Address): Promise<{ to: Address; data: `0x${string}`; amount: bigint }> => {
    const balance = await client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [me] });
    const amount = balance / BigInt(1000 + Math.floor(random() * 100_000)) + 1n;
    return { to: token, data: encodeFunctionData({ abi: TRANSFER, args: [pool, amount] }), amount };
  };
  const call = (pool: Address, data: `0x${string}`) => ({ to: pool, data });
  return {
    pools,
    async swap() {
      const { address, tokens } = any();
      const slotIn = random() < 0.5 ? 0 : 1;
      const payment = await give(tokens[slotIn], address);
      const out = await client.readContract({ address, abi: POOL, functionName: 'getAmountOut', args: [payment.amount, tokens[slotIn]] });
      const args = slotIn === 0 ? ([0n, out, me, '0x'] as const) : ([out, 0n, me, '0x'] as const);
      await mine([payment, call(address, encodeFunctionData({ abi: POOL, functionName: 'swap', args }))]);
    },
    async add() {
      const { address, tokens } = any();
      const mint = encodeFunctionData({ abi: POOL, functionName: 'mint', args: [me] });
      await mine([await give(tokens[0], address), await give(tokens[1], address), call(address, mint)]);
    },
    async donate() {
      const { address, tokens } = any();
      await mine([await give(tokens[0], address), call(address, encodeFunctionData({ abi: POOL, functionName: 'sync' }))]);
    },
    setCustomFee: (pool, fee) => govern(encodeFunctionData({ abi: FACTORY, functionName: 'setCustomFee', args: [pool, fee] })),
    setDefaultFee: (stable, fee) => govern(encodeFunctionData({ abi: FACTORY, functionName: 'setFee', args: [stable, fee] })),
    setPaused: (paused) => govern(encodeFunctionData({ abi: FACTORY, functionName: 'setPauseState', args: [paused] })),
    async stateOf(address) {
      const [unit0, unit1, reserve0, reserve1, stable] = await client.readContract({ address, abi: POOL, functionName: 'metadata' });
      const fee = await client.readContract({ address: factory, abi: FACTORY, functionName: 'getFee', args: [address, stable] });
      if (await client.readContract({ address: factory, abi: FACTORY, functionName: 'isPaused' })) return null;
      const decimals = [Math.round(Math.log10(Number(unit0))), Math.round(Math.log10(Number(unit1)))] as const;
      return { stable, reserves: [reserve0, reserve1], decimals, feeBps: Number(fee) };
    },
  };
}
