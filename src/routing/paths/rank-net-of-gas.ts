import { hopToll, type Tolls } from '../gas/tolls.ts';
import type { Problem } from '../problem.ts';
import type { Ranking } from './path-search.ts';
import type { Walk } from './walk.ts';

/**
 * Ranks labels net of gas. What a token is worth at the goal comes from what a search without gas made of the whole trade there: the best final amount over the
 * best amount at the token. Reference prices say it where that search did not come by.
 */
export function rankNetOfGas(problem: Problem, walk: Walk, amounts: ReadonlyMap<number, number>, reference: number, tolls: Tolls): Ranking {
  const goal = walk.goalOf(problem);
  return {
    worth: (token) => {
      if (token === goal) return 1;
      const reached = amounts.get(token);
      if (reached !== undefined) return reference / reached;
      const ratio = Math.exp(walk.referencePrice(problem, token) - walk.referencePrice(problem, goal));
      return Number.isNaN(ratio) ? 1 : ratio;
    },
    toll: (edge, input) => hopToll(tolls, edge.curve, input),
  };
}
