import { convert, type Ratio, type VaultWay } from './vault-way.ts';

/** What a vault's preview says for an amount. */
export type Preview = { readonly amountIn: bigint; readonly amountOut: bigint };

/** Ratios that give what was previewed, and which of the rates they are made of: what an input is worth before a fee of the output. */
export type Fit = { readonly ratios: VaultWay['ratios']; readonly rate: Ratio };

const UNCHANGED: Ratio = [1n, 1n];
/** In what parts vaults count their fees. */
const FEE_BASES = [10_000n, 1_000_000n, 10n ** 18n] as const;
/** Fewer say too little. */
const FEWEST_PREVIEWS = 4;

/**
 * The ratios that give every one of the previews to the unit, out of what the vault may multiply with and a fee of its input or its output. null where there are none: the vault prices by
 * something else, or lies. Previews come smallest first.
 */
export function fitWay(previews: readonly Preview[], rates: readonly Ratio[]): Fit | null {
  const largest = previews.at(-1);
  if (largest === undefined || largest.amountOut === 0n || previews.length < FEWEST_PREVIEWS) return null;
  for (const rate of rates) {
    for (const kept of keptBy(largest, rate)) {
      for (const ratios of [[rate, kept] as const, [kept, rate] as const]) {
        if (previews.every(({ amountIn, amountOut }) => convert({ ratios, limit: amountIn }, amountIn) === amountOut)) return { ratios, rate };
      }
    }
  }
  return null;
}

/** The fees that explain the difference between a rate and a preview: a part of the whole, or of what is left. */
function keptBy({ amountIn, amountOut }: Preview, [numerator, denominator]: Ratio): readonly Ratio[] {
  const whole = (amountIn * numerator) / denominator;
  if (whole < amountOut) return [];
  if (whole === amountOut) return [UNCHANGED];
  const missing = whole - amountOut;
  return FEE_BASES.flatMap((base): readonly Ratio[] => {
    const [ofWhole, ofRest] = [nearest(missing * base, whole), nearest(missing * base, amountOut)];
    return [...(ofWhole < base ? [[base - ofWhole, base] as const] : []), [base, base + ofRest]];
  });
}

function nearest(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}
