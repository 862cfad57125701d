import { type NetworkEdge, networkEdge, tokenOrder } from './network.ts';
import type { PoolModels } from './pool-models.ts';
import type { ExactHop, SplitHop } from './resimulate.ts';
import { roundNetwork } from './rounding.ts';
import type { SearchArea } from './search-area.ts';
import { BUY, SELL } from './subgraph.ts';

/**
 * The route that carries what two routes carry, each hop as much as in both; null where they do not fit together: a pool between other tokens in each, a cycle, or a longest path beyond the
 * limit.
 */
export function sumOfRoutes(first: readonly ExactHop[], second: readonly ExactHop[], area: SearchArea, models: PoolModels): SplitHop[] | null {
  const numbers = new Map([
    [area.sell, SELL],
    [area.buy, BUY],
  ]);
  const numberOf = (token: number) => {
    const number = numbers.get(token) ?? numbers.size;
    numbers.set(token, number);
    return number;
  };
  const edges: NetworkEdge[] = [];
  for (const { pool, slotIn, slotOut, amountIn, amountOut } of [...first, ...second]) {
    let edge = edges.find(({ model }) => model?.pool === pool);
    if (edge !== undefined && (edge.model?.slotIn !== slotIn || edge.model.slotOut !== slotOut)) return null;
    if (edge === undefined) {
      const model = models.edge(pool, slotIn, slotOut);
      if (model === null) return null;
      edge = networkEdge(numberOf(pool.tokens[slotIn] as number), numberOf(pool.tokens[slotOut] as number), model);
      edges.push(edge);
    }
    edge.flow.input += Number(amountIn);
    edge.flow.output += Number(amountOut);
  }
  const graph = { addresses: [...numbers.keys()].map((token) => area.view.token(token).address) };
  const order = tokenOrder(graph, edges);
  if (order === null || (order.depth.get(BUY) ?? 0) > area.maxHops) return null;
  return roundNetwork({ graph, edges });
}
