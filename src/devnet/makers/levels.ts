import type { PlacedToken } from '../deploy-contracts.ts';

/** A pair that a maker prices, and what of the base it has at most, in whole tokens. */
export type MakerPair = { readonly base: PlacedToken; readonly quote: PlacedToken };

/** As AirSwap's protocol writes prices: up to which amount of the base in all, and the price, in whole tokens, of what is above the level before. */
export type LevelTexts = readonly (readonly [amount: string, price: string])[];

/** Up to `base`, `quote` changes hands, both in base units. */
export type Rung = { readonly base: bigint; readonly quote: bigint };

/** USD up to which each level goes, and how many times its spread a maker asks for there. */
const LEVELS = [
  { usd: 25_000, spreads: 1 },
  { usd: 100_000, spreads: 2 },
  { usd: 400_000, spreads: 5 },
] as const;
const PLACES = 18;
const WHOLE = 10n ** BigInt(PLACES);

/** `side`: 'bid' where the maker buys the base. `mid`: quote per base. `most`: of the base, as far as the maker can pay. Whole tokens, floats: what is promised is the texts. */
export function levelTexts(
  side: 'bid' | 'ask',
  { base }: MakerPair,
  { mid, spread, most }: { readonly mid: number; readonly spread: number; readonly most: number },
): LevelTexts {
  const levels: [string, string][] = [];
  for (const { usd, spreads } of LEVELS) {
    const amount = Math.min(usd / base.usd, most);
    const price = mid * (1 + (side === 'bid' ? -1 : 1) * spread * spreads);
    const text = amount.toFixed(Math.min(base.decimals, 8));
    if (Number(text) > Number(levels.at(-1)?.[0] ?? 0)) levels.push([text, price.toFixed(PLACES)]);
  }
  return levels;
}

/** The same in base units, rounded for the maker. */
export function rungsOf(side: 'bid' | 'ask', { base, quote }: MakerPair, levels: LevelTexts): readonly Rung[] {
  let [before, cost] = [0n, 0n];
  return levels.map(([amountText, priceText]) => {
    const amount = scaled(amountText);
    cost += (amount - before) * scaled(priceText);
    before = amount;
    const unitsOfBase = (amount * 10n ** BigInt(base.decimals)) / WHOLE;
    const [numerator, denominator] = [cost * 10n ** BigInt(quote.decimals), WHOLE * WHOLE];
    return { base: unitsOfBase, quote: side === 'bid' ? numerator / denominator : (numerator + denominator - 1n) / denominator };
  });
}

/** Along the rungs from an amount of one token to the other's; null: beyond the last of them. */
export function along(rungs: readonly Rung[], from: 'base' | 'quote', amount: bigint, rounding: 'down' | 'up'): bigint | null {
  const to = from === 'base' ? 'quote' : 'base';
  const at = rungs.findIndex((rung) => rung[from] >= amount);
  const above = rungs[at];
  if (above === undefined) return null;
  const below = rungs[at - 1] ?? { base: 0n, quote: 0n };
  const [width, height] = [above[from] - below[from], above[to] - below[to]];
  const grown = (amount - below[from]) * height;
  return below[to] + (rounding === 'down' ? grown / width : (grown + width - 1n) / width);
}

function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}
