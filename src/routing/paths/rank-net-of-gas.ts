import { hopToll, type Tolls } from '../gas/tolls.ts';
import type { Problem } from '../problem.ts';
import type { Ranking } from './path-search.ts';
import type { Walk } from './walk.ts';

/** So much that gas does not tell amounts apart. */
const FAR_ABOVE_GAS = 1e100;

/** Ranks labels net of gas, with what a token is worth at the goal by reference prices: a few per cent do not matter, since they weigh gas alone. Gross where a token has none. */
export function rankNetOfGas(problem: Problem, walk: Walk, tolls: Tolls): Ranking {
  const goal = walk.goalOf(problem);
  const goalPrice = walk.referencePrice(problem, goal);
  return {
    worth: (token) => {
      if (token === goal) return 1;
      const ratio = Math.exp(walk.referencePrice(problem, token) - goalPrice);
      return Number.isNaN(ratio) ? FAR_ABOVE_GAS : ratio;
    },
    toll: (edge, input) => hopToll(tolls, edge.curve, input),
  };
}
