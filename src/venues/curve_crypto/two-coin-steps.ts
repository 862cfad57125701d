import { add, divide, mulDiv, multiply, subtract } from './checked-integers.ts';
import type { AmplificationAndGamma } from './crypto-maths.ts';
import { distance } from './crypto-maths.ts';
import type { AdminClaim, CryptoPool } from './crypto-pool.ts';
import { type CountedPool, evenWorth } from './move-prices.ts';
import { invariantOf } from './two-coin-maths.ts';
import { worthOf } from './worth-of.ts';

const ONE = 10n ** 18n;
const FEE_DENOMINATOR = 10n ** 10n;
/** Of the way to the average price, which a step covers at least. */
const LEAST_STEP_PART = 5n;

/** Whether a pool of two coins was on its way to the average, or has earned enough to begin and is far enough away. Throws Reverted. */
export function isMovingOfTwo({ pool, virtualPriceBefore }: CountedPool, adjusting: boolean): boolean {
  const { apart, step } = wayOf(pool);
  // A pool on its way is not asked what it has earned: that reverts where its share has lost more than half.
  if (adjusting) return true;
  const earned = subtract(multiply(pool.virtualPrice, 2n), ONE) > add(pool.profit, multiply(2n, pool.allowedExtraProfit));
  return earned && apart > step && virtualPriceBefore > 0n;
}

/** A step of the pool's own price towards the average where half of the profit stays; else the way ends, and the admin claims. Throws Reverted. */
export function stepPriceOfTwo({ pool, parameters, worth, virtualPriceBefore }: CountedPool, claim: AdminClaim): CryptoPool {
  const { apart, step } = wayOf(pool);
  const [price = 0n, average = 0n] = [pool.priceScale[0], pool.priceOracle[0]];
  if (apart > step && virtualPriceBefore > 0n) {
    const next = divide(add(multiply(price, subtract(apart, step)), multiply(step, average)), apart);
    const [first = 0n, second = 0n] = worth;
    const invariant = invariantOf(parameters, [first, mulDiv(second, next, price)]);
    const virtualPrice = divide(multiply(ONE, evenWorth(invariant, [next])), pool.shares);
    if (virtualPrice > ONE && subtract(multiply(2n, virtualPrice), ONE) > pool.profit)
      return { ...pool, priceScale: [next], invariant, virtualPrice, adjusting: true };
  }
  return claimed({ ...pool, adjusting: false }, parameters, claim);
}

/** How far the own price is from the average, and how far a step goes; of the own price, with 18 decimals. */
function wayOf({ priceScale: [price = 0n], priceOracle: [average = 0n], adjustmentStep }: CryptoPool): { readonly apart: bigint; readonly step: bigint } {
  const apart = distance(mulDiv(average, ONE, price), ONE);
  const least = apart / LEAST_STEP_PART;
  return { apart, step: adjustmentStep > least ? adjustmentStep : least };
}

/** What the pool really has becomes its balances, gifts too, and shares are made out of the profit for its admin. */
function claimed(pool: CryptoPool, parameters: AmplificationAndGamma, claim: AdminClaim): CryptoPool {
  const grown = pool.profit > claim.profitClaimed;
  const fees = grown ? divide(multiply(pool.profit - claim.profitClaimed, claim.share), 2n * FEE_DENOMINATOR) : 0n;
  const paid = fees > 0n && claim.hasReceiver;
  const part = paid ? subtract(divide(multiply(pool.virtualPrice, ONE), subtract(pool.virtualPrice, fees)), ONE) : 0n;
  const profit = paid ? subtract(pool.profit, multiply(fees, 2n)) : pool.profit;
  const shares = add(pool.shares, mulDiv(pool.shares, part, ONE));
  const gulped = { ...pool, balances: claim.held, profit, shares };
  const invariant = invariantOf(
    parameters,
    claim.held.map((balance, slot) => worthOf(gulped, slot, balance)),
  );
  const virtualPrice = divide(multiply(ONE, evenWorth(invariant, pool.priceScale)), shares);
  return { ...gulped, invariant, virtualPrice, claim: { ...claim, profitClaimed: profit > claim.profitClaimed ? profit : claim.profitClaimed } };
}
