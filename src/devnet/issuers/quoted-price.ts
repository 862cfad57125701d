import { approxBaseUnits } from '../token-table.ts';

/** Whole assets up to which each level goes, and what the issuer keeps of what is in it, basis points. Above the last it quotes nothing: its limit. */
const LEVELS = [
  { upTo: 10n, keepsBps: 5n },
  { upTo: 100n, keepsBps: 10n },
  { upTo: 1_000n, keepsBps: 20n },
] as const;
const WHOLE = 10n ** 18n;
const BPS = 10_000n;

/** What so much of an asset costs, or brings, in base units; null: it is above the limit. `usd`: of one whole asset, with 18 decimals. */
export function worthOf(side: 0 | 1, usd: bigint, quantity: bigint): bigint | null {
  let [before, worth] = [0n, 0n];
  for (const { upTo, keepsBps } of LEVELS) {
    const width = (quantity < upTo * WHOLE ? quantity : upTo * WHOLE) - before;
    if (width > 0n) worth += (width * usd * (side === 0 ? BPS + keepsBps : BPS - keepsBps)) / (WHOLE * BPS);
    before = upTo * WHOLE;
    if (quantity <= before) return worth;
  }
  return null;
}

/** The price of one whole asset at that size; of an attestation by a trifle better than what is indicated, so that no rounding makes it worse. */
export function priceOf(side: 0 | 1, usd: bigint, quantity: bigint, isFirm: boolean): bigint | null {
  const worth = worthOf(side, usd, quantity);
  if (worth === null || quantity === 0n) return null;
  const price = (worth * WHOLE) / quantity;
  const trifle = isFirm ? price / 10n ** 9n : 0n;
  return side === 0 ? price - trifle : price + trifle;
}

/** The most of an asset that so many dollars buy; null: more than the limit. */
export function quantityFor(usd: bigint, notional: bigint): bigint | null {
  let [low, high] = [0n, (LEVELS.at(-1)?.upTo ?? 0n) * WHOLE];
  const costOf = (quantity: bigint): bigint => (quantity * (priceOf(0, usd, quantity, true) ?? 0n)) / WHOLE;
  // What is indicated for all that it sells is by a trifle more than that costs.
  if (costOf(high) < notional) return (worthOf(0, usd, high) ?? 0n) < notional ? null : high;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (costOf(middle) <= notional) low = middle;
    else high = middle;
  }
  return low;
}

/** Assets of the local chain's issuer. */
export const ASSETS = [
  { symbol: 'AAPLon', name: 'Apple (Ondo Tokenized Stock)', usd: 225.27 },
  { symbol: 'TSLAon', name: 'Tesla (Ondo Tokenized Stock)', usd: 330.5 },
] as const;

/** Of one whole asset, with 18 decimals. */
export function usdOf(usd: number): bigint {
  return approxBaseUnits({ symbol: '', name: '', decimals: 18, kind: 'standard', usd: 1, sway: 0 }, usd);
}
