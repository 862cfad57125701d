import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import type { Address } from '../../units/units.ts';
import { NEVER, TOKEN_ABI } from '../abi.ts';
import type { BotTransaction, PlacedVenue, Provision } from '../devnet-venue.ts';
import type { PlacedPool, PoolReading, SortedPool } from '../placed-pool.ts';
import { approxBaseUnits } from '../token-table.ts';
import { balanceOf } from './balance-of.ts';
import { placeAt } from './place-at.ts';

const V2_FACTORY_ABI = parseAbi([
  'function createPair(address tokenA, address tokenB) returns (address pair)',
  'function getPair(address tokenA, address tokenB) view returns (address pair)',
]);
const V2_PAIR_ABI = parseAbi(['function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)']);
const V2_ROUTER_ABI = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'function removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

/** Share of a pair's reserves that is added at once. */
const ADDED_SHARE = { least: 0.0005, most: 0.004 };

type Placed = { readonly factory: Address; readonly router: Address };

/** Pools of Uniswap V2 or a fork: a factory and a router. */
export function constantProduct(
  family: string,
  { factory, router }: Placed,
): Pick<PlacedVenue, 'deployments' | 'spenders' | 'make' | 'whereIs' | 'readNow' | 'swap' | 'changeLiquidity'> {
  return {
    deployments: [{ venue: 'uniswap_v2', family, factory }],
    spenders: { trade: [router], provide: [router] },
    make(script, pool, owner) {
      const label = `${family} ${pool.symbols.join('/')}`;
      const pair = pairOf(pool);
      if (pool.liquidityUsd === 0) {
        script.call(label, factory, encodeFunctionData({ abi: V2_FACTORY_ABI, functionName: 'createPair', args: pair }));
        return;
      }
      const amount0 = approxBaseUnits(pool.token0, pool.liquidityUsd / 2);
      const amount1 = approxBaseUnits(pool.token1, (pool.liquidityUsd / 2) * pool.skew);
      const args = [...pair, amount0, amount1, 0n, 0n, owner, NEVER] as const;
      script.call(label, router, encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'addLiquidity', args }));
    },
    whereIs(pool) {
      const functionName = 'getPair';
      return {
        to: factory,
        data: encodeFunctionData({ abi: V2_FACTORY_ABI, functionName, args: pairOf(pool) }),
        decode: (data) => placeAt(decodeFunctionResult({ abi: V2_FACTORY_ABI, functionName, data })),
      };
    },
    readNow({ address }) {
      return {
        to: address,
        data: encodeFunctionData({ abi: V2_PAIR_ABI }),
        decode(data) {
          const [reserve0, reserve1] = decodeFunctionResult({ abi: V2_PAIR_ABI, functionName: 'getReserves', data });
          return reserve0 === 0n || reserve1 === 0n ? undefined : { price: Number(reserve1) / Number(reserve0), tick: null, reserves: [reserve0, reserve1] };
        },
      };
    },
    swap(pool, { price, reserves }, { target, largest, trader }) {
      // A constant product moves its price by the square of the growth of the reserve that is paid into.
      const growth = Math.sqrt(target < price ? price / target : target / price);
      const reserveIn = Number(reserves?.[target < price ? 0 : 1] ?? 0n);
      const amount = BigInt(Math.floor((reserveIn * (growth - 1)) / (1 - pool.feePpm / 1e6)));
      if (amount < 1n) return [];
      const path = target < price ? pairOf(pool) : pairOf(pool).toReversed();
      const args = [amount < largest ? amount : largest, 0n, path, trader, NEVER] as const;
      const data = encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'swapExactTokensForTokens', args });
      return [{ from: trader, to: router, data }];
    },
    changeLiquidity: (pool, reading, provision) => changeShare(pool, reading, provision, router),
  };
}

function pairOf({ token0, token1 }: SortedPool): readonly [Address, Address] {
  return [token0.address, token1.address];
}

async function changeShare(pool: PlacedPool, reading: PoolReading, { rpc, provider, random }: Provision, router: Address): Promise<readonly BotTransaction[]> {
  const held = await balanceOf(rpc, pool.address, provider);
  if (held > 0n) {
    const approve = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [router, held] });
    const remove = encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'removeLiquidity', args: [...pairOf(pool), held, 0n, 0n, provider, NEVER] });
    return [
      { from: provider, to: pool.address, data: approve },
      { from: provider, to: router, data: remove },
    ];
  }
  const parts = BigInt(Math.round(1 / random.between(ADDED_SHARE.least, ADDED_SHARE.most)));
  const [reserve0, reserve1] = reading.reserves ?? [0n, 0n];
  if (reserve0 < parts || reserve1 < parts) return [];
  const args = [...pairOf(pool), reserve0 / parts, reserve1 / parts, 0n, 0n, provider, NEVER] as const;
  return [{ from: provider, to: router, data: encodeFunctionData({ abi: V2_ROUTER_ABI, functionName: 'addLiquidity', args }) }];
}
