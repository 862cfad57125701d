import { LIMITS } from '../../config/limits.ts';
import { type Address, asAddress, isAddress } from '../../units/units.ts';
import { type Ladder, MAX_AMOUNT, type Rung, withFallingPrices } from '../ladder/rungs.ts';
import { baseUnitsDown, baseUnitsUp, type Decimal, difference, parseDecimal, product, sum } from './decimal.ts';
import { asObject } from './json-rpc.ts';

/** A pair as a maker prices it, in base units, by its tokens in the order of their addresses. */
export type PricedPair = {
  readonly tokens: readonly [Address, Address];
  /** Selling the first token, and the second. */
  readonly ladders: readonly [Ladder, Ladder];
  readonly least: readonly [bigint, bigint];
};

/** null: it is no list. `malformed`: entries that are none of a pair. Pairs of tokens that nothing is known of are left out without a word, as is every pair but the first of two tokens. */
export function readPricing(
  result: unknown,
  decimalsOf: (token: Address) => number | null,
): { readonly pairs: readonly PricedPair[]; readonly malformed: number } | null {
  if (!Array.isArray(result)) return null;
  const pairs = new Map<string, PricedPair>();
  let malformed = 0;
  for (const entry of result.slice(0, LIMITS.outbound.prices.pairs)) {
    const read = readPair(entry, decimalsOf);
    if (read === 'malformed') malformed++;
    else if (read !== 'unknown' && !pairs.has(read.tokens.join())) pairs.set(read.tokens.join(), read);
  }
  return { pairs: [...pairs.values()], malformed };
}

function readPair(entry: unknown, decimalsOf: (token: Address) => number | null): PricedPair | 'malformed' | 'unknown' {
  const pair = asObject(entry);
  const [base, quote] = [readAddress(pair?.get('baseToken')), readAddress(pair?.get('quoteToken'))];
  if (pair === null || base === null || quote === null || base === quote) return 'malformed';
  const [bid, ask] = [readLevels(pair.get('bid')), readLevels(pair.get('ask'))];
  const minimum = pair.get('minimum');
  const least = minimum === undefined || minimum === null ? ZERO : parseDecimal(minimum);
  if (bid === null || ask === null || least === null) return 'malformed';
  const [baseDecimals, quoteDecimals] = [decimalsOf(base), decimalsOf(quote)];
  if (baseDecimals === null || quoteDecimals === null) return 'unknown';
  // Whoever sells the base gets the bid, and whoever buys it pays the ask: down what they get, up what they pay.
  const sells = bid.map(({ amount, cost }): Rung => ({ amountIn: baseUnitsUp(amount, baseDecimals), amountOut: baseUnitsDown(cost, quoteDecimals) }));
  const buys = ask.map(({ amount, cost }): Rung => ({ amountIn: baseUnitsUp(cost, quoteDecimals), amountOut: baseUnitsDown(amount, baseDecimals) }));
  const ladders = [withFallingPrices(sells.filter(isHandled)), withFallingPrices(buys.filter(isHandled))] as const;
  const leasts = [baseUnitsUp(least, baseDecimals), leastToPay(least, ask, quoteDecimals)] as const;
  if (leasts.some((amount) => amount > MAX_AMOUNT)) return 'malformed';
  return base < quote
    ? { tokens: [base, quote], ladders, least: leasts }
    : { tokens: [quote, base], ladders: [ladders[1], ladders[0]], least: [leasts[1], leasts[0]] };
}

/** Up to `amount` of the base, `cost` of the quote is paid. */
type Level = { readonly amount: Decimal; readonly cost: Decimal; readonly price: Decimal };

const ZERO: Decimal = { digits: 0n, places: 0 };

/** Levels as the protocol has them: up to which amount of the base in all, and the price of what is above the level before. null: malformed. */
function readLevels(value: unknown): readonly Level[] | null {
  if (!Array.isArray(value)) return null;
  const levels: Level[] = [];
  for (const pair of value.slice(0, LIMITS.outbound.prices.levels)) {
    if (!Array.isArray(pair) || pair.length !== 2) return null;
    const [amount, price] = [parseDecimal(pair[0]), parseDecimal(pair[1])];
    if (amount === null || price === null) return null;
    const before = levels.at(-1) ?? { amount: ZERO, cost: ZERO };
    const width = difference(amount, before.amount);
    if (width.digits < 0n) return null;
    levels.push({ amount, price, cost: sum(before.cost, product(width, price)) });
  }
  return levels;
}

/** What the least amount of the base costs at the first price. */
function leastToPay(least: Decimal, [first]: readonly Level[], quoteDecimals: number): bigint {
  return first === undefined ? 0n : baseUnitsUp(product(least, first.price), quoteDecimals);
}

function isHandled({ amountIn, amountOut }: Rung): boolean {
  return amountIn > 0n && amountOut > 0n && amountIn <= MAX_AMOUNT && amountOut <= MAX_AMOUNT;
}

/** null of what is no address. */
export function readAddress(value: unknown): Address | null {
  return typeof value === 'string' && isAddress(value) ? asAddress(value) : null;
}
