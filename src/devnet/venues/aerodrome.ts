import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { type Address, ZERO_ADDRESS } from '../../units/units.ts';
import { NEVER, TOKEN_ABI } from '../abi.ts';
import { deployWith } from '../deploy-with.ts';
import type { BotTransaction, DevnetVenue, Ground, PlacedVenue, Provision } from '../devnet-venue.ts';
import { balanceOf } from '../kinds/balance-of.ts';
import { placeAt } from '../kinds/place-at.ts';
import type { PlacedPool, PoolReading, SortedPool } from '../placed-pool.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxBaseUnits } from '../token-table.ts';

const FACTORY_ABI = parseAbi(['function getPool(address tokenA, address tokenB, bool stable) view returns (address pool)']);
const POOL_ABI = parseAbi([
  'function metadata() view returns (uint256 unit0, uint256 unit1, uint256 reserve0, uint256 reserve1, bool stable, address token0, address token1)',
]);
const ROUTER_ABI = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, bool stable, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'function removeLiquidity(address tokenA, address tokenB, bool stable, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'struct Route { address from; address to; bool stable; address factory; }',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, Route[] routes, address to, uint256 deadline)',
]);

/** Stable: the curve for tokens of one worth. Its first deposit has to be of equal amounts. */
const ROWS: readonly PoolRow[] = [
  ['WETH/USDC', 3000, 3_000_000, 'full'],
  ['WETH/DAI', 3000, 500_000, 'full'],
  ['WBTC/WETH', 3000, 1_500_000, 'full'],
  ['LINK/WETH', 3000, 300_000, 'full'],
  ['AAVE/USDC', 3000, 90_000, 'full'],
  ['USDC/DAI', 500, 4_000_000, 'stable'],
  ['USDC/BSC-USD', 500, 1_200_000, 'stable'],
  ['GUSD/DAI', 500, 150_000, 'stable'],
];

const ADDED_PARTS = { least: 250, most: 2000 };
/** Of the reserve that is paid into, in one swap: the stable curve moves its price little until it gives out. */
const SWAP_SHARE = 0.02;

/** Aerodrome: pools of Solidly's two curves, from its authors' sources. */
export const devnetVenue: DevnetVenue = {
  title: 'Aerodrome',
  folders: ['solidly'],
  sources: ['Pool.sol', 'Router.sol', 'factories/PoolFactory.sol', 'factories/FactoryRegistry.sol'].map(
    (file) => `sphere-mezo-solidity-files/domains/aerodrome/contracts/${file}`,
  ),
  pools: (lay) => ROWS.map((row) => lay(...row)),
  place,
};

function place({ script, compiled, deployer, wrappedNative }: Ground): PlacedVenue {
  const factory = deployWith(script, 'Aerodrome factory', compiled('PoolFactory'), deployWith(script, 'Aerodrome pool', compiled('Pool')));
  // Gauges and rewards are none of the chain's business: their factories are only asked to be there.
  const registry = deployWith(script, 'Aerodrome registry', compiled('FactoryRegistry'), factory, deployer, deployer, deployer);
  const router = deployWith(script, 'Aerodrome router', compiled('Router'), ZERO_ADDRESS, registry, factory, ZERO_ADDRESS, wrappedNative);
  return {
    contracts: { aerodromeFactory: factory, aerodromeRouter: router },
    deployments: [{ venue: 'solidly', family: 'aerodrome', factory }],
    spenders: { trade: [router], provide: [router] },
    make(script, pool, owner) {
      const { token0, token1, liquidityUsd, skew } = pool;
      // The first deposit of a stable pool has to be of equal amounts of both tokens.
      const usd = isStable(pool) ? Math.floor(liquidityUsd / 2) : liquidityUsd / 2;
      const amounts = [approxBaseUnits(token0, usd), approxBaseUnits(token1, isStable(pool) ? usd : usd * skew)] as const;
      const args = [token0.address, token1.address, isStable(pool), ...amounts, 0n, 0n, owner, NEVER] as const;
      script.call(`Aerodrome ${pool.symbols.join('/')}`, router, encodeFunctionData({ abi: ROUTER_ABI, functionName: 'addLiquidity', args }));
    },
    whereIs(pool) {
      return {
        to: factory,
        data: encodeFunctionData({ abi: FACTORY_ABI, args: [pool.token0.address, pool.token1.address, isStable(pool)] }),
        decode: (data) => placeAt(decodeFunctionResult({ abi: FACTORY_ABI, functionName: 'getPool', data })),
      };
    },
    readNow({ address }) {
      return {
        to: address,
        data: encodeFunctionData({ abi: POOL_ABI }),
        decode(data) {
          const [unit0, unit1, reserve0, reserve1, stable] = decodeFunctionResult({ abi: POOL_ABI, functionName: 'metadata', data });
          if (reserve0 === 0n || reserve1 === 0n) return undefined;
          const [x, y] = [Number(reserve0) / Number(unit0), Number(reserve1) / Number(unit1)];
          // Of the invariant's partial derivatives.
          const price = stable ? (3 * x * x * y + y ** 3) / (x ** 3 + 3 * x * y * y) : y / x;
          return { price: (price * Number(unit1)) / Number(unit0), tick: null, reserves: [reserve0, reserve1] };
        },
      };
    },
    swap(pool, { price, reserves }, { target, largest, trader }) {
      const [from, to] = target < price ? [pool.token0.address, pool.token1.address] : [pool.token1.address, pool.token0.address];
      const reserveIn = Number(reserves?.[target < price ? 0 : 1] ?? 0n);
      // As a constant product needs for that price: of the stable curve that is too little by a factor, which later rounds make up for.
      const share = Math.min(Math.sqrt(target < price ? price / target : target / price) - 1, SWAP_SHARE);
      const amount = BigInt(Math.floor((reserveIn * share) / (1 - pool.feePpm / 1e6)));
      if (amount < 1n) return [];
      const route = { from, to, stable: isStable(pool), factory };
      const args = [amount < largest ? amount : largest, 0n, [route], trader, NEVER] as const;
      return [{ from: trader, to: router, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swapExactTokensForTokens', args }) }];
    },
    changeLiquidity: (pool, reading, provision) => changeShare(pool, reading, provision, router),
  };
}

function isStable({ shape }: SortedPool): boolean {
  return shape === 'stable';
}

async function changeShare(pool: PlacedPool, reading: PoolReading, { rpc, provider, random }: Provision, router: Address): Promise<readonly BotTransaction[]> {
  const pair = [pool.token0.address, pool.token1.address, isStable(pool)] as const;
  const held = await balanceOf(rpc, pool.address, provider);
  if (held > 0n) {
    const approve = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [router, held] });
    const remove = encodeFunctionData({ abi: ROUTER_ABI, functionName: 'removeLiquidity', args: [...pair, held, 0n, 0n, provider, NEVER] });
    return [
      { from: provider, to: pool.address, data: approve },
      { from: provider, to: router, data: remove },
    ];
  }
  const parts = BigInt(Math.round(random.between(ADDED_PARTS.least, ADDED_PARTS.most)));
  const [reserve0, reserve1] = reading.reserves ?? [0n, 0n];
  if (reserve0 < parts || reserve1 < parts) return [];
  const args = [...pair, reserve0 / parts, reserve1 / parts, 0n, 0n, provider, NEVER] as const;
  return [{ from: provider, to: router, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'addLiquidity', args }) }];
}
