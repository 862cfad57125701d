import type { WordReader, WordWriter } from '../../snapshot/snapshot.ts';
import { type PoolSetEntry, readList, readUnsigned } from '../pool-set-entry.ts';
import { PoolRefused } from '../venue.ts';

/** How a pool brings a token to its common unit of 18 decimals: upscaled = amount · numerator / denominator. A rate is part of it where the token has one. */
export type TokenScale = { readonly numerator: bigint; readonly denominator: bigint };

const ONE = 10n ** 18n;
/** A rate is an 18-decimal number; one beyond this is no rate of a token. */
const RATE_BITS = 128;
/** A rate lifted by 10^18 is the largest term. */
const LIMBS = 3;

export function upscaleDown(amount: bigint, { numerator, denominator }: TokenScale): bigint {
  return (amount * numerator) / denominator;
}

export function downscaleDown(amount: bigint, { numerator, denominator }: TokenScale): bigint {
  return (amount * denominator) / numerator;
}

export function downscaleUp(amount: bigint, { numerator, denominator }: TokenScale): bigint {
  return amount === 0n ? 0n : (amount * denominator - 1n) / numerator + 1n;
}

/** null packs as zeros, which no scale has. */
export function packTokenScale(scale: TokenScale | null, out: WordWriter): void {
  out.unsigned(scale?.numerator ?? 0n, LIMBS).unsigned(scale?.denominator ?? 0n, LIMBS);
}

export function unpackTokenScale(words: WordReader): TokenScale | null {
  const [numerator, denominator] = [words.unsigned(LIMBS), words.unsigned(LIMBS)];
  return denominator === 0n ? null : { numerator, denominator };
}

/**
 * The scales that an entry's `scalingRates` or `priceRates`, else the tokens' decimals, say. Throws PoolRefused where they say none: a pool whose token
 * has unknown decimals can not be priced exactly, and neither venue takes a token of more than 18.
 */
export function readTokenScales(entry: PoolSetEntry, tokenCount: number, decimals: readonly (number | null)[]): readonly TokenScale[] {
  if (entry.scalingRates !== undefined) {
    return readAmounts(entry.scalingRates, 'scalingRates', tokenCount, RATE_BITS).map((denominator) => positive({ numerator: ONE, denominator }));
  }
  const rates = entry.priceRates === undefined ? undefined : readAmounts(entry.priceRates, 'priceRates', tokenCount, RATE_BITS);
  return Array.from({ length: tokenCount }, (_, slot) => {
    const places = decimals[slot];
    if (places === undefined || places === null) throw new PoolRefused('not-routable', `the decimals of token ${slot} are not known`);
    if (places > 18) throw new PoolRefused('not-routable', `token ${slot} has ${places} decimals; the venue takes at most 18`);
    const lift = 10n ** BigInt(18 - places);
    const rate = rates?.[slot];
    return rate === undefined ? { numerator: lift, denominator: 1n } : positive({ numerator: lift * rate, denominator: ONE });
  });
}

/** One amount per token. Throws PoolRefused on anything else. */
export function readAmounts(value: unknown, name: string, tokenCount: number, bits: number): readonly bigint[] {
  const amounts = readList(value, name);
  if (amounts.length !== tokenCount) throw new PoolRefused('malformed', `${name} has ${amounts.length} entries for ${tokenCount} tokens`);
  return amounts.map((amount, slot) => readUnsigned(amount, `${name}[${slot}]`, bits));
}

function positive(scale: TokenScale): TokenScale {
  if (scale.numerator === 0n || scale.denominator === 0n) throw new PoolRefused('malformed', 'a rate is zero');
  return scale;
}
