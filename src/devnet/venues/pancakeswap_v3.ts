import {
  concatHex,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  keccak256,
  parseAbi,
} from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { creationCode } from '../artifacts.ts';
import { deployWith } from '../deploy-with.ts';
import type { BotTransaction, DevnetVenue, Ground, PlacedVenue, Provision } from '../devnet-venue.ts';
import { placeAt } from '../kinds/place-at.ts';
import { approxTablePrice, type PlacedPool, type SortedPool } from '../placed-pool.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxSqrtPriceX96, type Position, positionsFor, ticksOf } from '../positions.ts';
import { approxBaseUnits } from '../token-table.ts';

const CORE = '@pancakeswap/v3-core/artifacts/contracts';
const FACTORY_ABI = parseAbi([
  'function createPool(address tokenA, address tokenB, uint24 fee) returns (address pool)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
]);
const POOL_ABI = parseAbi([
  'function initialize(uint160 sqrtPriceX96)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint32 feeProtocol, bool unlocked)',
  'function positions(bytes32 key) view returns (uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128, uint128 tokensOwed0, uint128 tokensOwed1)',
  'function burn(int24 tickLower, int24 tickUpper, uint128 amount) returns (uint256 amount0, uint256 amount1)',
  'function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0Requested, uint128 amount1Requested) returns (uint128 amount0, uint128 amount1)',
]);
const PERIPHERY_ABI = parseAbi([
  'function mint(address pool, int24 lower, int24 upper, uint128 liquidity)',
  'function swap(address pool, bool zeroForOne, int256 amountSpecified, uint160 limit)',
]);

/** PancakeSwap's own tiers. */
const TICK_SPACING: Readonly<Record<number, number>> = { 100: 1, 500: 10, 2500: 50, 10000: 200 };

const ROWS: readonly PoolRow[] = [
  ['WETH/USDC', 500, 7_000_000, 'layered'],
  ['WETH/USDT', 100, 900_000, 'narrow'],
  ['WBTC/WETH', 2500, 4_000_000, 'ladder'],
  ['BSC-USD/USDT', 100, 6_000_000, 'stable'],
  ['LINK/WETH', 2500, 1_200_000, 'gaps'],
  ['PEPE/WETH', 10000, 400_000, 'full'],
];

const PROVISION_USD = { least: 500, most: 40_000 };
/** The bot's only position in a pool: half its liquidity may be out of range at times. */
const PROVISION_SHAPE = { below: -0.04, above: 0.04 };
const MAX_UINT128 = 2n ** 128n - 1n;

/** PancakeSwap's own factory and pools, on our deployer, which they do not publish compiled (decision 91). */
export const devnetVenue: DevnetVenue = {
  title: 'PancakeSwap V3',
  folders: ['uniswap_v3'],
  sources: ['PancakeV3PoolDeployer.sol', 'PancakeV3Periphery.sol'].map((file) => `contracts/devnet/pancake/${file}`),
  pools: (lay) => ROWS.map((row) => lay(...row)),
  place,
};

function place({ script, compiled }: Ground): PlacedVenue {
  const poolCode = creationCode(`${CORE}/PancakeV3Pool.sol/PancakeV3Pool.json`);
  const deployerCode = concatHex([compiled('PancakeV3PoolDeployer'), encodeAbiParameters([{ type: 'bytes' }], [poolCode])]);
  const deployer = script.deploy('PancakeSwap V3 pool deployer', deployerCode);
  const factory = deployWith(script, 'PancakeSwap V3 factory', creationCode(`${CORE}/PancakeV3Factory.sol/PancakeV3Factory.json`), deployer);
  const periphery = deployWith(script, 'PancakeSwap V3 periphery', compiled('PancakeV3Periphery'));
  const addressOf = (pool: SortedPool): Address => poolAddress(pool, deployer, keccak256(poolCode));
  return {
    contracts: { pancakeswapV3Factory: factory, pancakeswapV3Periphery: periphery },
    deployments: [{ venue: 'uniswap_v3', family: 'pancakeswap_v3', factory }],
    spenders: { trade: [periphery], provide: [periphery] },
    make(script, pool) {
      const label = `PancakeSwap V3 ${pool.symbols.join('/')} ${pool.feePpm}`;
      const price = approxTablePrice(pool.token0, pool.token1) * pool.skew;
      const args = [pool.token0.address, pool.token1.address, pool.feePpm] as const;
      script.call(`${label} create`, factory, encodeFunctionData({ abi: FACTORY_ABI, functionName: 'createPool', args }));
      const to = addressOf(pool);
      script.call(`${label} price`, to, encodeFunctionData({ abi: POOL_ABI, functionName: 'initialize', args: [approxSqrtPriceX96(price)] }));
      for (const position of positionsFor(pool.shape, ticksOf(price), spacingOf(pool))) {
        script.call(label, periphery, mintOf(pool, to, position, price, (pool.liquidityUsd / 2) * position.share));
      }
    },
    whereIs({ token0, token1, feePpm }) {
      const functionName = 'getPool';
      return {
        to: factory,
        data: encodeFunctionData({ abi: FACTORY_ABI, functionName, args: [token0.address, token1.address, feePpm] }),
        decode: (data) => placeAt(decodeFunctionResult({ abi: FACTORY_ABI, functionName, data })),
      };
    },
    readNow({ address }) {
      return {
        to: address,
        data: encodeFunctionData({ abi: POOL_ABI, functionName: 'slot0' }),
        decode(data) {
          const [sqrtPriceX96, tick] = decodeFunctionResult({ abi: POOL_ABI, functionName: 'slot0', data });
          return { price: (Number(sqrtPriceX96) / 2 ** 96) ** 2, tick, reserves: null };
        },
      };
    },
    swap({ address }, { price }, { target, largest, trader }) {
      // The price limit stops the swap at the target, whatever liquidity is on the way.
      const args = [address, target < price, largest, approxSqrtPriceX96(target)] as const;
      return [{ from: trader, to: periphery, data: encodeFunctionData({ abi: PERIPHERY_ABI, functionName: 'swap', args }) }];
    },
    changeLiquidity: (pool, { price }, provision) => changePosition(pool, price, provision, periphery),
  };
}

/** Puts the bot's position in, or takes it out. */
async function changePosition(pool: PlacedPool, price: number, { rpc, provider, random }: Provision, periphery: Address): Promise<readonly BotTransaction[]> {
  const spacing = spacingOf(pool);
  const middle = ticksOf(approxTablePrice(pool.token0, pool.token1));
  const tickLower = Math.floor((middle + ticksOf(1 + PROVISION_SHAPE.below)) / spacing) * spacing;
  const tickUpper = Math.ceil((middle + ticksOf(1 + PROVISION_SHAPE.above)) / spacing) * spacing;
  const key = keccak256(encodePacked(['address', 'int24', 'int24'], [provider, tickLower, tickUpper]));
  const question = { to: pool.address, data: encodeFunctionData({ abi: POOL_ABI, functionName: 'positions', args: [key] }) };
  const data = (await rpc.request('eth_call', question, 'latest')) as Hex;
  const [liquidity] = decodeFunctionResult({ abi: POOL_ABI, functionName: 'positions', data });
  if (liquidity === 0n) {
    const usd = random.between(PROVISION_USD.least, PROVISION_USD.most);
    return [{ from: provider, to: periphery, data: mintOf(pool, pool.address, { tickLower, tickUpper, share: 1 }, price, usd) }];
  }
  const burn = encodeFunctionData({ abi: POOL_ABI, functionName: 'burn', args: [tickLower, tickUpper, liquidity] });
  const collect = encodeFunctionData({ abi: POOL_ABI, functionName: 'collect', args: [provider, tickLower, tickUpper, MAX_UINT128, MAX_UINT128] });
  return [
    { from: provider, to: pool.address, data: burn },
    { from: provider, to: pool.address, data: collect },
  ];
}

function spacingOf({ feePpm }: SortedPool): number {
  return TICK_SPACING[feePpm] ?? 1;
}

/** Where the deployer's CREATE2 puts a pool. */
function poolAddress({ token0, token1, feePpm }: SortedPool, deployer: Address, bytecodeHash: Hex): Address {
  const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint24' }], [token0.address, token1.address, feePpm]));
  return asAddress(getContractAddress({ opcode: 'CREATE2', from: deployer, salt, bytecodeHash }));
}

/** A position that takes at most `usd` of either token at this price. */
function mintOf(pool: SortedPool, address: Address, position: Position, price: number, usd: number): Hex {
  const { tickLower, tickUpper } = position;
  const [lowest, highest] = [tickLower, tickUpper].map((tick) => 1.0001 ** (tick / 2)) as [number, number];
  const now = Math.min(Math.max(Math.sqrt(price), lowest), highest);
  const [amount0, amount1] = [Number(approxBaseUnits(pool.token0, usd)), Number(approxBaseUnits(pool.token1, usd))];
  const of0 = now < highest ? amount0 / (1 / now - 1 / highest) : Number.POSITIVE_INFINITY;
  const of1 = now > lowest ? amount1 / (now - lowest) : Number.POSITIVE_INFINITY;
  const liquidity = BigInt(Math.max(1, Math.floor(Math.min(of0, of1))));
  return encodeFunctionData({ abi: PERIPHERY_ABI, functionName: 'mint', args: [address, tickLower, tickUpper, liquidity] });
}
