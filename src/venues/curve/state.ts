import { LIMITS } from '../../config/limits.ts';
import type { EdgeCurve, WordWriter } from '../../snapshot/snapshot.ts';
import { readAmplification, readUnsigned } from '../pool-set-entry.ts';
import { withinSteps } from '../sampled/newton-steps.ts';
import { rememberCurves } from '../sampled/remembered-curves.ts';
import { stableCurves } from '../scaled/stable-curves.ts';
import { packTokenScale, readAmounts, readTokenScales, type TokenScale, unpackTokenScale, upscaleDown } from '../scaled/token-scale.ts';
import { PoolRefused, type PoolSetStateFacet } from '../venue.ts';
import type { CurveState } from './curve-state.ts';
import { FEE_DENOMINATOR, feeMoves, highestFee } from './fee.ts';
import { movingFeeEdge } from './moving-fee-edge.ts';
import { A_PRECISION, balanceAfterSwap, type CurveForm, invariantOf } from './stable-swap.ts';
import { CURVE_GAS } from './venue.ts';

/** No token has more. The contract sets no bound of its own. */
export const MAX_BALANCE = (1n << 128n) - 1n;
const BALANCE_BITS = 128;
/** Of a number with 18 decimals: what a fee of the contract is made of. */
const FEE_UNIT = 10n ** 8n;
/** The contract's largest fee: a half. */
const MAX_FEE = FEE_DENOMINATOR / 2n;
const MAX_AMPLIFICATION = 1_000_000n * A_PRECISION;
/** What one limb of the snapshot holds. */
const MAX_WORD = (1n << 64n) - 1n;
const BALANCE_LIMBS = 2;
const FORMS: readonly CurveForm[] = ['plain', 'ng', 'early-ng'];
const UNSCALED: TokenScale = { numerator: 1n, denominator: 1n };

/** Throws PoolRefused where the state is not one of a StableSwap pool, or can not be routed: for whoever builds a state from outside. */
export function validateState(pool: CurveState): void {
  const { form, balances, ramp, fee, adminFee, offpegFeeMultiplier } = pool;
  if (balances.length < 2 || balances.length > LIMITS.venues.tokensPerPool) throw new PoolRefused('malformed', `a pool of ${balances.length} tokens`);
  if (fee > MAX_FEE || adminFee > FEE_DENOMINATOR)
    throw new PoolRefused('malformed', `the fee is above a half, or the admin's share above one: ${fee}, ${adminFee}`);
  if (fee * offpegFeeMultiplier > MAX_FEE * FEE_DENOMINATOR || offpegFeeMultiplier > MAX_WORD)
    throw new PoolRefused('malformed', `the fee off the peg is above a half: ${offpegFeeMultiplier} × ${fee}`);
  if (endsOf(pool).some((end) => end < A_PRECISION || end > MAX_AMPLIFICATION)) throw new PoolRefused('malformed', 'the amplification is not 1 … 10^6');
  if (ramp !== null && (ramp.startsAt >= ramp.endsAt || ramp.endsAt > MAX_WORD)) throw new PoolRefused('malformed', 'the ramp ends before it starts, or never');
  if (balances.some((balance) => balance === 0n)) throw new PoolRefused('not-routable', 'a balance is zero');
  if (balances.some((balance) => balance > MAX_BALANCE)) throw new PoolRefused('not-routable', 'a balance is above 2^128');
  const upscaled = upscaledBalances(pool);
  if (endsOf(pool).some((end) => !invariantOf(end, upscaled, form))) throw new PoolRefused('not-routable', 'the balances have no invariant');
}

/** The amplifications between which the pool's lies at any time. */
function endsOf({ amplification, ramp }: CurveState): readonly bigint[] {
  return ramp === null ? [amplification] : [ramp.from, amplification];
}

export const state: PoolSetStateFacet<CurveState> = {
  pack,
  unpack(words) {
    const count = Number(words.unsigned(1));
    const form = FORMS[Number(words.unsigned(1))] ?? 'plain';
    const amplification = words.unsigned(1);
    const [unit, from, startsAt, endsAt] = [words.unsigned(1), words.unsigned(1), words.unsigned(1), words.unsigned(1)];
    const ramp = unit === 0n ? null : { unit, from, startsAt, endsAt };
    const [fee, adminFee, offpegFeeMultiplier] = [words.unsigned(1), words.unsigned(1), words.unsigned(1)];
    const balances = Array.from({ length: count }, () => words.unsigned(BALANCE_LIMBS));
    const scales = Array.from({ length: count }, () => unpackTokenScale(words) ?? UNSCALED);
    return { form, balances, scales, amplification, ramp, fee, adminFee, offpegFeeMultiplier };
  },
  curves: (pool) => (feeMoves(pool) ? rememberedCurves(pool) : fixedEdges(pool)),
  fromPoolSet(entry, tokenCount, decimals = []) {
    const pool: CurveState = {
      form: entry.offpegFeeMultiplier === undefined ? 'plain' : 'ng',
      balances: readAmounts(entry.balances, 'balances', tokenCount, BALANCE_BITS),
      scales: readTokenScales(entry, tokenCount, decimals),
      amplification: readAmplification(entry.amp, A_PRECISION),
      ramp: null,
      fee: readShare(entry.swapFee, 'swapFee'),
      adminFee: readShare(entry.adminFee, 'adminFee', 0n),
      offpegFeeMultiplier: readShare(entry.offpegFeeMultiplier, 'offpegFeeMultiplier', 0n),
    };
    validateState(pool);
    return pool;
  },
};

/** A share with the contract's ten decimals, from one with the pool set's eighteen. */
function readShare(value: unknown, name: string, absent?: bigint): bigint {
  if (value === undefined && absent !== undefined) return absent;
  const share = readUnsigned(value, name, 80);
  if (share % FEE_UNIT !== 0n) throw new PoolRefused('malformed', `${name} is ${share}; it has to be a multiple of ${FEE_UNIT}, the contract's unit`);
  return share / FEE_UNIT;
}

export function upscaledBalances({ balances, scales }: CurveState): readonly bigint[] {
  return scales.map((scale, slot) => upscaleDown(balances[slot] ?? 0n, scale));
}

function pack({ form, balances, scales, amplification, ramp, fee, adminFee, offpegFeeMultiplier }: CurveState, out: WordWriter): void {
  out
    .unsigned(BigInt(balances.length), 1)
    .unsigned(BigInt(FORMS.indexOf(form)), 1)
    .unsigned(amplification, 1);
  for (const word of ramp === null ? [0n, 0n, 0n, 0n] : [ramp.unit, ramp.from, ramp.startsAt, ramp.endsAt]) out.unsigned(word, 1);
  for (const share of [fee, adminFee, offpegFeeMultiplier]) out.unsigned(share, 1);
  for (const balance of balances) out.unsigned(balance, BALANCE_LIMBS);
  for (const scale of scales) packTokenScale(scale, out);
}

const rememberedCurves = rememberCurves(pack, movingEdges);

/** What the mathematics know of a pool at an end of its ramp. */
type End = { readonly end: bigint; readonly invariant: bigint | null };

function endsWithInvariants(pool: CurveState, upscaled: readonly bigint[]): readonly End[] {
  return endsOf(pool).map((end) => ({ end, invariant: invariantOf(end, upscaled, pool.form) }));
}

/**
 * A curve of this kind has one fee, the highest, so that of a pool whose fee moves with its balances is sampled. A curve knows no time either: of an amplification that moves it takes the middle, and
 * what either end takes; a sampled one gives the less of both ends. None where that would take too many steps.
 */
function fixedEdges(pool: CurveState): readonly EdgeCurve[] {
  return withinSteps(LIMITS.venues.sampledStepsOfPool, () => closedEdges(pool)) ?? [];
}

function closedEdges(pool: CurveState): readonly EdgeCurve[] {
  const upscaled = upscaledBalances(pool);
  const middle = (pool.amplification + (pool.ramp?.from ?? pool.amplification)) / 2n;
  const ends = endsWithInvariants(pool, upscaled);
  const invariant = invariantOf(middle, upscaled, pool.form);
  if (!invariant) return [];
  return stableCurves({
    keep: () => 1 - Number(highestFee(pool)) / Number(FEE_DENOMINATOR),
    feeOnOutput: true,
    gas: CURVE_GAS[pool.form],
    ann: (Number(middle) / Number(A_PRECISION)) * upscaled.length,
    invariant,
    tokens: pool.scales.map((scale, slot) => ({ slot, scale, balance: upscaled[slot] ?? 0n, room: MAX_BALANCE - (pool.balances[slot] ?? 0n) })),
    takes: (slotIn, slotOut, more) =>
      ends.every(
        ({ end, invariant: own }) => own !== null && balanceAfterSwap(pool.form, end, upscaled, own, slotIn, slotOut, (upscaled[slotIn] ?? 0n) + more) !== null,
      ),
  });
}

/**
 * Sampled, as long as the pool has steps left: whoever opens one chooses coins, amounts and amplification, and may let its rates move in each block. Beyond them an edge stays what it is with the highest
 * fee. The order is that of the coins, so that the same pool has the same edges everywhere.
 */
function movingEdges(pool: CurveState): readonly EdgeCurve[] {
  const upscaled = upscaledBalances(pool);
  const ends = endsWithInvariants(pool, upscaled);
  const edges = [...fixedEdges(pool)];
  withinSteps(LIMITS.venues.sampledStepsOfPool, () => {
    for (const [at, edge] of edges.entries()) edges[at] = movingFeeEdge(pool, upscaled, ends, edge);
  });
  return edges;
}
