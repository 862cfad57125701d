import type { EdgeCurve, WordReader, WordWriter } from '../../snapshot/snapshot.ts';
import { PoolRefused } from '../venue.ts';
import { type LadderLevel, priceLadder } from './price-ladder.ts';

/** What a maker said it gives for an amount, base units. */
export type Rung = { readonly amountIn: bigint; readonly amountOut: bigint };

/** Quotes of one direction, the smallest first, each more for more and at no better a price. What lies between two is given at the price between them. */
export type Ladder = readonly Rung[];

/** For nothing, nothing. */
export const NOTHING: Rung = { amountIn: 0n, amountOut: 0n };

/** No token has more. */
export const MAX_AMOUNT = (1n << 128n) - 1n;
const LIMBS = 2;
/** What a double may be off by is never promised. */
const KEPT_OF_SIZE = 1 - 8 * Number.EPSILON;

/** Throws PoolRefused where the quotes of both directions are none of a maker's, or none are given. */
export function validateLadders(ladders: readonly Ladder[]): void {
  if (ladders.every((ladder) => ladder.length === 0)) throw new PoolRefused('not-routable', 'the maker gives no quote now');
  for (const ladder of ladders) {
    for (const [at, rung] of ladder.entries()) {
      const before = ladder[at - 1] ?? NOTHING;
      if (rung.amountIn > MAX_AMOUNT || rung.amountOut > MAX_AMOUNT) throw new PoolRefused('malformed', `a quote of ${rung.amountIn} for ${rung.amountOut}`);
      if (rung.amountIn <= before.amountIn || rung.amountOut <= before.amountOut) throw new PoolRefused('malformed', 'a quote that gives no more for more');
      if (at > 0 && isBetter(ladder[at - 2] ?? NOTHING, before, rung)) throw new PoolRefused('malformed', 'a quote that gives a better price for more');
    }
  }
}

/** Whether the price from the second rung to the third is better than that from the first to the second. */
function isBetter(first: Rung, second: Rung, third: Rung): boolean {
  return (third.amountOut - second.amountOut) * (second.amountIn - first.amountIn) > (second.amountOut - first.amountOut) * (third.amountIn - second.amountIn);
}

/** The quotes that no two others are above: prices fall with the size, as a curve's have to. What is left out gave less than the line between its neighbours. */
export function withFallingPrices(rungs: readonly Rung[]): Ladder {
  const kept: Rung[] = [];
  for (const rung of rungs) {
    if (rung.amountIn <= (kept.at(-1) ?? NOTHING).amountIn) continue;
    for (;;) {
      const last = kept.at(-1);
      if (last === undefined) break;
      const before = kept.at(-2) ?? NOTHING;
      if (rung.amountOut > last.amountOut && !isBetter(before, last, rung)) break;
      if (rung.amountOut <= last.amountOut) break;
      kept.pop();
    }
    if (rung.amountOut > (kept.at(-1) ?? NOTHING).amountOut) kept.push(rung);
  }
  return kept;
}

/** What the quotes say for an amount: between two of them the straight line, rounded down; 0 above the last. */
export function amountBetween(ladder: Ladder, amountIn: bigint): bigint {
  const at = ladder.findIndex((rung) => rung.amountIn >= amountIn);
  const above = ladder[at];
  if (above === undefined || amountIn <= 0n) return 0n;
  const below = ladder[at - 1] ?? NOTHING;
  return below.amountOut + ((amountIn - below.amountIn) * (above.amountOut - below.amountOut)) / (above.amountIn - below.amountIn);
}

export function packLadder(ladder: Ladder, out: WordWriter): void {
  out.unsigned(BigInt(ladder.length), 1);
  for (const { amountIn, amountOut } of ladder) out.unsigned(amountIn, LIMBS).unsigned(amountOut, LIMBS);
}

export function unpackLadder(words: WordReader): Ladder {
  return Array.from({ length: Number(words.unsigned(1)) }, () => ({ amountIn: words.unsigned(LIMBS), amountOut: words.unsigned(LIMBS) }));
}

/** The float curve of one direction; none where nothing is quoted. `gas` in gas units. */
export function ladderEdge(ladder: Ladder, slotIn: 0 | 1, slotOut: 0 | 1, gas: number): readonly EdgeCurve[] {
  if (ladder.length === 0) return [];
  const levels = ladder.map(({ amountIn, amountOut }, at): LadderLevel => {
    const before = ladder[at - 1] ?? NOTHING;
    const width = Number(amountIn - before.amountIn);
    return { price: Number(amountOut - before.amountOut) / width, size: width * KEPT_OF_SIZE };
  });
  return [{ slotIn, slotOut, curve: priceLadder(levels, gas) }];
}
