import { LIMITS } from '../../config/limits.ts';
import { pathPrice, type SinglePath } from '../paths/path-search.ts';
import type { Problem } from '../problem.ts';
import { addArtificialEdge } from './artificial-edge.ts';
import { hopsOfPath } from './column.ts';
import { placeHops } from './merge-column.ts';
import { addEdges, createNetwork, type FlowNetwork } from './network.ts';
import { flowThrough } from './star-sides.ts';

/** A path is drained where its price is less than this part of its first. */
const DRAINED = 1e-2;
/** Share of the whole below which a path counts as carrying nothing. */
const SMALLEST_PART = 1e-12;

/**
 * The network that a search starts with: a path that carries what it can without being drained, and the artificial edge with the rest. Prices are those of the path.
 */
export function startNetwork(problem: Problem, path: SinglePath): FlowNetwork {
  const network = createNetwork(problem);
  const fixed = Number(problem.fixed);
  const input = undrainedInput(path, problem.mode === 'sell' ? fixed : path.amount);
  const edges = placeHops(network, hopsOfPath(path), 1);
  const { marginals, output } = flowThrough(network, edges, input);
  const logMarginals = marginals.map((marginal) => Math.log(Math.max(marginal, Number.MIN_VALUE)));
  const logWorth = logMarginals.reduce((sum, log) => sum + log, 0);
  let price = problem.mode === 'sell' ? logWorth : 0;
  network.logPrice[0] = price;
  for (const [index, { to }] of edges.entries()) {
    price -= logMarginals[index] as number;
    network.logPrice[to] = price;
  }
  addEdges(network, edges);
  addArtificialEdge(network, input, output);
  return network;
}

/** Whether a path pays but a small part of its first price for the last of an input. */
export function drains(path: SinglePath, input: number): boolean {
  return pathPrice(path, input) < DRAINED * pathPrice(path, 0);
}

/** The input that a path takes before it is drained, at most `most`. */
function undrainedInput(path: SinglePath, most: number): number {
  if (!drains(path, most)) return most;
  let [low, high] = [most * SMALLEST_PART, most];
  for (let step = 0; step < LIMITS.routing.columnSteps; step++) {
    const middle = Math.sqrt(low * high);
    if (drains(path, middle)) high = middle;
    else low = middle;
  }
  return low;
}
