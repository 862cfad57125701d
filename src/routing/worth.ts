import { potentials } from './potential.ts';
import type { Ranking } from './single-path.ts';
import type { Subgraph } from './subgraph.ts';
import { hopToll, type Tolls } from './tolls.ts';
import type { Walk } from './walk.ts';

/**
 * Ranks labels net of gas: what a token is worth at the goal comes from the rates that pools give at the size that arrives there, since start prices of
 * shallow pools would make gas look like nothing. `amounts` are the best amounts by token that a search without gas found.
 */
export function rankNetOfGas(graph: Subgraph, walk: Walk, amounts: Float64Array, whole: number, tolls: Tolls): Ranking {
  const rates = graph.pairs.map((pair) => {
    const here = walk.mode === 'sell' ? pair.from : pair.to;
    const amount = here === walk.start ? whole : (amounts[here] as number);
    if (amount === 0) return 0;
    let best = 0;
    for (const edge of pair.edges) {
      if (walk.mode === 'sell' && edge.startPrice <= best) continue;
      const carried = walk.carry(edge, amount);
      if (carried > 0) best = Math.max(best, walk.mode === 'sell' ? carried / amount : amount / carried);
    }
    return best;
  });
  const rows = potentials(graph, walk, (index) => rates[index] ?? 0);
  const last = graph.maxHops * graph.tokens.length;
  return {
    worth: (token) => {
      const product = rows[last + token] as number;
      return product === 0 || walk.mode === 'sell' ? product : 1 / product;
    },
    toll: (edge, input) => hopToll(tolls, edge.curve, input),
  };
}
