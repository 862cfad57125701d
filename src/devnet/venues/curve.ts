import { concatHex, decodeFunctionResult, encodeAbiParameters, encodeFunctionData, getContractAddress, type Hex, parseAbi } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { deployWith } from '../deploy-with.ts';
import type { BotTransaction, DevnetVenue, Ground, PlacedVenue, Provision } from '../devnet-venue.ts';
import { balanceOf } from '../kinds/balance-of.ts';
import { placeAt } from '../kinds/place-at.ts';
import { SETTABLE_RATE } from '../kinds/settable-rate.ts';
import type { PlacedPool, SortedPool } from '../placed-pool.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxBaseUnits } from '../token-table.ts';

const REGISTRY_ABI = parseAbi(['function add_pool(address pool, uint256 count)', 'function pool_list(uint256 i) view returns (address)']);
const FACTORY_ABI = parseAbi(['function deploy_plain_pool(address[4] coins, uint256 amplification, uint256 fee) returns (address pool)']);
const FACTORY_NG_ABI = parseAbi([
  'function deploy_plain_pool(address[] coins, uint256 amplification, uint256 fee, uint256 multiplier, uint256[] oracles) returns (address pool)',
]);
const POOL_ABI = parseAbi([
  'function get_dy(int128 i, int128 j, uint256 dx) view returns (uint256)',
  'function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy)',
]);
/** By how a pool takes its lists of amounts. */
const LIQUIDITY_ABI = {
  three: parseAbi(['function add_liquidity(uint256[3] amounts, uint256 least)', 'function remove_liquidity(uint256 amount, uint256[3] least)']),
  two: parseAbi(['function add_liquidity(uint256[2] amounts, uint256 least)', 'function remove_liquidity(uint256 amount, uint256[2] least)']),
  ng: parseAbi(['function add_liquidity(uint256[] amounts, uint256 least)', 'function remove_liquidity(uint256 amount, uint256[] least)']),
};

type Kind = keyof typeof LIQUIDITY_ABI;

/** Stable: the plain pools, of which the registry's has three coins and those of the first factory two. Narrow: the new generation, whose fee grows off the peg. */
const ROWS: readonly PoolRow[] = [
  ['USDC/USDT/DAI', 400, 6_000_000, 'stable'],
  ['USDC/BSC-USD', 400, 1_500_000, 'stable'],
  ['GUSD/DAI', 400, 200_000, 'stable'],
  ['USDT/BSC-USD', 100, 2_000_000, 'narrow'],
  ['USDC/DAI/GUSD', 100, 900_000, 'narrow'],
];
const AMPLIFICATION = 200n;
const ADMIN_FEE = 5_000_000_000n;
/** Five times the fee, far off the peg. */
const OFFPEG_MULTIPLIER = 50_000_000_000n;
/** Parts of 10^10 in a millionth. */
const FEE_UNITS = 10_000n;
/** Whole tokens by which a price is read. */
const PROBE = 100;
/** How far from even a pool starts, in its skews. */
const UNEVEN = 40;
const SWAP_SHARE = { ofGap: 20, most: 0.02 };
const ADDED_SHARE = 0.001;

/** Curve: a port of our own after the published mathematics, since nobody publishes the contracts compiled. */
export const devnetVenue: DevnetVenue = {
  title: 'Curve',
  folders: ['curve'],
  sources: [SETTABLE_RATE.source, ...['StableSwapThree', 'StableSwapFactories', 'StableSwapRegistry'].map((name) => `contracts/devnet/curve/${name}.sol`)],
  pools: (lay) => ROWS.map((row) => lay(...row)),
  place,
};

type Places = { readonly registry: Address; readonly factory: Address; readonly factoryNG: Address; readonly three: Address; readonly rates: Address };

function place({ script, compiled, deployer, tokens }: Ground): PlacedVenue {
  const rates = deployWith(script, 'Curve rate oracle', compiled(SETTABLE_RATE.contract));
  script.call('rate', rates, encodeFunctionData({ abi: SETTABLE_RATE.abi, functionName: 'set', args: [10n ** 18n, false] }));
  const registry = deployWith(script, 'Curve registry', compiled('StableSwapRegistry'));
  const factory = deployWith(script, 'Curve factory', compiled('StableSwapFactory'), deployer);
  const factoryNG = deployWith(script, 'Curve factory NG', compiled('StableSwapFactoryNG'), deployer);
  const coins = tokens.filter(({ symbol }) => ['USDC', 'USDT', 'DAI'].includes(symbol)).sort((one, other) => (one.address < other.address ? -1 : 1));
  const built = encodeAbiParameters(
    [{ type: 'address[]' }, { type: 'uint256[]' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
    [coins.map(({ address }) => address), coins.map(({ decimals }) => 10n ** BigInt(36 - decimals)), AMPLIFICATION, 400n * FEE_UNITS, ADMIN_FEE],
  );
  const three = script.deploy('Curve pool of three', concatHex([compiled('StableSwapThree'), built]));
  const places: Places = { registry, factory, factoryNG, three, rates };
  const spenders = ROWS.map(([symbols, , , shape]) => addressOf({ symbols: symbols.split('/'), shape }, places));
  return {
    contracts: { curveRegistry: registry, curveFactory: factory, curveFactoryNG: factoryNG, curveRateOracle: rates },
    deployments: [registry, factory, factoryNG].map((address) => ({ venue: 'curve', family: 'curve', factory: address })),
    spenders: { trade: spenders, provide: spenders },
    make: (steps, pool) => make(steps, pool, places),
    whereIs(pool) {
      const list = { three: registry, two: factory, ng: factoryNG }[kindOf(pool)];
      return {
        to: list,
        data: encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'pool_list', args: [BigInt(placeOf(pool))] }),
        decode: (data) => placeAt(decodeFunctionResult({ abi: REGISTRY_ABI, functionName: 'pool_list', data })),
      };
    },
    readNow(pool) {
      const [i, j] = pairOf(pool);
      const probe = approxBaseUnits(pool.token0, PROBE * pool.token0.usd);
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
      if (gap < pool.feePpm / 1e6) return [];
      const [i, j] = pairOf(pool);
      const [token, from, to] = target < price ? [pool.token0, i, j] : [pool.token1, j, i];
      const amount: bigint = approxBaseUnits(token, pool.liquidityUsd * Math.min(gap * SWAP_SHARE.ofGap, SWAP_SHARE.most));
      const args = [from, to, amount < largest ? amount : largest, 0n] as const;
      return [{ from: trader, to: pool.address, data: encodeFunctionData({ abi: POOL_ABI, functionName: 'exchange', args }) }];
    },
    changeLiquidity: (pool, _reading, provision) => changeShare(pool, provision),
  };
}

/** A pool is added to its registry, or made by its factory; then it is filled. */
function make(script: Parameters<PlacedVenue['make']>[0], pool: SortedPool, places: Places): void {
  const label = `Curve ${pool.symbols.join('/')}`;
  const [address, kind, fee] = [addressOf(pool, places), kindOf(pool), BigInt(pool.feePpm) * FEE_UNITS];
  const coins = pool.tokens.map((token) => token.address);
  if (kind === 'three')
    script.call(label, places.registry, encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'add_pool', args: [address, BigInt(coins.length)] }));
  if (kind === 'two') {
    const list = [...coins, places.registry, places.registry].map((coin, at) => (at < coins.length ? coin : asAddress(`0x${'0'.repeat(40)}`)));
    script.call(label, places.factory, encodeFunctionData({ abi: FACTORY_ABI, args: [list as never, AMPLIFICATION, fee] }));
  }
  if (kind === 'ng') {
    // The last coin's worth is asked for.
    const oracles = coins.map((_, at) => (at === coins.length - 1 ? rateOf(places.rates) : 0n));
    script.call(label, places.factoryNG, encodeFunctionData({ abi: FACTORY_NG_ABI, args: [coins, AMPLIFICATION, fee, OFFPEG_MULTIPLIER, oracles] }));
  }
  const usd = pool.liquidityUsd / coins.length;
  const amounts = pool.tokens.map((token, at) => approxBaseUnits(token, at === 0 ? usd * (1 + UNEVEN * (pool.skew - 1)) : usd));
  script.call(`${label} liquidity`, address, addLiquidity(kind, amounts));
}

async function changeShare(pool: PlacedPool, { rpc, provider }: Provision): Promise<readonly BotTransaction[]> {
  const kind = kindOf(pool);
  const held = await balanceOf(rpc, pool.address, provider);
  const data = held > 0n ? removeLiquidity(kind, held, pool.tokens.length) : addLiquidity(kind, shareOf(pool));
  return [{ from: provider, to: pool.address, data }];
}

function shareOf({ tokens, liquidityUsd }: PlacedPool): readonly bigint[] {
  return tokens.map((token) => approxBaseUnits(token, (liquidityUsd / tokens.length) * ADDED_SHARE));
}

function addLiquidity(kind: Kind, amounts: readonly bigint[]): Hex {
  return encodeFunctionData({ abi: LIQUIDITY_ABI[kind], functionName: 'add_liquidity', args: [amounts, 0n] as never });
}

function removeLiquidity(kind: Kind, amount: bigint, count: number): Hex {
  return encodeFunctionData({ abi: LIQUIDITY_ABI[kind], functionName: 'remove_liquidity', args: [amount, Array(count).fill(0n)] as never });
}

/** The oracle's address, and what it is asked in the first four bytes. */
function rateOf(oracle: Address): bigint {
  const selector = encodeFunctionData({ abi: SETTABLE_RATE.abi, functionName: 'getRate' });
  return (BigInt(selector) << 224n) | BigInt(oracle);
}

type Row = Pick<SortedPool, 'shape'> & { readonly symbols: readonly string[] };

function kindOf({ shape, symbols }: Row): Kind {
  if (shape === 'narrow') return 'ng';
  return symbols.length === 3 ? 'three' : 'two';
}

/** Among the pools of its kind. */
function placeOf(row: Row): number {
  const own = ROWS.filter(([symbols, , , shape]) => kindOf({ symbols: symbols.split('/'), shape }) === kindOf(row));
  return own.findIndex(([symbols]) => symbols === row.symbols.join('/'));
}

/** A factory's first contract has its nonce 1. */
function addressOf(row: Row, { three, factory, factoryNG }: Places): Address {
  const kind = kindOf(row);
  if (kind === 'three') return three;
  return asAddress(getContractAddress({ from: kind === 'two' ? factory : factoryNG, nonce: BigInt(placeOf(row) + 1) }).toLowerCase());
}

/** Places of the two tokens that the pool is priced between. */
function pairOf({ tokens, token0, token1 }: SortedPool): readonly [bigint, bigint] {
  return [BigInt(tokens.indexOf(token0)), BigInt(tokens.indexOf(token1))];
}
