import type { QuoteMoment } from '../quote-moment.ts';
import { add, divide, mulDiv, multiply, Reverted, subtract } from './checked-integers.ts';
import { type AmplificationAndGamma, balanceFor, invariantOf, reductionCoefficient } from './crypto-maths.ts';
import type { CryptoPool } from './crypto-pool.ts';
import { movePrices, type ToldPrice } from './move-prices.ts';

const ONE = 10n ** 18n;
const FEE_DENOMINATOR = 10n ** 10n;
/** Base units: smaller amounts tell no price. */
const LEAST_TELLING = 10n ** 5n;

export type CryptoExchange = { readonly amountOut: bigint; readonly next: CryptoPool };

/** An exchange of `amountIn` base units in a block of that time; null where the contract reverts. The fee stays in the balances, and the next state is all that the contract then has. */
export function exchange(pool: CryptoPool, slotIn: number, slotOut: number, amountIn: bigint, at: QuoteMoment): CryptoExchange | null {
  const count = pool.balances.length;
  if (slotIn === slotOut || Math.max(slotIn, slotOut) >= count || Math.min(slotIn, slotOut) < 0 || amountIn <= 0n) return null;
  try {
    return exchanged(pool, slotIn, slotOut, amountIn, BigInt(at.timestamp));
  } catch (error) {
    if (error instanceof Reverted) return null;
    throw error;
  }
}

function exchanged(pool: CryptoPool, slotIn: number, slotOut: number, amountIn: bigint, now: bigint): CryptoExchange {
  const parameters = parametersAt(pool, now);
  const grown = pool.balances.map((balance, slot) => (slot === slotIn ? add(balance, amountIn) : balance));
  const worth = grown.map((balance, slot) => worthOf(pool, slot, balance));
  const invariant = pool.rampEndsAt === 0n ? pool.invariant : invariantOf(parameters, worth.with(slotIn, worthOf(pool, slotIn, pool.balances[slotIn] ?? 0n)));
  const rampEndsAt = pool.rampEndsAt > 0n && now >= pool.rampEndsAt ? 1n : pool.rampEndsAt;
  const given = subtract(worth[slotOut] ?? 0n, balanceFor(parameters, worth, invariant, slotOut));
  const left = worth.with(slotOut, (worth[slotOut] ?? 0n) - given);
  const priceOut = pool.priceScale[slotOut - 1];
  const precisionOut = pool.precisions[slotOut] ?? 0n;
  const unrounded = subtract(given, 1n);
  const gross = divide(priceOut === undefined ? unrounded : mulDiv(unrounded, ONE, priceOut), precisionOut);
  const amountOut = subtract(gross, divide(multiply(feeOf(pool, left), gross), FEE_DENOMINATOR));
  const balances = grown.with(slotOut, subtract(grown[slotOut] ?? 0n, amountOut));
  const settled = left.with(slotOut, worthOf(pool, slotOut, balances[slotOut] ?? 0n));
  const told = toldPrice(pool, slotIn, slotOut, amountIn, amountOut);
  return { amountOut, next: movePrices({ ...pool, balances, invariant, rampEndsAt }, parameters, settled, told, now) };
}

/** What the contract computes with in a block of that time. */
function parametersAt({ from, to, rampStartsAt, rampEndsAt }: CryptoPool, now: bigint): AmplificationAndGamma {
  if (now >= rampEndsAt) return to;
  const [whole, passed] = [subtract(rampEndsAt, rampStartsAt), subtract(now, rampStartsAt)];
  const rest = subtract(whole, passed);
  const between = (before: bigint, after: bigint) => divide(add(multiply(before, rest), multiply(after, passed)), whole);
  return { amplification: between(from.amplification, to.amplification), gamma: between(from.gamma, to.gamma) };
}

/** A balance in 18 decimals of the first coin. */
function worthOf({ precisions, priceScale }: CryptoPool, slot: number, balance: bigint): bigint {
  const [price, scaled] = [priceScale[slot - 1], multiply(balance, precisions[slot] ?? 0n)];
  return price === undefined ? scaled : mulDiv(scaled, price, ONE);
}

/** The fee with ten decimals where the balances are worth this. */
function feeOf({ midFee, outFee, feeGamma }: CryptoPool, worth: readonly bigint[]): bigint {
  const even = reductionCoefficient(worth, feeGamma);
  return divide(add(multiply(midFee, even), multiply(outFee, subtract(ONE, even))), ONE);
}

/** null where the amounts are too small to tell. */
function toldPrice({ precisions, lastPrices }: CryptoPool, slotIn: number, slotOut: number, amountIn: bigint, amountOut: bigint): ToldPrice | null {
  if (amountIn <= LEAST_TELLING || amountOut <= LEAST_TELLING) return null;
  const [sold, bought] = [multiply(amountIn, precisions[slotIn] ?? 0n), multiply(amountOut, precisions[slotOut] ?? 0n)];
  if (slotOut === 0) return priced(slotIn, mulDiv(bought, ONE, sold));
  return priced(slotOut, slotIn === 0 ? mulDiv(sold, ONE, bought) : mulDiv(lastPrices[slotIn - 1] ?? 0n, sold, bought));
}

/** A price of nothing tells none either. */
function priced(coin: number, price: bigint): ToldPrice | null {
  return price === 0n ? null : { coin, price };
}
