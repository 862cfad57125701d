import { expect } from 'chai';
import type { EpochSeconds } from '../../../src/units/units.ts';
import { divide, multiply } from '../../../src/venues/curve_crypto/checked-integers.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import { exchange, FEE_DENOMINATOR, feeOf, given, openPool, parametersAt, unlessReverted } from '../../../src/venues/curve_crypto/exchange.ts';
import { averagesAt, evenWorth } from '../../../src/venues/curve_crypto/move-prices.ts';
import { momentOf } from '../../../src/venues/venues.ts';
import { type TwoCoinAnswer, type TwoCoinAnswers, textOf, visibleOf } from './two-coin-answers.ts';

const ONE = 10n ** 18n;

/** How many exchanges went through, were refused, moved the pool's own price, and claimed. */
export type Seen = { filled: number; refused: number; repriced: number; claimed: number };

/** Fails where the mathematics give anything else than the contract did, of its views or of an exchange. */
export function compareTwoCoinAnswers(answers: TwoCoinAnswers, seen: Seen): void {
  const { now, pool, views, exchanges } = answers;
  const told = textOf([{ ...answers, exchanges: [] }]);
  expect(viewsOf(pool, now), told).to.deep.equal(views);
  for (let at = 0; at + 1 < exchanges.length; at += 2) {
    const left = compareOne(pool, exchanges[at] as TwoCoinAnswer, now, seen, told);
    compareOne(left, exchanges[at + 1] as TwoCoinAnswer, now, seen, told);
  }
}

/** Gives the pool that the exchange leaves. */
function compareOne(pool: CryptoPool, answer: TwoCoinAnswer, now: number, seen: Seen, told: string): CryptoPool {
  const { indexIn, indexOut, amountIn, promised, amountOut, state } = answer;
  const ours = exchange(pool, indexIn, indexOut, amountIn, momentOf({ number: 1, timestamp: now as EpochSeconds }));
  const text = `${indexIn} to ${indexOut}, ${amountIn} in ${told}`;
  expect({ amountOut: ours?.amountOut ?? null, state: ours === null ? [] : visibleOf(ours.next) }, text).to.deep.equal({ amountOut, state });
  expect(promisedBy(pool, indexIn, indexOut, amountIn, now), `promised, ${text}`).to.equal(promised);
  if (ours === null) {
    seen.refused++;
    return pool;
  }
  seen.filled++;
  if (ours.next.priceScale[0] !== pool.priceScale[0]) seen.repriced++;
  if (ours.next.shares !== pool.shares) seen.claimed++;
  return ours.next;
}

function promisedBy(pool: CryptoPool, slotIn: number, slotOut: number, amountIn: bigint, now: number): bigint | null {
  return unlessReverted(() => {
    const { gross, fee } = given(openPool(pool, parametersAt(pool, BigInt(now))), slotIn, slotOut, amountIn);
    return gross - divide(multiply(fee, gross), FEE_DENOMINATOR);
  });
}

function viewsOf(pool: CryptoPool, now: number): readonly (bigint | null)[] {
  return [
    unlessReverted(() => feeOf(pool, openPool({ ...pool, rampEndsAt: 0n }, pool.to).worth)),
    unlessReverted(() => divide(multiply(ONE, evenWorth(pool.invariant, pool.priceScale)), pool.shares)),
    unlessReverted(() => averagesAt(pool, BigInt(now))[0] ?? null),
  ];
}
