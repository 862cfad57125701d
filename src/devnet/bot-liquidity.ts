import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { NEVER, POSITION_MANAGER_ABI, TOKEN_ABI, V2_ROUTER_ABI } from './abi.ts';
import { type BotTransaction, type LiveMarket, pickPool } from './bot-round.ts';
import { encodeMint, type PlacedPool } from './make-pools.ts';
import type { NodeRpc } from './node-rpc.ts';
import { type PoolReading, readPool } from './pool-reading.ts';
import { TICK_SPACING } from './positions.ts';
import { approxBaseUnits } from './token-table.ts';

const POSITION_USD = { least: 500, most: 40_000 };
/** Share of a pair's reserves that is added at once. */
const ADDED_SHARE = { least: 0.0005, most: 0.004 };
const WIDEST_SPACINGS = 20;
const MAX_UINT128 = 2n ** 128n - 1n;

/** A change of liquidity in one random pool: added or, where the bots hold some, taken out. */
export async function planLiquidity(rpc: NodeRpc, market: LiveMarket): Promise<readonly BotTransaction[]> {
  const pool = pickPool(market);
  const reading = await readPool(rpc, pool);
  if (reading === undefined) return [];
  return pool.family === 'uniswap_v3' ? planPosition(rpc, market, pool, reading) : planShare(rpc, market, pool, reading);
}

async function planPosition(rpc: NodeRpc, market: LiveMarket, pool: PlacedPool, reading: PoolReading): Promise<readonly BotTransaction[]> {
  const { provider, random, venues } = market;
  const manager = venues.positionManager;
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

async function planShare(rpc: NodeRpc, market: LiveMarket, pool: PlacedPool, reading: PoolReading): Promise<readonly BotTransaction[]> {
  const { provider, random, venues } = market;
  const router = pool.family === 'uniswap_v2' ? venues.uniswapV2Router : venues.sushiswapV2Router;
  const pair = [pool.token0.address, pool.token1.address] as const;
  const held = await balanceOf(rpc, pool.address, provider);
  if (held > 0n) {
    const approve = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [router, held] });
    const remove = encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'removeLiquidity', args: [...pair, held, 0n, 0n, provider, NEVER] });
    return [
      { from: provider, to: pool.address, data: approve },
      { from: provider, to: router, data: remove },
    ];
  }
  const parts = BigInt(Math.round(1 / random.between(ADDED_SHARE.least, ADDED_SHARE.most)));
  const [reserve0, reserve1] = reading.reserves ?? [0n, 0n];
  if (reserve0 < parts || reserve1 < parts) return [];
  const args = [...pair, reserve0 / parts, reserve1 / parts, 0n, 0n, provider, NEVER] as const;
  return [{ from: provider, to: router, data: encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'addLiquidity', args }) }];
}

async function balanceOf(rpc: NodeRpc, token: Address, account: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [account] });
  const answer = (await rpc.request('eth_call', { to: token, data }, 'latest')) as Hex;
  return decodeFunctionResult({ abi: TOKEN_ABI, functionName: 'balanceOf', data: answer });
}
