import type { PriceFacet, Quote } from '../venue.ts';
import { type Ladder, type MakerState, NOTHING, type Rung } from './state.ts';
import { MAKER_GAS } from './venue.ts';

/**
 * What the quotes say for an amount between two of them: the straight line, rounded down, which is no more than a maker gives whose price falls with the size. What it gives to the wei is asked of it before a route is
 * answered. A swap moves a maker's price in a way that nobody is told, so that a pool serves once.
 */
export const price: PriceFacet<MakerState> = {
  exactIn(state, slotIn, _slotOut, amountIn) {
    const amountOut = amountIn <= 0n ? 0n : between(ladderOf(state, slotIn), amountIn);
    if (amountOut === 0n) return REVERTS;
    return { ok: true, amountIn, amountOut, next: { ...state, ladders: [[], []] }, gas: MAKER_GAS };
  },

  informed(state, quotes) {
    const informedLadder = (slotIn: number): Ladder => {
      const said = quotes.filter((quote) => quote.slotIn === slotIn);
      const kept = ladderOf(state, slotIn).filter(({ amountIn }) => said.every((quote) => quote.amountIn !== amountIn));
      const rungs = said.map(({ amountIn, amountOut }): Rung => ({ amountIn, amountOut }));
      return [...kept, ...rungs].sort((one, other) => (one.amountIn < other.amountIn ? -1 : 1));
    };
    return { ...state, ladders: [informedLadder(0), informedLadder(1)] };
  },
};

const REVERTS: Quote<MakerState> = { ok: false, reason: 'reverts' };

function ladderOf({ ladders }: MakerState, slotIn: number): Ladder {
  return ladders[slotIn === 0 ? 0 : 1];
}

/** 0 above the last of the quotes. */
function between(ladder: Ladder, amountIn: bigint): bigint {
  const at = ladder.findIndex((rung) => rung.amountIn >= amountIn);
  const above = ladder[at];
  if (above === undefined) return 0n;
  const below = ladder[at - 1] ?? NOTHING;
  return below.amountOut + ((amountIn - below.amountIn) * (above.amountOut - below.amountOut)) / (above.amountIn - below.amountIn);
}
