import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { NEVER, SOLIDLY_FACTORY_ABI, SOLIDLY_POOL_ABI, SOLIDLY_ROUTER_ABI, TOKEN_ABI } from '../abi.ts';
import type { PlacedPool, PoolReading, SortedPool } from '../placed-pool.ts';
import { approxBaseUnits } from '../token-table.ts';
import { balanceOf } from './balance-of.ts';
import type { BotTransaction, DevnetVenue, Provision } from './devnet-venue.ts';

const ADDED_PARTS = { least: 250, most: 2000 };
/** Of the reserve that is paid into, in one swap: the stable curve moves its price little until it gives out. */
const SWAP_SHARE = 0.02;

/** Aerodrome: pools of Solidly's two curves. */
export const solidly: DevnetVenue = {
  deployments: ({ aerodromeFactory }) => [{ venue: 'solidly', family: 'aerodrome', factory: aerodromeFactory }],
  spenders: ({ aerodromeRouter }) => ({ trade: [aerodromeRouter], provide: [aerodromeRouter] }),
  make(script, pool, { aerodromeRouter }, owner) {
    const { token0, token1, liquidityUsd, skew } = pool;
    // The first deposit of a stable pool has to be of equal amounts of both tokens.
    const usd = isStable(pool) ? Math.floor(liquidityUsd / 2) : liquidityUsd / 2;
    const amounts = [approxBaseUnits(token0, usd), approxBaseUnits(token1, isStable(pool) ? usd : usd * skew)] as const;
    const args = [token0.address, token1.address, isStable(pool), ...amounts, 0n, 0n, owner, NEVER] as const;
    script.call(`Aerodrome ${pool.symbols.join('/')}`, aerodromeRouter, encodeFunctionData({ abi: SOLIDLY_ROUTER_ABI, functionName: 'addLiquidity', args }));
  },
  whereIs(pool, { aerodromeFactory }) {
    return {
      to: aerodromeFactory,
      data: encodeFunctionData({ abi: SOLIDLY_FACTORY_ABI, args: [pool.token0.address, pool.token1.address, isStable(pool)] }),
      decode: (data) => asAddress(decodeFunctionResult({ abi: SOLIDLY_FACTORY_ABI, functionName: 'getPool', data })),
    };
  },
  readNow({ address }) {
    return {
      to: address,
      data: encodeFunctionData({ abi: SOLIDLY_POOL_ABI }),
      decode(data) {
        const [unit0, unit1, reserve0, reserve1, stable] = decodeFunctionResult({ abi: SOLIDLY_POOL_ABI, functionName: 'metadata', data });
        if (reserve0 === 0n || reserve1 === 0n) return undefined;
        const [x, y] = [Number(reserve0) / Number(unit0), Number(reserve1) / Number(unit1)];
        // Of the invariant's partial derivatives.
        const price = stable ? (3 * x * x * y + y ** 3) / (x ** 3 + 3 * x * y * y) : y / x;
        return { price: (price * Number(unit1)) / Number(unit0), tick: null, reserves: [reserve0, reserve1] };
      },
    };
  },
  swap(pool, { price, reserves }, { target, largest, trader }, { aerodromeRouter, aerodromeFactory }) {
    const [from, to] = target < price ? [pool.token0.address, pool.token1.address] : [pool.token1.address, pool.token0.address];
    const reserveIn = Number(reserves?.[target < price ? 0 : 1] ?? 0n);
    // As a constant product needs for that price: of the stable curve that is too little by a factor, which later rounds make up for.
    const share = Math.min(Math.sqrt(target < price ? price / target : target / price) - 1, SWAP_SHARE);
    const amount = BigInt(Math.floor((reserveIn * share) / (1 - pool.feePpm / 1e6)));
    if (amount < 1n) return [];
    const route = { from, to, stable: isStable(pool), factory: aerodromeFactory };
    const args = [amount < largest ? amount : largest, 0n, [route], trader, NEVER] as const;
    return [{ from: trader, to: aerodromeRouter, data: encodeFunctionData({ abi: SOLIDLY_ROUTER_ABI, functionName: 'swapExactTokensForTokens', args }) }];
  },
  changeLiquidity: changeShare,
};

function isStable({ shape }: SortedPool): boolean {
  return shape === 'stable';
}

async function changeShare(pool: PlacedPool, reading: PoolReading, { rpc, contracts, provider, random }: Provision): Promise<readonly BotTransaction[]> {
  const router: Address = contracts.aerodromeRouter;
  const pair = [pool.token0.address, pool.token1.address, isStable(pool)] as const;
  const held = await balanceOf(rpc, pool.address, provider);
  if (held > 0n) {
    const approve = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [router, held] });
    const remove = encodeFunctionData({ abi: SOLIDLY_ROUTER_ABI, functionName: 'removeLiquidity', args: [...pair, held, 0n, 0n, provider, NEVER] });
    return [
      { from: provider, to: pool.address, data: approve },
      { from: provider, to: router, data: remove },
    ];
  }
  const parts = BigInt(Math.round(random.between(ADDED_PARTS.least, ADDED_PARTS.most)));
  const [reserve0, reserve1] = reading.reserves ?? [0n, 0n];
  if (reserve0 < parts || reserve1 < parts) return [];
  const args = [...pair, reserve0 / parts, reserve1 / parts, 0n, 0n, provider, NEVER] as const;
  return [{ from: provider, to: router, data: encodeFunctionData({ abi: SOLIDLY_ROUTER_ABI, functionName: 'addLiquidity', args }) }];
}
