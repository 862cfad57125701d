import type { Potentials } from './potential.ts';
import type { Ranking } from './single-path.ts';
import { hopToll, type Tolls } from './tolls.ts';
import type { Walk } from './walk.ts';

/**
 * Ranks labels net of gas. What a token is worth at the goal comes from what a search without gas made of the whole trade there: the best final amount over the
 * best amount at the token. Start prices say it where that search did not come by; alone they would not do, since those of shallow pools make gas look like nothing.
 */
export function rankNetOfGas(walk: Walk, potentials: Potentials, amounts: ReadonlyMap<number, number>, reference: number, tolls: Tolls): Ranking {
  return {
    worth: (token, hopsLeft) => {
      const reached = amounts.get(token);
      if (reached !== undefined) return reference / reached;
      const potential = potentials.at(hopsLeft, token);
      return potential === 0 || walk.mode === 'sell' ? potential : 1 / potential;
    },
    toll: (edge, input) => hopToll(tolls, edge.curve, input),
  };
}
