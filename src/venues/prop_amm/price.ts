import { amountBetween, type Ladder, type Rung } from '../ladder/rungs.ts';
import type { PriceFacet, Quote } from '../venue.ts';
import type { MakerState } from './state.ts';
import { MAKER_GAS } from './venue.ts';

/**
 * What the quotes say for an amount between two of them: the straight line, rounded down, which is no more than a maker gives whose price falls with the size. What it gives to the wei is asked of it before a route is
 * answered. A swap moves a maker's price in a way that nobody is told, so that a pool serves once.
 */
export const price: PriceFacet<MakerState> = {
  exactIn(state, slotIn, _slotOut, amountIn) {
    const amountOut = amountBetween(ladderOf(state, slotIn), amountIn);
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
