import { concatHex, decodeFunctionResult, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { deployWith } from '../deploy-with.ts';
import type { DevnetVenue, Ground, PlacedVenue } from '../devnet-venue.ts';
import { balanceOf } from '../kinds/balance-of.ts';
import { placeAt } from '../kinds/place-at.ts';
import type { PlacedPool, SortedPool } from '../placed-pool.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxBaseUnits, type TokenSpec } from '../token-table.ts';

const REGISTRY_ABI = parseAbi(['function add_pool(address pool, uint256 count)', 'function pool_list(uint256 i) view returns (address)']);
const POOL_ABI = parseAbi([
  'function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)',
  'function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy)',
  'function add_liquidity(uint256[3] amounts, uint256 least)',
  'function remove_liquidity(uint256 amount, uint256[3] least)',
]);

/** The fee is that of an even pool. */
const ROWS: readonly PoolRow[] = [
  ['USDT/WBTC/WETH', 300, 4_000_000, 'full'],
  ['USDC/LINK/WETH', 500, 600_000, 'full'],
];
/** Of the pool of July 2021, and its gamma with 18 decimals. */
const AMPLIFICATION = 1_707_629n;
const GAMMA = 11_809_167_828_997n;
const ADMIN_FEE = 5_000_000_000n;
/** Times the fee of an even pool, far from even. */
const OUT_FEE = 5;
/** Parts of 10^10 in a millionth. */
const FEE_UNITS = 10_000;
/** Dollars by which a price is read. */
const PROBE_USD = 100;
/** How far from even a pool starts, in its skews. */
const UNEVEN = 10;
const SWAP_SHARE = { ofGap: 0.3, most: 0.01 };
const ADDED_SHARE = 0.001;
const COINS = 3;

/** Curve's crypto pools: a port of our own after the published mathematics, since nobody publishes the contracts compiled. */
export const devnetVenue: DevnetVenue = {
  title: 'Curve crypto',
  folders: ['curve_crypto'],
  sources: ['CryptoSwapThree', 'CryptoRegistry'].map((name) => `contracts/devnet/curve/${name}.sol`),
  pools: (lay) => ROWS.map((row) => lay(...row)),
  place,
};

function place({ script, compiled, tokens }: Ground): PlacedVenue {
  const registry = deployWith(script, 'Curve crypto registry', compiled('CryptoRegistry'));
  const places = ROWS.map(([symbols, feePpm]) => {
    const coins = tokens.filter(({ symbol }) => symbols.split('/').includes(symbol)).sort((one, other) => (one.address < other.address ? -1 : 1));
    return script.deploy(`Curve crypto pool ${symbols}`, concatHex([compiled('CryptoSwapThree'), constructorOf(coins, feePpm)]));
  });
  const addressOf = (pool: SortedPool): Address => asAddress(places[placeOf(pool)] ?? '');
  return {
    contracts: { curveCryptoRegistry: registry },
    deployments: [{ venue: 'curve_crypto', family: 'curve_crypto', factory: registry }],
    spenders: { trade: places, provide: places },
    make(steps, pool) {
      const label = `Curve crypto ${pool.symbols.join('/')}`;
      const address = addressOf(pool);
      steps.call(label, registry, encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'add_pool', args: [address, BigInt(COINS)] }));
      const usd = pool.liquidityUsd / COINS;
      const amounts = pool.tokens.map((token, at) => approxBaseUnits(token, at === 0 ? usd * (1 + UNEVEN * (pool.skew - 1)) : usd));
      steps.call(`${label} liquidity`, address, addLiquidity(amounts));
    },
    whereIs: (pool) => ({
      to: registry,
      data: encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'pool_list', args: [BigInt(placeOf(pool))] }),
      decode: (data) => placeAt(decodeFunctionResult({ abi: REGISTRY_ABI, functionName: 'pool_list', data })),
    }),
    readNow(pool) {
      const [i, j] = pairOf(pool);
      const probe = approxBaseUnits(pool.token0, PROBE_USD);
      return {
        to: pool.address,
        data: encodeFunctionData({ abi: POOL_ABI, functionName: 'get_dy', args: [i, j, probe] }),
        decode(data) {
          const given = decodeFunctionResult({ abi: POOL_ABI, functionName: 'get_dy', data });
          return given === 0n ? undefined : { price: Number(given) / Number(probe) / (1 - pool.feePpm / 1e6), tick: null, reserves: null };
        },
      };
    },
    swap(pool, { price }, { target, largest, trader }) {
      const gap = Math.abs(target / price - 1);
      if (gap < (OUT_FEE * pool.feePpm) / 1e6) return [];
      const [i, j] = pairOf(pool);
      const [token, from, to] = target < price ? [pool.token0, i, j] : [pool.token1, j, i];
      const amount: bigint = approxBaseUnits(token, pool.liquidityUsd * Math.min(gap * SWAP_SHARE.ofGap, SWAP_SHARE.most));
      const args = [from, to, amount < largest ? amount : largest, 0n] as const;
      return [{ from: trader, to: pool.address, data: encodeFunctionData({ abi: POOL_ABI, functionName: 'exchange', args }) }];
    },
    async changeLiquidity(pool, _reading, { rpc, provider }) {
      const held = await balanceOf(rpc, pool.address, provider);
      const removal = encodeFunctionData({ abi: POOL_ABI, functionName: 'remove_liquidity', args: [held, [0n, 0n, 0n]] });
      return [{ from: provider, to: pool.address, data: held > 0n ? removal : addLiquidity(shareOf(pool)) }];
    },
  };
}

/** A pool at the table's prices, which are in its first coin. */
function constructorOf(coins: readonly (TokenSpec & { readonly address: Address })[], feePpm: number): Hex {
  const first = coins[0]?.usd ?? 1;
  const fees = [BigInt(feePpm * FEE_UNITS), BigInt(feePpm * FEE_UNITS * OUT_FEE), ADMIN_FEE];
  const list = [{ type: 'address[3]' }, { type: 'uint256[3]' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint256[3]' }, { type: 'uint256[2]' }];
  return encodeAbiParameters(list, [
    coins.map(({ address }) => address),
    coins.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
    AMPLIFICATION,
    GAMMA,
    fees,
    coins.slice(1).map(({ usd }) => BigInt(Math.round((usd / first) * 1e12)) * 1_000_000n),
  ]);
}

function shareOf({ tokens, liquidityUsd }: PlacedPool): readonly bigint[] {
  return tokens.map((token) => approxBaseUnits(token, (liquidityUsd / COINS) * ADDED_SHARE));
}

function addLiquidity([first = 0n, second = 0n, third = 0n]: readonly bigint[]): Hex {
  return encodeFunctionData({ abi: POOL_ABI, functionName: 'add_liquidity', args: [[first, second, third], 0n] });
}

function placeOf({ symbols }: SortedPool): number {
  return ROWS.findIndex(([row]) => row === symbols.join('/'));
}

/** Places of the two tokens that the pool is priced between. */
function pairOf({ tokens, token0, token1 }: SortedPool): readonly [bigint, bigint] {
  return [BigInt(tokens.indexOf(token0)), BigInt(tokens.indexOf(token1))];
}
