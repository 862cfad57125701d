import { hopToll } from '../gas/tolls.ts';
import type { Problem } from '../problem.ts';
import type { Ranking } from './path-search.ts';
import type { Walk } from './walk.ts';

/** So much that gas does not tell amounts apart. */
const FAR_ABOVE_GAS = 1e100;

/** Ranks labels net of gas, with what a token is worth in wei by reference prices, and a wei at the goal: a few per cent do not matter, since they weigh gas alone. Gross where a token has no price. */
export function rankNetOfGas(problem: Problem, walk: Walk): Ranking {
  const { perGas, gasPriceWei } = problem.gas;
  const goal = walk.goalOf(problem);
  const ofWei = perGas / Number(gasPriceWei);
  const tolls = { perGas, perHop: 0 };
  return {
    worth: (token) => {
      if (token === goal) return 1;
      const worth = Math.exp(walk.referencePrice(problem, token)) * ofWei;
      return Number.isNaN(worth) ? FAR_ABOVE_GAS : worth;
    },
    toll: (edge, input) => hopToll(tolls, edge.curve, input),
  };
}
