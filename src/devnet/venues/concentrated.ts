import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import { type Address, asAddress } from '../../units/units.ts';
import { NEVER, POSITION_MANAGER_ABI, SWAP_ROUTER_ABI, V3_FACTORY_ABI, V3_POOL_ABI } from '../abi.ts';
import type { NodeRpc } from '../node-rpc.ts';
import { approxTablePrice, type PlacedPool, type PoolReading, type SortedPool } from '../placed-pool.ts';
import { approxSqrtPriceX96, positionsFor, TICK_SPACING, ticksOf } from '../positions.ts';
import { approxBaseUnits } from '../token-table.ts';
import { balanceOf } from './balance-of.ts';
import type { BotTransaction, DevnetVenue, Provision } from './devnet-venue.ts';

const POSITION_USD = { least: 500, most: 40_000 };
const WIDEST_SPACINGS = 20;
const MAX_UINT128 = 2n ** 128n - 1n;

/** Uniswap V3. */
export const concentrated: DevnetVenue = {
  deployments: ({ uniswapV3Factory }) => [{ venue: 'uniswap_v3', family: 'uniswap_v3', factory: uniswapV3Factory }],
  spenders: ({ swapRouter, positionManager }) => ({ trade: [swapRouter], provide: [positionManager] }),
  make(script, pool, { uniswapV3Factory, positionManager }, owner) {
    const label = `V3 ${pool.symbols.join('/')} ${pool.feePpm}`;
    const pair = [pool.token0.address, pool.token1.address] as const;
    if (pool.shape === 'none') {
      script.call(label, uniswapV3Factory, encodeFunctionData({ abi: V3_FACTORY_ABI, functionName: 'createPool', args: [...pair, pool.feePpm] }));
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
  whereIs({ token0, token1, feePpm }, { uniswapV3Factory }) {
    const functionName = 'getPool';
    return {
      to: uniswapV3Factory,
      data: encodeFunctionData({ abi: V3_FACTORY_ABI, functionName, args: [token0.address, token1.address, feePpm] }),
      decode: (data) => asAddress(decodeFunctionResult({ abi: V3_FACTORY_ABI, functionName, data })),
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
  swap({ token0, token1, feePpm }, { price }, { target, largest, trader }, { swapRouter }) {
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
  changeLiquidity: changePosition,
};

async function changePosition(pool: PlacedPool, reading: PoolReading, { rpc, contracts, provider, random }: Provision): Promise<readonly BotTransaction[]> {
  const manager = contracts.positionManager;
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
