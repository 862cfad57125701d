import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import type { Address } from '../../units/units.ts';
import { NEVER } from '../abi.ts';
import type { BotTransaction, PlacedVenue, Provision } from '../devnet-venue.ts';
import type { NodeRpc } from '../node-rpc.ts';
import { approxTablePrice, type PlacedPool, type PoolReading, type SortedPool } from '../placed-pool.ts';
import { approxSqrtPriceX96, positionsFor, TICK_SPACING, ticksOf } from '../positions.ts';
import { approxBaseUnits } from '../token-table.ts';
import { balanceOf } from './balance-of.ts';
import { placeAt } from './place-at.ts';

export const V3_FACTORY_ABI = parseAbi([
  'function enableFeeAmount(uint24 fee, int24 tickSpacing)',
  'function createPool(address tokenA, address tokenB, uint24 fee) returns (address pool)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
]);
const V3_POOL_ABI = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
]);
const POSITION_MANAGER_ABI = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'struct DecreaseParams { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(DecreaseParams params) payable returns (uint256 amount0, uint256 amount1)',
  'struct CollectParams { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function collect(CollectParams params) payable returns (uint256 amount0, uint256 amount1)',
  'function burn(uint256 tokenId) payable',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  'function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128, uint128 tokensOwed0, uint128 tokensOwed1)',
]);
export const SWAP_ROUTER_ABI = parseAbi([
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
]);

const POSITION_USD = { least: 500, most: 40_000 };
const WIDEST_SPACINGS = 20;
const MAX_UINT128 = 2n ** 128n - 1n;

type Placed = { readonly factory: Address; readonly positionManager: Address; readonly swapRouter: Address };

/** Pools of Uniswap V3 or a fork whose periphery has its interface. */
export function concentrated(
  family: string,
  { factory, positionManager, swapRouter }: Placed,
): Pick<PlacedVenue, 'deployments' | 'spenders' | 'make' | 'whereIs' | 'readNow' | 'swap' | 'changeLiquidity'> {
  return {
    deployments: [{ venue: 'uniswap_v3', family, factory }],
    spenders: { trade: [swapRouter], provide: [positionManager] },
    make(script, pool, owner) {
      const label = `${family} ${pool.symbols.join('/')} ${pool.feePpm}`;
      const pair = [pool.token0.address, pool.token1.address] as const;
      if (pool.shape === 'none') {
        script.call(label, factory, encodeFunctionData({ abi: V3_FACTORY_ABI, functionName: 'createPool', args: [...pair, pool.feePpm] }));
        return;
      }
      const price = approxTablePrice(pool.token0, pool.token1) * pool.skew;
      const create = encodeFunctionData({
        abi: POSITION_MANAGER_ABI,
        functionName: 'createAndInitializePoolIfNecessary',
        args: [...pair, pool.feePpm, approxSqrtPriceX96(price)],
      });
      script.call(`${label} create`, positionManager, create);
      for (const position of positionsFor(pool.shape, ticksOf(price), TICK_SPACING[pool.feePpm] ?? 1)) {
        const usd = (pool.liquidityUsd / 2) * position.share;
        const data = encodeMint(pool, position.tickLower, position.tickUpper, approxBaseUnits(pool.token0, usd), approxBaseUnits(pool.token1, usd), owner);
        script.call(`${label} ${position.tickLower}…${position.tickUpper}`, positionManager, data);
      }
    },
    whereIs({ token0, token1, feePpm }) {
      const functionName = 'getPool';
      return {
        to: factory,
        data: encodeFunctionData({ abi: V3_FACTORY_ABI, functionName, args: [token0.address, token1.address, feePpm] }),
        decode: (data) => placeAt(decodeFunctionResult({ abi: V3_FACTORY_ABI, functionName, data })),
      };
    },
    readNow({ address }) {
      return {
        to: address,
        data: encodeFunctionData({ abi: V3_POOL_ABI }),
        decode(data) {
          const [sqrtPriceX96, tick] = decodeFunctionResult({ abi: V3_POOL_ABI, functionName: 'slot0', data });
          return sqrtPriceX96 === 0n ? undefined : { price: (Number(sqrtPriceX96) / 2 ** 96) ** 2, tick, reserves: null };
        },
      };
    },
    swap({ token0, token1, feePpm }, { price }, { target, largest, trader }) {
      const [tokenIn, tokenOut] = target < price ? [token0, token1] : [token1, token0];
      // The price limit stops the swap at the target, whatever liquidity is on the way.
      const params = {
        tokenIn: tokenIn.address,
        tokenOut: tokenOut.address,
        fee: feePpm,
        recipient: trader,
        deadline: NEVER,
        amountIn: largest,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: approxSqrtPriceX96(target),
      };
      return [{ from: trader, to: swapRouter, data: encodeFunctionData({ abi: SWAP_ROUTER_ABI, functionName: 'exactInputSingle', args: [params] }) }];
    },
    changeLiquidity: (pool, reading, provision) => changePosition(pool, reading, provision, positionManager),
  };
}

async function changePosition(
  pool: PlacedPool,
  reading: PoolReading,
  { rpc, provider, random }: Provision,
  manager: Address,
): Promise<readonly BotTransaction[]> {
  const held = await balanceOf(rpc, manager, provider);
  if (held > 0n && (held >= LIMITS.devnet.bots.positions || random.unit() < 0.5)) {
    const data = await planRemoval(rpc, manager, provider, BigInt(random.below(Number(held))));
    return [{ from: provider, to: manager, data }];
  }
  const spacing = TICK_SPACING[pool.feePpm] ?? 1;
  const width = 1 + random.below(WIDEST_SPACINGS);
  // From just above the price to just below it: some positions are in range, some are not.
  const below = random.below(width + 2);
  const tickLower = (Math.floor((reading.tick ?? 0) / spacing) - below) * spacing;
  const usd = random.between(POSITION_USD.least, POSITION_USD.most);
  const amounts = [approxBaseUnits(pool.token0, usd), approxBaseUnits(pool.token1, usd)] as const;
  return [{ from: provider, to: manager, data: encodeMint(pool, tickLower, tickLower + width * spacing, ...amounts, provider) }];
}

/** All that a position takes to be gone: liquidity out, tokens out, token of the position burnt. */
async function planRemoval(rpc: NodeRpc, manager: Address, provider: Address, index: bigint): Promise<Hex> {
  const abi = POSITION_MANAGER_ABI;
  const ask = async (data: Hex): Promise<Hex> => (await rpc.request('eth_call', { to: manager, data }, 'latest')) as Hex;
  const idData = await ask(encodeFunctionData({ abi, functionName: 'tokenOfOwnerByIndex', args: [provider, index] }));
  const tokenId = decodeFunctionResult({ abi, functionName: 'tokenOfOwnerByIndex', data: idData });
  const positionData = await ask(encodeFunctionData({ abi, functionName: 'positions', args: [tokenId] }));
  const liquidity = decodeFunctionResult({ abi, functionName: 'positions', data: positionData })[7];
  const decrease = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: NEVER };
  const collect = { tokenId, recipient: provider, amount0Max: MAX_UINT128, amount1Max: MAX_UINT128 };
  const parts = [
    encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [decrease] }),
    encodeFunctionData({ abi, functionName: 'collect', args: [collect] }),
    encodeFunctionData({ abi, functionName: 'burn', args: [tokenId] }),
  ];
  return encodeFunctionData({ abi, functionName: 'multicall', args: [parts] });
}

/** The position manager's mint, for the devnet's own positions: no limits, no deadline. */
function encodeMint(pool: SortedPool, tickLower: number, tickUpper: number, amount0: bigint, amount1: bigint, recipient: Address): Hex {
  const params = {
    token0: pool.token0.address,
    token1: pool.token1.address,
    fee: pool.feePpm,
    tickLower,
    tickUpper,
    amount0Desired: amount0,
    amount1Desired: amount1,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient,
    deadline: NEVER,
  };
  return encodeFunctionData({ abi: POSITION_MANAGER_ABI, functionName: 'mint', args: [params] });
}
