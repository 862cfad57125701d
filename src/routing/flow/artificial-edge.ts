import type { SegmentsCurve } from '../../snapshot/snapshot.ts';
import { emptyFlow } from '../curves/flow.ts';
import { addEdges, BUY, type FlowEdge, type FlowNetwork, SELL } from './network.ts';

/** The artificial edge pays this share of what the start pays, so that all of the trade on it is worth next to nothing against the start. */
const RATE_SHARE = 1e-7;
/** Reserves against the trade: so deep that the rate holds. */
const DEPTH = 1e3;

/**
 * Adds the artificial edge from sell to buy at a rate below every real one (the start of phase one of the simplex method): it carries what the real edges can not, so that every start is feasible. What is left on it at
 * rest has no route, or none that pays a ten-millionth. `rate`: units out for a unit in of the start.
 */
export function addArtificialEdge(network: FlowNetwork, rate: number, carried: number): void {
  const price = rate * RATE_SHARE;
  const fixed = Number(network.problem.fixed);
  const most = network.problem.mode === 'sell' ? fixed : fixed / price;
  const curve: SegmentsCurve = { kind: 'segments', keep: 1, capacity: Infinity, gas: 0, gasPerPiece: 0, gasPerLogPrice: 0, columns: Float64Array.of(0, 0, DEPTH * most, DEPTH * most * price) };
  const edge: FlowEdge = { from: SELL, to: BUY, carrier: { kind: 'artificial' }, curve, flow: emptyFlow() };
  edge.flow.input = network.problem.mode === 'sell' ? fixed - carried : (fixed - carried) / price;
  edge.flow.output = edge.flow.input * price;
  addEdges(network, [edge]);
}

/** The part of the trade that is left on the artificial edge, 0 … 1. */
export function residualShare({ problem, edges }: FlowNetwork): number {
  const edge = edges.find(({ carrier }) => carrier.kind === 'artificial');
  if (edge === undefined) return 0;
  return (problem.mode === 'sell' ? edge.flow.input : edge.flow.output) / Number(problem.fixed);
}
