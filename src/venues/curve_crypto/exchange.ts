import type { QuoteMoment } from '../quote-moment.ts';
import { add, divide, mulDiv, multiply, Reverted, subtract } from './checked-integers.ts';
import type { AmplificationAndGamma } from './crypto-maths.ts';
import { type AdminClaim, areAlike, type CryptoPool } from './crypto-pool.ts';
import { mathsOf } from './maths-of.ts';
import { type CountedPool, countPrices, isMoving, stepPrices, type ToldPrice } from './move-prices.ts';
import { isMovingOfTwo, stepPriceOfTwo } from './two-coin-steps.ts';
import { worthOf } from './worth-of.ts';

const ONE = 10n ** 18n;
export const FEE_DENOMINATOR = 10n ** 10n;
/** Base units: smaller amounts tell no price. */
const LEAST_TELLING = 10n ** 5n;

export type CryptoExchange = { readonly amountOut: bigint; readonly next: CryptoPool };

/** What an exchange in a block computes with, whatever its amount. */
export type OpenedPool = {
  readonly pool: CryptoPool;
  readonly parameters: AmplificationAndGamma;
  /** Balances in 18 decimals of the first coin. */
  readonly worth: readonly bigint[];
  readonly invariant: bigint;
};

/** What an exchange gives before anything else follows from it. */
export type Given = {
  /** Base units, before the fee. */
  readonly gross: bigint;
  /** A share with ten decimals. */
  readonly fee: bigint;
  readonly worth: readonly bigint[];
};

/** An exchange of `amountIn` base units in a block of that time; null where the contract reverts. The fee stays in the balances, and the next state is all that the contract then has. */
export function exchange(pool: CryptoPool, slotIn: number, slotOut: number, amountIn: bigint, at: QuoteMoment): CryptoExchange | null {
  return exchanges([pool], slotIn, slotOut, amountIn, at)[0] ?? null;
}

/** The same of each of several pools. What pools share that differ in `adjusting` alone is computed once, and so is a step that they come to both. */
export function exchanges(
  pools: readonly CryptoPool[],
  slotIn: number,
  slotOut: number,
  amountIn: bigint,
  at: QuoteMoment,
): readonly (CryptoExchange | null)[] {
  let known: { readonly pool: CryptoPool; readonly traded: Traded | null } | null = null;
  let stepped: { readonly counted: CountedPool; readonly next: CryptoPool | null } | null = null;
  return pools.map((pool) => {
    const count = pool.balances.length;
    if (slotIn === slotOut || Math.max(slotIn, slotOut) >= count || Math.min(slotIn, slotOut) < 0 || amountIn <= 0n) return null;
    if (known === null || !areAlike(known.pool, pool))
      known = { pool, traded: unlessReverted(() => trade(pool, slotIn, slotOut, amountIn, BigInt(at.timestamp))) };
    const { traded } = known;
    if (traded === null) return null;
    const { amountOut, counted } = traded;
    const moves = unlessReverted(() => moving(counted, pool.adjusting));
    if (moves === null) return null;
    if (!moves) return { amountOut, next: { ...counted.pool, adjusting: false } };
    if (stepped?.counted !== counted) stepped = { counted, next: unlessReverted(() => step(counted)) };
    return stepped.next === null ? null : { amountOut, next: stepped.next };
  });
}

/** null where the contract reverts. */
export function unlessReverted<Value>(compute: () => Value): Value | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Reverted) return null;
    throw error;
  }
}

type Traded = { readonly amountOut: bigint; readonly counted: CountedPool };

/** An exchange up to where the pool's way to its average prices matters. Throws Reverted. */
function trade(pool: CryptoPool, slotIn: number, slotOut: number, amountIn: bigint, now: bigint): Traded {
  const opened = openPool(pool, parametersAt(pool, now));
  const { gross, fee, worth } = given(opened, slotIn, slotOut, amountIn);
  const amountOut = subtract(gross, divide(multiply(fee, gross), FEE_DENOMINATOR));
  const grown = pool.balances.with(slotIn, add(pool.balances[slotIn] ?? 0n, amountIn));
  const balances = grown.with(slotOut, subtract(grown[slotOut] ?? 0n, amountOut));
  const settled = worth.with(slotOut, worthOf(pool, slotOut, balances[slotOut] ?? 0n));
  const told = toldPrice(pool, slotIn, slotOut, amountIn, amountOut);
  const rampEndsAt = pool.rampEndsAt > 0n && now >= pool.rampEndsAt ? 1n : pool.rampEndsAt;
  const claim = pool.claim === null ? null : paidOut(pool.claim, slotIn, slotOut, amountIn, amountOut);
  return { amountOut, counted: countPrices({ ...pool, balances, invariant: opened.invariant, rampEndsAt, claim }, opened.parameters, settled, told, now) };
}

/** The coins move before prices do. */
function paidOut(claim: AdminClaim, slotIn: number, slotOut: number, amountIn: bigint, amountOut: bigint): AdminClaim {
  const grown = claim.held.with(slotIn, add(claim.held[slotIn] ?? 0n, amountIn));
  return { ...claim, held: grown.with(slotOut, subtract(grown[slotOut] ?? 0n, amountOut)) };
}

function moving(counted: CountedPool, adjusting: boolean): boolean {
  return counted.pool.claim === null ? isMoving(counted, adjusting) : isMovingOfTwo(counted, adjusting);
}

function step(counted: CountedPool): CryptoPool {
  const { claim } = counted.pool;
  return claim === null ? stepPrices(counted) : stepPriceOfTwo(counted, claim);
}

/** Throws Reverted. */
export function openPool(pool: CryptoPool, parameters: AmplificationAndGamma): OpenedPool {
  const worth = pool.balances.map((balance, slot) => worthOf(pool, slot, balance));
  return { pool, parameters, worth, invariant: pool.rampEndsAt === 0n ? pool.invariant : mathsOf(worth).invariantOf(parameters, worth) };
}

/** Throws Reverted. */
export function given({ pool, parameters, worth, invariant }: OpenedPool, slotIn: number, slotOut: number, amountIn: bigint): Given {
  const grown = worth.with(slotIn, worthOf(pool, slotIn, add(pool.balances[slotIn] ?? 0n, amountIn)));
  const before = grown[slotOut] ?? 0n;
  const difference = subtract(before, mathsOf(grown).balanceFor(parameters, grown, invariant, slotOut));
  const left = grown.with(slotOut, before - difference);
  const priceOut = pool.priceScale[slotOut - 1];
  const unrounded = subtract(difference, 1n);
  const gross = divide(priceOut === undefined ? unrounded : mulDiv(unrounded, ONE, priceOut), pool.precisions[slotOut] ?? 0n);
  return { gross, fee: feeOf(pool, left), worth: left };
}

/** What the contract computes with in a block of that time. Throws Reverted. */
export function parametersAt({ from, to, rampStartsAt, rampEndsAt }: CryptoPool, now: bigint): AmplificationAndGamma {
  if (now >= rampEndsAt) return to;
  const [whole, passed] = [subtract(rampEndsAt, rampStartsAt), subtract(now, rampStartsAt)];
  const rest = subtract(whole, passed);
  const between = (before: bigint, after: bigint) => divide(add(multiply(before, rest), multiply(after, passed)), whole);
  return { amplification: between(from.amplification, to.amplification), gamma: between(from.gamma, to.gamma) };
}

/** The fee with ten decimals where the balances are worth this. Throws Reverted. */
export function feeOf({ midFee, outFee, feeGamma }: CryptoPool, worth: readonly bigint[]): bigint {
  const even = mathsOf(worth).reductionCoefficient(worth, feeGamma);
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
