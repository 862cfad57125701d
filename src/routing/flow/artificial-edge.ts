import type { SegmentsCurve } from '../../snapshot/snapshot.ts';
import { type CurveFlow, emptyFlow } from '../curves/flow.ts';
import { addEdges, BUY, type FlowEdge, type FlowNetwork, SELL } from './network.ts';

/** The artificial edge first pays this share of what the start pays, then this share of that each time it still carries something. */
const RATE_SHARE = 1e-3;
const LEAST_RATE_SHARE = 1e-12;
/** Reserves against the trade: so deep that the rate holds. */
const DEPTH = 1e3;
/** What the artificial edge may carry at rest, as a share of the trade. */
const NOTHING = 1e-7;

/**
 * Adds the artificial edge from sell to buy at a rate below every real one (as the first phase of the simplex method has it): it carries what the real edges can not, so that every start is feasible. `rate`: units out for a
 * unit in of the start. `carried`: what the start carries of the amount that the request fixes.
 */
export function addArtificialEdge(network: FlowNetwork, rate: number, carried: number): void {
  const price = rate * RATE_SHARE;
  const rest = Number(network.problem.fixed) - carried;
  const flow = network.problem.mode === 'sell' ? { input: rest, output: rest * price } : { input: rest / price, output: rest };
  addEdges(network, [artificialEdge(network, price, flow)]);
}

function artificialEdge({ problem }: FlowNetwork, price: number, flow: CurveFlow): FlowEdge {
  const fixed = Number(problem.fixed);
  const reserveIn = DEPTH * (problem.mode === 'sell' ? fixed : fixed / price);
  const curve: SegmentsCurve = {
    kind: 'segments',
    keep: 1,
    capacity: Infinity,
    gas: 0,
    gasPerPiece: 0,
    gasPerLogPrice: 0,
    columns: Float64Array.of(0, 0, reserveIn, reserveIn * price),
  };
  return { from: SELL, to: BUY, carrier: { kind: 'artificial' }, curve, flow: { ...emptyFlow(), ...flow } };
}

/**
 * Makes the artificial edge pay less where it still carries something, so that real edges carry it as far as they can, however badly. What is left on it in the end has no route. Says whether it did. `firstRate`: that of the
 * start.
 */
export function lowerArtificialRate(network: FlowNetwork, firstRate: number): boolean {
  const edge = network.edges.find(({ carrier }) => carrier.kind === 'artificial');
  if (edge === undefined || residualShare(network) <= NOTHING) return false;
  const price = edge.flow.output / edge.flow.input;
  if (!(price * RATE_SHARE >= firstRate * LEAST_RATE_SHARE)) return false;
  const { mode } = network.problem;
  const flow = mode === 'sell' ? { input: edge.flow.input, output: edge.flow.output * RATE_SHARE } : { input: edge.flow.input / RATE_SHARE, output: edge.flow.output };
  network.edges = network.edges.map((other) => (other === edge ? artificialEdge(network, price * RATE_SHARE, flow) : other));
  // It carries, so it sets the price.
  if (mode === 'sell') network.logPrice[SELL] = Math.log(price * RATE_SHARE) + (network.logPrice[BUY] as number);
  else network.logPrice[BUY] = (network.logPrice[SELL] as number) - Math.log(price * RATE_SHARE);
  return true;
}

/** The part of the trade that is left on the artificial edge, 0 … 1. */
export function residualShare({ problem, edges }: FlowNetwork): number {
  const edge = edges.find(({ carrier }) => carrier.kind === 'artificial');
  if (edge === undefined) return 0;
  return (problem.mode === 'sell' ? edge.flow.input : edge.flow.output) / Number(problem.fixed);
}
