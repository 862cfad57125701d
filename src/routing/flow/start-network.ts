import { LIMITS } from '../../config/limits.ts';
import { curveTangent } from '../curves/curves.ts';
import { emptyTangent } from '../curves/tangent.ts';
import { pathPrice, type SinglePath } from '../paths/path-search.ts';
import type { Problem } from '../problem.ts';
import { addArtificialEdge } from './artificial-edge.ts';
import type { ColumnHop } from './column.ts';
import { placeHops } from './merge-column.ts';
import { addEdges, createNetwork, type FlowNetwork } from './network.ts';

/** A path is drained where its price is less than this part of its first. */
const DRAINED = 1e-2;
/** Share of the whole below which a path counts as carrying nothing. */
const SMALLEST_PART = 1e-12;

/**
 * The network that a search starts with: a path that carries what it can without being drained, and the artificial edge with the rest. Prices are those of the path. `apart`: see FlowNetwork.
 */
export function startNetwork(problem: Problem, path: SinglePath, apart = false): FlowNetwork {
  const network = createNetwork(problem, apart);
  const fixed = Number(problem.fixed);
  const input = undrainedInput(path, problem.mode === 'sell' ? fixed : path.amount);
  const hops = path.hops.map(
    ({ from, to, edge }): ColumnHop => ({ from, to, carrier: { kind: 'pair', edge, pair: { from, to, edges: [edge], logPrice: Math.log(edge.startPrice) } } }),
  );
  const edges = placeHops(network, hops, 1);
  let amount = input;
  let logWorth = 0;
  const marginals = edges.map(({ curve, flow }) => {
    flow.input = Math.min(amount, curve.capacity);
    curveTangent(curve, flow.input, tangent);
    amount = flow.output = tangent.output;
    const logMarginal = Math.log(Math.max(tangent.marginal, Number.MIN_VALUE));
    logWorth += logMarginal;
    return logMarginal;
  });
  let price = problem.mode === 'sell' ? logWorth : 0;
  network.logPrice[0] = price;
  for (const [index, { to }] of edges.entries()) {
    price -= marginals[index] as number;
    network.logPrice[to] = price;
  }
  addEdges(network, edges);
  addArtificialEdge(network, input, amount);
  return network;
}

/** The input that a path takes before it is drained, at most `most`. */
function undrainedInput(path: SinglePath, most: number): number {
  const least = DRAINED * pathPrice(path, 0);
  if (pathPrice(path, most) >= least) return most;
  let [low, high] = [most * SMALLEST_PART, most];
  for (let step = 0; step < LIMITS.routing.columnBisections; step++) {
    const middle = Math.sqrt(low * high);
    if (pathPrice(path, middle) >= least) low = middle;
    else high = middle;
  }
  return low;
}

const tangent = emptyTangent();
