import type { EdgeCurve, WordReader, WordWriter } from '../../snapshot/snapshot.ts';
import { type Address, asAddress, asBlockNumber, type BlockNumber } from '../../units/units.ts';
import { type LadderLevel, priceLadder } from '../ladder/price-ladder.ts';
import { PoolRefused, type StateFacet } from '../venue.ts';
import { MAKER_GAS } from './venue.ts';

/** What a maker said it gives for an amount, base units. */
export type Rung = { readonly amountIn: bigint; readonly amountOut: bigint };

/** Quotes of one direction, the smallest first, each more for more and at no better a price. What lies between two is given at the price between them. */
export type Ladder = readonly Rung[];

/** What is known of a maker's pair. The first ladder sells token 0. */
export type MakerState = {
  readonly maker: Address;
  /** The last block at which the quotes count. */
  readonly until: BlockNumber;
  readonly ladders: readonly [Ladder, Ladder];
};

/** No token has more. */
export const MAX_AMOUNT = (1n << 128n) - 1n;
const LIMBS = 2;
const ADDRESS_LIMBS = 3;
/** What a double may be off by is never promised. */
const KEPT_OF_SIZE = 1 - 8 * Number.EPSILON;

export const state: StateFacet<MakerState> = {
  pack({ maker, until, ladders }, out) {
    out.unsigned(BigInt(maker), ADDRESS_LIMBS).unsigned(BigInt(until), 1);
    for (const ladder of ladders) packLadder(ladder, out);
  },
  unpack(words) {
    const maker = asAddress(`0x${words.unsigned(ADDRESS_LIMBS).toString(16).padStart(40, '0')}`);
    const until = asBlockNumber(Number(words.unsigned(1)));
    return { maker, until, ladders: [unpackLadder(words), unpackLadder(words)] };
  },
  /** A maker pays out of one purse whatever the pair, and prices by all that is in it. */
  traits: ({ maker, until }) => ({ pricesEnd: { blockNumber: until }, inventory: maker, inventoryServesOnce: true }),
  curves: ({ ladders: [sell, buy] }) => [...edge(sell, 0, 1), ...edge(buy, 1, 0)],
};

/** Throws PoolRefused where the quotes are none of a maker's, or none are given: for whoever builds a state from outside. */
export function validateState({ ladders }: MakerState): void {
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

/** For nothing, nothing. */
export const NOTHING: Rung = { amountIn: 0n, amountOut: 0n };

/** Whether the price from the second rung to the third is better than that from the first to the second. */
export function isBetter(first: Rung, second: Rung, third: Rung): boolean {
  return (third.amountOut - second.amountOut) * (second.amountIn - first.amountIn) > (second.amountOut - first.amountOut) * (third.amountIn - second.amountIn);
}

function packLadder(ladder: Ladder, out: WordWriter): void {
  out.unsigned(BigInt(ladder.length), 1);
  for (const { amountIn, amountOut } of ladder) out.unsigned(amountIn, LIMBS).unsigned(amountOut, LIMBS);
}

function unpackLadder(words: WordReader): Ladder {
  return Array.from({ length: Number(words.unsigned(1)) }, () => ({ amountIn: words.unsigned(LIMBS), amountOut: words.unsigned(LIMBS) }));
}

function edge(ladder: Ladder, slotIn: 0 | 1, slotOut: 0 | 1): readonly EdgeCurve[] {
  if (ladder.length === 0) return [];
  const levels = ladder.map(({ amountIn, amountOut }, at): LadderLevel => {
    const before = ladder[at - 1] ?? NOTHING;
    const width = Number(amountIn - before.amountIn);
    return { price: Number(amountOut - before.amountOut) / width, size: width * KEPT_OF_SIZE };
  });
  return [{ slotIn, slotOut, curve: priceLadder(levels, MAKER_GAS) }];
}
