import { add, demand, divide, mulDiv, multiply, subtract } from './checked-integers.ts';
import { type AmplificationAndGamma, distance, halfPower, invariantOf, squareRoot } from './crypto-maths.ts';
import type { CryptoPool } from './crypto-pool.ts';
import { mathsOf } from './maths-of.ts';

const ONE = 10n ** 18n;
const HALF_POWER_PRECISION = 10n ** 10n;
/** Of the first coin's balance: the amount by which a price is found that the exchange itself was too small to tell. */
const PROBE_PART = 10n ** 6n;

/** A price that an exchange told, of a coin that is not the first. */
export type ToldPrice = { readonly coin: number; readonly price: bigint };

/** A pool after an exchange, before a step of its own prices. `worth`: balances brought to 18 decimals and one worth. */
export type CountedPool = {
  readonly pool: CryptoPool;
  readonly parameters: AmplificationAndGamma;
  readonly worth: readonly bigint[];
  readonly virtualPriceBefore: bigint;
};

/** What follows each exchange: averages, last prices and profit move on. The ramp's end in `pool` is what the exchange left. Throws Reverted. */
export function countPrices(pool: CryptoPool, parameters: AmplificationAndGamma, worth: readonly bigint[], told: ToldPrice | null, now: bigint): CountedPool {
  const priceOracle = averagesAt(pool, now);
  const invariant = mathsOf(worth).invariantOf(parameters, worth);
  const lastPrices = told === null ? probedPrices(pool, parameters, worth, invariant) : toldPrices(pool, told);
  demandPackable(lastPrices);
  const moved = { ...pool, priceOracle, lastPrices, lastPricesAt: pool.lastPricesAt < now ? now : pool.lastPricesAt };
  return { pool: withProfit(moved, invariant), parameters, worth, virtualPriceBefore: pool.virtualPrice };
}

/** Whether a pool of three coins was on its way to the averages, or has earned enough to begin. Throws Reverted. */
export function isMoving({ pool }: CountedPool, adjusting: boolean): boolean {
  return adjusting || subtract(multiply(pool.virtualPrice, 2n), ONE) > add(pool.profit, multiply(2n, pool.allowedExtraProfit));
}

/** A step of the own prices of a pool of three coins towards the averages, where the profit pays for it. Throws Reverted. */
export function stepPrices({ pool, parameters, worth, virtualPriceBefore }: CountedPool): CryptoPool {
  return adjusted({ ...pool, adjusting: true }, parameters, worth, virtualPriceBefore);
}

/** Of the own prices in a block of that time. Throws Reverted. */
export function averagesAt({ priceOracle, lastPrices, lastPricesAt, averageHalfTime }: CryptoPool, now: bigint): readonly bigint[] {
  if (lastPricesAt >= now) return priceOracle;
  const kept = halfPower(divide(multiply(now - lastPricesAt, ONE), averageHalfTime), HALF_POWER_PRECISION);
  const averages = priceOracle.map((average, at) => divide(add(multiply(lastPrices[at] ?? 0n, ONE - kept), multiply(average, kept)), ONE));
  demandPackable(averages);
  return averages;
}

function toldPrices({ lastPrices }: CryptoPool, { coin, price }: ToldPrice): readonly bigint[] {
  return lastPrices.with(coin - 1, price);
}

function probedPrices({ priceScale }: CryptoPool, parameters: AmplificationAndGamma, balances: readonly bigint[], invariant: bigint): readonly bigint[] {
  const [first = 0n] = balances;
  const more = first / PROBE_PART;
  const grown = balances.map((balance, at) => (at === 0 ? add(balance, more) : balance));
  return priceScale.map((price, at) =>
    divide(multiply(price, more), subtract(balances[at + 1] ?? 0n, mathsOf(grown).balanceFor(parameters, grown, invariant, at + 1))),
  );
}

/** The worth of all shares at these prices, were the balances even. */
export function evenWorth(invariant: bigint, prices: readonly bigint[]): bigint {
  const count = BigInt(prices.length + 1);
  const even = [invariant / count, ...prices.map((price) => divide(multiply(invariant, ONE), multiply(count, price)))];
  return mathsOf(even).geometricMean(even);
}

function withProfit(pool: CryptoPool, invariant: bigint): CryptoPool {
  if (pool.virtualPrice === 0n) return { ...pool, invariant, profit: ONE, virtualPrice: ONE };
  const virtualPrice = divide(multiply(ONE, evenWorth(invariant, pool.priceScale)), pool.shares);
  demand(virtualPrice >= pool.virtualPrice || pool.rampEndsAt !== 0n);
  const profit = mulDiv(pool.profit, virtualPrice, pool.virtualPrice);
  return { ...pool, invariant, profit, virtualPrice, rampEndsAt: pool.rampEndsAt === 1n ? 0n : pool.rampEndsAt };
}

/** A step of the pool's prices towards the averages, where half of the profit stays. */
function adjusted(pool: CryptoPool, parameters: AmplificationAndGamma, balances: readonly bigint[], virtualPriceBefore: bigint): CryptoPool {
  const { priceScale, priceOracle, adjustmentStep, shares, profit } = pool;
  const apart = priceScale.reduce((total, price, at) => {
    const ratio = mulDiv(priceOracle[at] ?? 0n, ONE, price);
    return add(total, multiply(distance(ratio, ONE), distance(ratio, ONE)));
  }, 0n);
  if (apart <= multiply(adjustmentStep, adjustmentStep) || virtualPriceBefore === 0n) return pool;
  const norm = squareRoot(apart / ONE);
  const next = priceScale.map((price, at) =>
    divide(add(multiply(price, subtract(norm, adjustmentStep)), multiply(adjustmentStep, priceOracle[at] ?? 0n)), norm),
  );
  const revalued = balances.map((balance, at) => (at === 0 ? balance : mulDiv(balance, next[at - 1] ?? 0n, priceScale[at - 1] ?? 0n)));
  const invariant = invariantOf(parameters, revalued);
  const virtualPrice = divide(multiply(ONE, evenWorth(invariant, next)), shares);
  if (virtualPrice <= ONE || subtract(multiply(2n, virtualPrice), ONE) <= profit) return { ...pool, adjusting: false };
  demandPackable(next);
  return { ...pool, priceScale: next, invariant, virtualPrice };
}

/** Two prices lie in one word; one has a word of its own. */
function demandPackable(prices: readonly bigint[]): void {
  const most = (1n << BigInt(Math.floor(256 / prices.length))) - 1n;
  for (const price of prices) demand(price < most);
}
