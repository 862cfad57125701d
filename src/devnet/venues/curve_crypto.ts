import { concatHex, decodeFunctionResult, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { deployWith } from '../deploy-with.ts';
import type { DevnetVenue, Ground, PlacedVenue } from '../devnet-venue.ts';
import { balanceOf } from '../kinds/balance-of.ts';
import { cryptoFactoryPool, deployCryptoPool } from '../kinds/crypto-factory.ts';
import { placeAt } from '../kinds/place-at.ts';
import type { PlacedPool, SortedPool } from '../placed-pool.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxBaseUnits, type TokenSpec } from '../token-table.ts';

const REGISTRY_ABI = parseAbi(['function add_pool(address pool, uint256 count)', 'function pool_list(uint256 i) view returns (address)']);
const POOL_ABI = parseAbi([
  'function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)',
  'function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy)',
]);
/** By how a pool takes its lists of amounts. */
const LIQUIDITY_ABI = {
  2: parseAbi(['function add_liquidity(uint256[2] amounts, uint256 least)', 'function remove_liquidity(uint256 amount, uint256[2] least)']),
  3: parseAbi(['function add_liquidity(uint256[3] amounts, uint256 least)', 'function remove_liquidity(uint256 amount, uint256[3] least)']),
};

/** The fee is that of an even pool. The registry's pools have three coins, the factory's two. */
const ROWS: readonly PoolRow[] = [
  ['USDT/WBTC/WETH', 300, 4_000_000, 'full'],
  ['USDC/LINK/WETH', 500, 600_000, 'full'],
  ['USDC/WETH', 400, 2_500_000, 'full'],
  ['DAI/CRV', 500, 500_000, 'full'],
];
const OF_THREE = ROWS.filter(([symbols]) => symbols.split('/').length === 3);
const OF_TWO = ROWS.filter(([symbols]) => symbols.split('/').length === 2);
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
/** Multicall3's, which tells what a pool keeps of the native token. */
const NATIVE_TELLER = asAddress('0xca11bde05977b3631167028862be2a173976ca11');

/** Curve's crypto pools: a port of our own after the published mathematics, since nobody publishes the contracts compiled. */
export const devnetVenue: DevnetVenue = {
  title: 'Curve crypto',
  folders: ['curve_crypto'],
  sources: ['CryptoSwapThree', 'CryptoRegistry', 'CryptoFactory', 'NativeTeller'].map((name) => `contracts/devnet/curve/${name}.sol`),
  pools: (lay) => ROWS.map((row) => lay(...row)),
  place,
};

function place({ script, compiled, compiledRuntime, deployer, tokens, wrappedNative }: Ground): PlacedVenue {
  const registry = deployWith(script, 'Curve crypto registry', compiled('CryptoRegistry'));
  const implementations = [
    deployWith(script, 'Curve crypto pool of two', compiled('CryptoSwapTwo'), wrappedNative),
    deployWith(script, 'Curve crypto share', compiled('CryptoShare')),
  ];
  const factory = deployWith(script, 'Curve crypto factory', compiled('CryptoFactory'), deployer, ...implementations);
  const ofThree = OF_THREE.map(([symbols, feePpm]) => {
    const coins = tokens.filter(({ symbol }) => symbols.split('/').includes(symbol)).sort((one, other) => (one.address < other.address ? -1 : 1));
    return script.deploy(`Curve crypto pool ${symbols}`, concatHex([compiled('CryptoSwapThree'), constructorOf(coins, feePpm)]));
  });
  const ofTwo = OF_TWO.map((_, at) => cryptoFactoryPool(factory, at));
  const addressOf = (pool: SortedPool): Address => (isOfTwo(pool) ? ofTwo[placeOf(pool)]?.pool : ofThree[placeOf(pool)]) ?? factory;
  const shareOf = (pool: SortedPool): Address => (isOfTwo(pool) ? ofTwo[placeOf(pool)]?.share : undefined) ?? addressOf(pool);
  const places = [...ofThree, ...ofTwo.map(({ pool }) => pool)];
  return {
    contracts: { curveCryptoRegistry: registry, curveCryptoFactory: factory },
    code: [{ address: NATIVE_TELLER, code: compiledRuntime('NativeTeller') }],
    deployments: [registry, factory].map((address) => ({ venue: 'curve_crypto', family: 'curve_crypto', factory: address })),
    spenders: { trade: places, provide: places },
    make: (steps, pool) => make(steps, pool, isOfTwo(pool) ? factory : registry, addressOf(pool)),
    whereIs: (pool) => ({
      to: isOfTwo(pool) ? factory : registry,
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
      const held = await balanceOf(rpc, shareOf(pool), provider);
      return [{ from: provider, to: pool.address, data: held > 0n ? removeLiquidity(held, pool.tokens.length) : addLiquidity(addedTo(pool)) }];
    },
  };
}

/** A pool is added to the registry, or made by the factory; then it is filled. `list`: the one or the other. */
function make(steps: Parameters<PlacedVenue['make']>[0], pool: SortedPool, list: Address, address: Address): void {
  const label = `Curve crypto ${pool.symbols.join('/')}`;
  const { tokens: coins, feePpm } = pool;
  const fee = BigInt(feePpm * FEE_UNITS);
  const adds = encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'add_pool', args: [address, BigInt(coins.length)] });
  steps.call(label, list, isOfTwo(pool) ? deployCryptoPool([coins[0], coins[1]], fee, fee * BigInt(OUT_FEE)) : adds);
  const usd = pool.liquidityUsd / coins.length;
  const amounts = coins.map((token, at) => approxBaseUnits(token, at === 0 ? usd * (1 + UNEVEN * (pool.skew - 1)) : usd));
  steps.call(`${label} liquidity`, address, addLiquidity(amounts));
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

function addedTo({ tokens, liquidityUsd }: PlacedPool): readonly bigint[] {
  return tokens.map((token) => approxBaseUnits(token, (liquidityUsd / tokens.length) * ADDED_SHARE));
}

function addLiquidity([first = 0n, second = 0n, third]: readonly bigint[]): Hex {
  return third === undefined
    ? encodeFunctionData({ abi: LIQUIDITY_ABI[2], functionName: 'add_liquidity', args: [[first, second], 0n] })
    : encodeFunctionData({ abi: LIQUIDITY_ABI[3], functionName: 'add_liquidity', args: [[first, second, third], 0n] });
}

function removeLiquidity(amount: bigint, count: number): Hex {
  return count === 2
    ? encodeFunctionData({ abi: LIQUIDITY_ABI[2], functionName: 'remove_liquidity', args: [amount, [0n, 0n]] })
    : encodeFunctionData({ abi: LIQUIDITY_ABI[3], functionName: 'remove_liquidity', args: [amount, [0n, 0n, 0n]] });
}

function isOfTwo({ tokens }: SortedPool): boolean {
  return tokens.length === 2;
}

/** Among the pools of as many coins. */
function placeOf(pool: SortedPool): number {
  return (isOfTwo(pool) ? OF_TWO : OF_THREE).findIndex(([row]) => row === pool.symbols.join('/'));
}

/** Places of the two tokens that the pool is priced between. */
function pairOf({ tokens, token0, token1 }: SortedPool): readonly [bigint, bigint] {
  return [BigInt(tokens.indexOf(token0)), BigInt(tokens.indexOf(token1))];
}
