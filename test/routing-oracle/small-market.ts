import { type LoadedPoolSet, loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import { SnapshotReader, type SnapshotView } from '../../src/snapshot/snapshot.ts';
import { sqrtRatioAtTick, tickAtSqrtRatio } from '../../src/venues/concentrated/tick-math.ts';
import type { SolverVenues } from '../../src/venues/venues.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** Tokens of small markets: address by number. */
export function tokenAddress(index: number): string {
  return `0x${String(index + 1).padStart(40, '0')}`;
}

/** Of every token of a small market. */
export const DECIMALS = 18;

export type SmallPool = Readonly<Record<string, unknown>> & { readonly tokens: readonly string[] };

/** A few pools between a few tokens. `wild`: prices have nothing to do with each other, so the market is full of free arbitrage. */
export function randomPools(random: SeededRandom, tokens: number, count: number, wild: boolean, worth = randomWorth(random, tokens)): readonly SmallPool[] {
  return Array.from({ length: count }, (_, index) => {
    const [a, b] = pickPair(random, tokens);
    const price = ((worth[a] as number) / (worth[b] as number)) * (wild ? 10 ** (random.unit() * 4 - 2) : 1 + (random.unit() - 0.5) * 0.01);
    const depth = 10 ** (4 + random.unit() * 12);
    const id = `0x${(1000 + index).toString(16).padStart(40, '0')}`;
    const pair = { id, tokens: [tokenAddress(a), tokenAddress(b)] };
    if (random.chance(0.5)) {
      const reserves = [depth, depth * price].map((reserve) => String(BigInt(Math.ceil(reserve)) + 1n));
      return { ...pair, kind: 'constantProduct', venue: 'uniswap_v2', reserves, feePpm: random.pick([3000, 500, 100, 0]) };
    }
    return { ...pair, kind: 'concentrated', venue: 'uniswap_v3', ...positions(random, price, depth) };
  });
}

/** As randomPools, of every kind that a pool set knows: half of them weighted and stable pools and vaults, at the price of the pool whose place they take. */
export function randomPoolsOfAllKinds(random: SeededRandom, tokens: number, count: number, wild: boolean): readonly SmallPool[] {
  return randomPools(random, tokens, count, wild).map((pool) => (random.chance(0.5) ? pool : curvedPool(random, pool)));
}

/** What tokens are worth, to draw pools whose prices agree. */
export function randomWorth(random: SeededRandom, tokens: number): readonly number[] {
  return Array.from({ length: tokens }, () => 10 ** (random.unit() * 6));
}

const ONE = 10n ** 18n;

/** As randomPools, with weighted and stable pools of three and more tokens among them, about one in three. */
export function randomPoolsOfManyTokens(random: SeededRandom, tokens: number, count: number, wild: boolean): readonly SmallPool[] {
  const worth = randomWorth(random, tokens);
  return randomPools(random, tokens, count, wild, worth).map((pool) =>
    tokens > 2 && random.chance(0.35) ? poolOfManyTokens(random, pool.id, worth, wild) : pool,
  );
}

function poolOfManyTokens(random: SeededRandom, id: unknown, worth: readonly number[], wild: boolean): SmallPool {
  const slots = worth.map((_, token) => ({ token, order: random.unit() })).sort((a, b) => a.order - b.order);
  const own = slots.slice(0, random.integer(3, Math.min(4, worth.length))).map(({ token }) => token);
  const depth = 10 ** (8 + random.unit() * 10);
  const drawn = own.map((token) => ({ token, off: wild ? 10 ** (random.unit() * 2 - 1) : 1 + (random.unit() - 0.5) * 0.01 }));
  const swapFee = String(BigInt(random.pick([1, 4, 30, 100])) * 10n ** 14n);
  const pool = { id, tokens: own.map(tokenAddress), swapFee };
  if (random.chance(0.5)) {
    const raw = own.map(() => random.integer(1, 4));
    const total = raw.reduce((sum, weight) => sum + weight, 0);
    const weights = raw.map((weight) => (BigInt(weight) * ONE) / BigInt(total));
    weights[0] = (weights[0] ?? 0n) + ONE - weights.reduce((sum, weight) => sum + weight, 0n);
    const balances = drawn.map(({ token, off }, slot) => units((depth * (raw[slot] as number) * off) / (worth[token] as number)));
    return { ...pool, kind: 'weighted', venue: 'balancer_v2', balances, weights: weights.map(String), version: random.pick(['v3Plus', 'v1']) };
  }
  // The rates bring all tokens to one worth; the balances are up to three to one apart.
  const balances = drawn.map(({ token, off }) => units((depth * off * 3 ** (random.unit() * 2 - 1)) / (worth[token] as number)));
  const priceRates = own.map((token) => units((1e18 * (worth[token] as number)) / Math.min(...worth)));
  return { ...pool, kind: 'stable', venue: random.pick(['balancer_v2', 'curve']), balances, amp: random.pick(['5', '100', '2000']), priceRates };
}

function curvedPool(random: SeededRandom, pool: SmallPool): SmallPool {
  const [depth, price] = [10 ** (6 + random.unit() * 12), priceOf(pool)];
  const pair = { id: pool.id, tokens: pool.tokens };
  const swapFee = String(BigInt(random.pick([1, 4, 30, 100])) * 10n ** 14n);
  const kind = random.pick(['weighted', 'stable', 'stable', 'erc4626'] as const);
  switch (kind) {
    case 'weighted': {
      const weight = random.pick([20, 50, 80]);
      const weights = [weight, 100 - weight].map((share) => String((BigInt(share) * ONE) / 100n));
      const balances = [depth * weight, depth * price * (100 - weight)].map(units);
      return { ...pair, kind, venue: 'balancer_v2', balances, weights, swapFee, version: random.pick(['v3Plus', 'v1']) };
    }
    case 'stable': {
      // The rates bring both tokens to one worth; the balances are up to three to one apart.
      const balances = [depth, depth * price * 3 ** (random.unit() * 2 - 1)].map(units);
      const amp = random.pick(['5', '100', '2000']);
      return { ...pair, kind, venue: random.pick(['balancer_v2', 'curve']), balances, amp, swapFee, priceRates: [String(ONE), units(1e18 / price)] };
    }
    case 'erc4626':
      return { ...pair, kind, venue: kind, rates: [units(price * 1e18), String(ONE)], maxDeposit: units(depth), maxRedeem: units(depth * price) };
    default:
      return kind satisfies never;
  }
}

/** Units of the second token for one of the first. */
function priceOf({ reserves, sqrtPriceX96 }: SmallPool): number {
  if (Array.isArray(reserves)) return Number(reserves[1]) / Number(reserves[0]);
  return (Number(sqrtPriceX96) / 2 ** 96) ** 2;
}

function units(amount: number): string {
  return String(BigInt(Math.ceil(amount)) + 1n);
}

function pickPair(random: SeededRandom, tokens: number): readonly [number, number] {
  const a = random.integer(0, tokens - 2);
  return [a, random.integer(a + 1, tokens - 1)];
}

function positions(random: SeededRandom, price: number, depth: number) {
  const tickSpacing = random.pick([10, 60]);
  const centre = Math.floor(Math.log(price) / Math.log(1.0001) / tickSpacing) * tickSpacing;
  const sqrtPriceX96 = sqrtRatioAtTick(centre) + BigInt(random.integer(0, 1000));
  const tick = tickAtSqrtRatio(sqrtPriceX96);
  const net = new Map<number, bigint>();
  let liquidity = 0n;
  for (let count = random.integer(1, 4); count > 0; count--) {
    const lower = centre + random.integer(-60, 20) * tickSpacing;
    const upper = lower + random.integer(1, 80) * tickSpacing;
    const amount = BigInt(Math.ceil(depth * Math.sqrt(price) * (0.1 + random.unit() * 3)));
    net.set(lower, (net.get(lower) ?? 0n) + amount);
    net.set(upper, (net.get(upper) ?? 0n) - amount);
    if (lower <= tick && tick < upper) liquidity += amount;
  }
  const ticks = [...net].sort(([a], [b]) => a - b).map(([at, change]) => [at, String(change)]);
  return { feePpm: random.pick([3000, 500]), tickSpacing, sqrtPriceX96: String(sqrtPriceX96), tick, liquidity: String(liquidity), ticks };
}

export type OpenMarket = { readonly loaded: LoadedPoolSet; readonly reader: SnapshotReader; read<T>(use: (view: SnapshotView) => T): T };

export function openMarket(pools: readonly SmallPool[], tokens: number, venues: SolverVenues): OpenMarket {
  const listed = Object.fromEntries(Array.from({ length: tokens }, (_, index) => [tokenAddress(index), { decimals: DECIMALS }]));
  const parsed = parsePoolSet({ chainId: 1, wrappedNative: tokenAddress(0), tokens: listed, pools });
  if (!parsed.ok) throw new Error(parsed.message);
  const loading = loadPoolSet(parsed.set, { venues, capacity: { arenaBytes: 2 ** 20, pools: 64, tokens: 16, slots: 8 } });
  if (!loading.ok) throw new Error(loading.message);
  const reader = SnapshotReader.claim(loading.loaded.buffers, 0);
  const read = <T>(use: (view: SnapshotView) => T): T => {
    const view = reader.pin();
    if (view === null) throw new Error('nothing is published');
    try {
      return use(view);
    } finally {
      reader.unpin();
    }
  };
  return { loaded: loading.loaded, reader, read };
}
