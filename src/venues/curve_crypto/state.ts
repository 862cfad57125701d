import { LIMITS } from '../../config/limits.ts';
import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import type { EpochSeconds } from '../../units/units.ts';
import { momentOf } from '../quote-moment.ts';
import { withinSteps } from '../sampled/newton-steps.ts';
import { rememberCurves } from '../sampled/remembered-curves.ts';
import { SAMPLING_TOLERANCE, type SampledCurve, sampleConcave } from '../sampled/sample-concave.ts';
import type { StateFacet } from '../venue.ts';
import { areAlike, type CryptoPool } from './crypto-pool.ts';
import { type CryptoState, endsOf } from './crypto-state.ts';
import { exchange, FEE_DENOMINATOR, feeOf, given, type OpenedPool, openPool, unlessReverted } from './exchange.ts';
import { mathsOf } from './maths-of.ts';
import { packPool, unpackPool } from './pack-pool.ts';
import { HOP_GAS } from './venue.ts';

export const state: StateFacet<CryptoState> = {
  pack({ possible }, out) {
    out.unsigned(BigInt(possible.length), 1);
    for (const pool of possible) packPool(pool, out);
  },
  unpack(words) {
    const two = words.unsigned(1) === 2n;
    const first = unpackPool(words);
    return { possible: two ? [first, unpackPool(words)] : [first] };
  },
  curves({ possible }) {
    const [pool, other = pool] = possible;
    // Of a pool that may be two things nothing is promised.
    return areAlike(pool, other) ? rememberedCurves(pool) : [];
  },
};

const ONE = 10n ** 18n;
/** Of the invariant, with 18 decimals: a fiftieth above the least share that the contract computes with, since fees raise the invariant. */
const LEAST_SHARE = 102n * 10n ** 14n;
/** How often a capacity is reduced by a quarter until an exchange of it goes through: down to a millionth. */
const REDUCTIONS = 48;

/** Where they would take too long there are none: the pool is followed, and absent from the snapshot. */
const rememberedCurves = rememberCurves<CryptoPool>(
  (pool, out) => packPool({ ...pool, adjusting: false }, out),
  (pool) => withinSteps(LIMITS.venues.sampledSteps * pool.balances.length * (pool.balances.length - 1), () => curvesOf(pool)) ?? [],
);

function curvesOf(pool: CryptoPool): readonly EdgeCurve[] {
  const opened = endsOf(pool).map((end) => unlessReverted(() => openPool(pool, end)));
  if (!opened.every((one) => one !== null)) return [];
  const slots = pool.balances.map((_, slot) => slot);
  return slots.flatMap((slotIn) =>
    slots.flatMap((slotOut) => {
      const curve = slotIn === slotOut ? null : edgeOf(opened, slotIn, slotOut);
      return curve === null ? [] : [{ slotIn, slotOut, curve: { ...curve, gas: HOP_GAS, gasPerPiece: 0, gasPerLogPrice: 0 } }];
    }),
  );
}

/** While parameters move: what the worse of both ends gives. */
function edgeOf(opened: readonly OpenedPool[], slotIn: number, slotOut: number): SampledCurve | null {
  const capacity = opened.reduce<bigint | null>((least, one) => {
    const own = capacityOf(one, slotIn, slotOut);
    return least === null || own < least ? own : least;
  }, null);
  if (capacity === null || capacity <= 0n) return null;
  const sampled = (fee: (pool: OpenedPool) => bigint) => {
    const fees = opened.map(fee);
    return sampleConcave((amountIn) => leastOutput(opened, fees, slotIn, slotOut, amountIn), capacity, SAMPLING_TOLERANCE, roundingOf(opened, slotIn, slotOut));
  };
  // Where the fee's way makes no concave output, it is taken for the highest.
  return sampled(({ pool, worth }) => feeOf(pool, worth)) ?? sampled(({ pool }) => pool.outFee);
}

/** An exchange that evens the balances out pays less than the smallest does, and its output would not be concave: at least `fees` are taken. */
function leastOutput(opened: readonly OpenedPool[], fees: readonly bigint[], slotIn: number, slotOut: number, amountIn: bigint): bigint | null {
  let least: bigint | null = null;
  for (const [at, one] of opened.entries()) {
    const output = unlessReverted(() => {
      const { gross, fee } = given(one, slotIn, slotOut, amountIn);
      const smallest = fees[at] ?? 0n;
      return gross - (gross * (fee > smallest ? fee : smallest)) / FEE_DENOMINATOR;
    });
    if (output === null) return null;
    if (least === null || output < least) least = output;
  }
  return least;
}

/** What brings the other balance down to its least share. */
function capacityOf({ pool, parameters, worth, invariant }: OpenedPool, slotIn: number, slotOut: number): bigint {
  const least = (invariant * LEAST_SHARE) / ONE;
  const reached =
    (worth[slotOut] ?? 0n) <= least ? null : unlessReverted(() => mathsOf(worth).balanceFor(parameters, worth.with(slotOut, least), invariant, slotIn));
  const grown = (reached ?? 0n) - (worth[slotIn] ?? 0n);
  if (grown <= 0n) return 0n;
  let capacity = (grown * ONE) / (pool.priceScale[slotIn - 1] ?? ONE) / (pool.precisions[slotIn] ?? 1n);
  for (let reduced = 0; reduced < REDUCTIONS && capacity > 0n; reduced++) {
    if (isTaken(pool, slotIn, slotOut, capacity)) return capacity;
    capacity = (capacity * 3n) / 4n;
  }
  return 0n;
}

function isTaken(pool: CryptoPool, slotIn: number, slotOut: number, amountIn: bigint): boolean {
  const { lastPricesAt, rampStartsAt, rampEndsAt } = pool;
  const times = [lastPricesAt, rampStartsAt, rampEndsAt].filter((time) => time >= lastPricesAt && time >= rampStartsAt);
  return times.every((time) => {
    const at = momentOf({ number: 0, timestamp: Number(time) as EpochSeconds });
    return exchange(pool, slotIn, slotOut, amountIn, at) !== null;
  });
}

/** What rounding may take of an output, in its base units: a unit of the input may be worth many of the output, and balances are found to a part in 10^14. */
function roundingOf([opened]: readonly OpenedPool[], slotIn: number, slotOut: number): number {
  if (opened === undefined) return 1;
  const unit = (slot: number) => Number(opened.pool.precisions[slot] ?? 1n) * (Number(opened.pool.priceScale[slot - 1] ?? ONE) / 1e18);
  return 2 + (2 * Math.max(1, unit(slotIn))) / unit(slotOut);
}
