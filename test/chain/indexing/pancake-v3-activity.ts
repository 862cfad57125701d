import { encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { type Devnet, plainMarket } from '../../../src/devnet/devnet.ts';
import { type Address, asAddress } from '../../../src/units/units.ts';
import { tickTable } from '../../../src/venues/concentrated/concentrated-state.ts';
import type { UniswapV3State } from '../../../src/venues/uniswap_v3/state.ts';
import { HIGHEST_LIMIT, LOWEST_LIMIT } from '../../support/random-concentrated-pool.ts';
import { type Activity, ERC20 } from './activity.ts';

const FACTORY = parseAbi([
  'function owner() view returns (address)',
  'function createPool(address, address, uint24) returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
  'function setFeeProtocol(address pool, uint32 feeProtocol0, uint32 feeProtocol1)',
]);
const POOL = parseAbi([
  'function initialize(uint160 sqrtPriceX96)',
  'function burn(int24 lower, int24 upper, uint128 amount) returns (uint256, uint256)',
  'function collect(address recipient, int24 lower, int24 upper, uint128 amount0, uint128 amount1) returns (uint128, uint128)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint32 feeProtocol, bool)',
  'function liquidity() view returns (uint128)',
  'function ticks(int24) view returns (uint128 liquidityGross, int128 liquidityNet, uint256, uint256, int56, uint160, uint32, bool)',
]);
const PERIPHERY = parseAbi([
  'function mint(address pool, int24 lower, int24 upper, uint128 liquidity)',
  'function swap(address pool, bool zeroForOne, int256 amountSpecified, uint160 limit)',
]);
const TRANSFER = parseAbi(['function transfer(address to, uint256 value)']);
/** PancakeSwap's own tiers. */
const TIERS = [
  [100, 1],
  [500, 10],
  [2500, 50],
  [10_000, 200],
] as const;
const MAX_UINT128 = 2n ** 128n - 1n;

type Position = { readonly lower: number; readonly upper: number; liquidity: bigint };
type PancakePool = { readonly address: Address; readonly tokens: readonly [Address, Address]; readonly feePpm: number; readonly tickSpacing: number };

/** What can happen to PancakeSwap's V3 pools, a block each: to pools that it makes itself, so that it knows where their ticks are. */
export type PancakeV3Activity = {
  readonly pools: readonly PancakePool[];
  swap(): Promise<void>;
  add(): Promise<void>;
  /** Takes a position out, in part or whole, or none of it. */
  remove(): Promise<void>;
  /** Tokens given to a pool, which counts them as nobody's. */
  donate(): Promise<void>;
  /** The protocol's part of the fee, ten-thousandths of each side's. */
  setProtocolFee(): Promise<void>;
  /** A pool of a pair and a tier that had none, with a price and a position. */
  create(): Promise<void>;
  stateOf(pool: PancakePool): Promise<UniswapV3State>;
};

export async function openPancakeV3Activity(devnet: Devnet, activity: Activity, random: () => number): Promise<PancakeV3Activity> {
  const { client, mine, request } = activity;
  const me = devnet.accounts[0]?.address as Address;
  const upTo = (count: number): number => Math.floor(random() * count);
  const any = <Item>(items: readonly Item[]): Item => items[upTo(items.length)] as Item;
  const factory = devnet.contract('pancakeswapV3Factory');
  const periphery = devnet.contract('pancakeswapV3Periphery');
  const owner = await client.readContract({ address: factory, abi: FACTORY, functionName: 'owner' });
  await request('anvil_impersonateAccount', owner);
  const tokens = plainMarket(devnet).tokens.map(({ address }) => address);
  await mine(tokens.map((to) => ({ to, data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [periphery, 2n ** 256n - 1n] }) })));

  const pools: PancakePool[] = [];
  const positions = new Map<Address, Position[]>();
  const touched = new Map<Address, Set<number>>();
  const balance = (token: Address) => client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [me] });
  const slot0 = (address: Address) => client.readContract({ address, abi: POOL, functionName: 'slot0' });

  const add = async ({ address, tokens: pair, tickSpacing }: PancakePool): Promise<void> => {
    const held = await Promise.all(pair.map(balance));
    const [, tick] = await slot0(address);
    // Ranges touch often, so that one tick ends a position and starts another.
    const lower = (Math.floor(tick / tickSpacing) + upTo(8) - 5) * tickSpacing;
    const upper = lower + (1 + upTo(4)) * tickSpacing;
    const liquidity = (held[0] as bigint) < (held[1] as bigint) ? (held[0] as bigint) / 10n : (held[1] as bigint) / 10n;
    await mine([{ to: periphery, data: encodeFunctionData({ abi: PERIPHERY, functionName: 'mint', args: [address, lower, upper, liquidity] }) }]);
    positions.get(address)?.push({ lower, upper, liquidity });
    for (const end of [lower, upper]) touched.get(address)?.add(end);
  };
  const create = async (): Promise<void> => {
    const [feePpm, tickSpacing] = TIERS[pools.length % TIERS.length] ?? TIERS[0];
    const pair = [any(tokens), any(tokens)].sort() as [Address, Address];
    const find = () => client.readContract({ address: factory, abi: FACTORY, functionName: 'getPool', args: [...pair, feePpm] });
    if (pair[0] === pair[1] || (await find()) !== zeroAddress) return create();
    await mine([{ to: factory, data: encodeFunctionData({ abi: FACTORY, functionName: 'createPool', args: [...pair, feePpm] }) }]);
    const pool = { address: asAddress(await find()), tokens: pair, feePpm, tickSpacing };
    const sqrtPriceX96 = (2n ** 96n * BigInt(900 + upTo(200))) / 1000n;
    await mine([{ to: pool.address, data: encodeFunctionData({ abi: POOL, functionName: 'initialize', args: [sqrtPriceX96] }) }]);
    pools.push(pool);
    positions.set(pool.address, []);
    touched.set(pool.address, new Set());
    await add(pool);
  };
  for (const _ of TIERS) await create();

  return {
    pools,
    async swap() {
      const { address, tokens: pair } = any(pools);
      const zeroForOne = random() < 0.5;
      const amount = (await balance(zeroForOne ? pair[0] : pair[1])) / BigInt(20 + upTo(100_000)) + 1n;
      const args = [address, zeroForOne, random() < 0.8 ? amount : -amount, zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT] as const;
      await mine([{ to: periphery, data: encodeFunctionData({ abi: PERIPHERY, functionName: 'swap', args }) }]);
    },
    add: () => add(any(pools)),
    async remove() {
      const { address } = any(pools);
      const position = any(positions.get(address) ?? []);
      const amount = any([position.liquidity, position.liquidity / 3n, 0n]);
      const range = [position.lower, position.upper] as const;
      const burn = encodeFunctionData({ abi: POOL, functionName: 'burn', args: [...range, amount] });
      const collect = encodeFunctionData({ abi: POOL, functionName: 'collect', args: [me, ...range, MAX_UINT128, MAX_UINT128] });
      await mine([
        { to: address, data: burn },
        { to: address, data: collect },
      ]);
      position.liquidity -= amount;
    },
    async donate() {
      const { address, tokens: pair } = any(pools);
      await mine([{ to: pair[0], data: encodeFunctionData({ abi: TRANSFER, args: [address, 1n + (await balance(pair[0])) / 10_000n] }) }]);
    },
    async setProtocolFee() {
      const part = () => (random() < 0.3 ? 0 : 1000 + upTo(3001));
      const data = encodeFunctionData({ abi: FACTORY, functionName: 'setFeeProtocol', args: [any(pools).address, part(), part()] });
      await request('eth_sendTransaction', { from: owner, to: factory, data, gas: '0x100000', gasPrice: '0x2e90edd000' });
      await request('evm_mine');
    },
    create,
    async stateOf({ address, feePpm, tickSpacing }) {
      const [sqrtPriceX96, tick] = await slot0(address);
      const liquidity = await client.readContract({ address, abi: POOL, functionName: 'liquidity' });
      const ends = [...(touched.get(address) ?? [])].sort((a, b) => a - b);
      const read = await Promise.all(ends.map((end) => client.readContract({ address, abi: POOL, functionName: 'ticks', args: [end] })));
      const ticks = tickTable(ends.map((end, at) => [end, read[at]?.[1] ?? 0n] as const).filter((_, at) => read[at]?.[0] !== 0n));
      return { feePpm, tickSpacing, sqrtPriceX96, liquidity, tick, ticks, truncated: false };
    },
  };
}
