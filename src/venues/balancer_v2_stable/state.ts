import { LIMITS } from '../../config/limits.ts';
import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import { asciiLowerCase } from '../../units/units.ts';
import { ONE } from '../balancer/fixed-point.ts';
import { BALANCER_GAS, MAX_BALANCE } from '../balancer/swap-frame.ts';
import { type PoolSetEntry, readAmplification, readUnsigned } from '../pool-set-entry.ts';
import { stableCurves } from '../scaled/stable-curves.ts';
import { packTokenScale, readAmounts, readTokenScales, type TokenScale, unpackTokenScale, upscaleDown } from '../scaled/token-scale.ts';
import { PoolRefused, type PoolSetStateFacet } from '../venue.ts';
import { AMP_PRECISION, balanceOf, type InvariantRule, invariantOf } from './stable-math.ts';

/**
 * Exact state of a stable pool. Balances are base units (uint112 in the vault); `scales` bring each to 18 decimals, null for the pool's own token, which
 * a composable pool holds beside the others; `amplification` is A · n^(n−1) with three decimals, n without the pool's own token; the fee is 18-decimal.
 */
export type StableState = {
  readonly balances: readonly bigint[];
  readonly scales: readonly (TokenScale | null)[];
  readonly amplification: bigint;
  readonly swapFee: bigint;
  readonly rule: InvariantRule;
};

/** Pools of before June 2022, as pool sets call them after the colon. */
const ROUNDING_UP = new Set(['stable', 'metastable', 'stablephantom']);
/** The contract allows 5,000; more is still computed alike. */
const MAX_AMPLIFICATION = 1_000_000n * AMP_PRECISION;
const BALANCE_LIMBS = 2;

/** Throws PoolRefused where the state is not one of a stable pool, or can not be routed: for whoever builds a state from outside. */
export function validateState(pool: StableState): void {
  const { balances, scales, amplification, swapFee, rule } = pool;
  if (balances.length > LIMITS.venues.tokensPerPool) throw new PoolRefused('malformed', `a pool of ${balances.length} tokens`);
  if (swapFee >= ONE) throw new PoolRefused('malformed', `the swap fee is not below one: ${swapFee}`);
  if (amplification < AMP_PRECISION || amplification > MAX_AMPLIFICATION) throw new PoolRefused('malformed', `the amplification is not 1 … 10^6`);
  const upscaled = upscaledBalances(pool);
  if (upscaled.length < 2) throw new PoolRefused('malformed', 'fewer than two tokens beside the pool token');
  if (scales.some((scale, slot) => scale !== null && balances[slot] === 0n)) throw new PoolRefused('not-routable', 'a balance is zero');
  if (!invariantOf(amplification, upscaled, rule)) throw new PoolRefused('not-routable', 'the balances have no invariant');
}

export const state: PoolSetStateFacet<StableState> = {
  pack({ balances, scales, amplification, swapFee, rule }, out) {
    out
      .unsigned(BigInt(balances.length), 1)
      .unsigned(rule === 'up' ? 1n : 0n, 1)
      .unsigned(amplification, 1)
      .unsigned(swapFee, 1);
    for (const balance of balances) out.unsigned(balance, BALANCE_LIMBS);
    for (const scale of scales) packTokenScale(scale, out);
  },
  unpack(words) {
    const count = Number(words.unsigned(1));
    const rule = words.unsigned(1) === 1n ? 'up' : 'down';
    const [amplification, swapFee] = [words.unsigned(1), words.unsigned(1)];
    const balances = Array.from({ length: count }, () => words.unsigned(BALANCE_LIMBS));
    const scales = Array.from({ length: count }, () => unpackTokenScale(words));
    return { balances, scales, amplification, swapFee, rule };
  },
  curves,
  fromPoolSet(entry, tokenCount, decimals = []) {
    const own = ownTokenSlot(entry);
    const places = decimals.map((known, slot) => (slot === own ? 18 : known));
    const pool: StableState = {
      balances: readAmounts(entry.balances, 'balances', tokenCount, 112),
      scales: readTokenScales(entry, tokenCount, places).map((scale, slot) => (slot === own ? null : scale)),
      amplification: readAmplification(entry.amp, AMP_PRECISION),
      swapFee: readUnsigned(entry.swapFee, 'swapFee', 60),
      rule: typeof entry.venue === 'string' && ROUNDING_UP.has(asciiLowerCase(entry.venue).split(':')[1] ?? '') ? 'up' : 'down',
    };
    validateState(pool);
    return pool;
  },
};

/** The slot of the pool's own token: the one at the pool's address. −1 where there is none. */
function ownTokenSlot({ id, address, tokens }: PoolSetEntry): number {
  const own = typeof address === 'string' ? address : id;
  if (typeof own !== 'string' || !Array.isArray(tokens)) return -1;
  return tokens.findIndex((token) => typeof token === 'string' && asciiLowerCase(token) === asciiLowerCase(own));
}

function upscaledBalances({ balances, scales }: StableState): readonly bigint[] {
  return scales.flatMap((scale, slot) => (scale === null ? [] : [upscaleDown(balances[slot] ?? 0n, scale)]));
}

/** All directions but those of the pool's own token. */
function curves(pool: StableState): readonly EdgeCurve[] {
  const { amplification, balances, scales } = pool;
  const upscaled = upscaledBalances(pool);
  const invariant = invariantOf(amplification, upscaled, pool.rule);
  if (!invariant) return [];
  const tokens = scales.flatMap((scale, slot) => {
    const balance = balances[slot] ?? 0n;
    return scale === null ? [] : [{ slot, scale, balance: upscaleDown(balance, scale), room: MAX_BALANCE - balance }];
  });
  return stableCurves({
    keep: () => Number(ONE - pool.swapFee) / 1e18,
    feeOnOutput: false,
    gas: BALANCER_GAS.stable,
    ann: (Number(amplification) / Number(AMP_PRECISION)) * upscaled.length,
    invariant,
    tokens,
    takes(indexIn, indexOut, more) {
      const grown = upscaled.map((balance, index) => (index === indexIn ? balance + more : balance));
      return balanceOf(amplification, grown, invariant, indexOut) !== null;
    },
  });
}
