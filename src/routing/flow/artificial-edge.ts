import { type CurveFlow, emptyFlow } from '../../curves/curves.ts';
import type { SegmentsCurve } from '../../snapshot/snapshot.ts';
import { tradeWorth } from './flow-state.ts';
import { addEdges, artificialOf, BUY, type FlowEdge, type FlowNetwork, SELL } from './network.ts';

/** All of the trade on the artificial edge is first worth this share of the start, then this share of that each time it still carries something. */
const FIRST_SHARE = 0.1;
const NEXT_SHARE = 1e-3;
const LEAST_SHARE = 1e-10;
/** Reserves against the trade: so deep that the rate holds. */
const DEPTH = 1e3;
/** What the artificial edge may carry at rest, as a share of the trade's worth. */
const NOTHING = 1e-7;

/**
 * Adds the artificial edge from sell to buy at a rate below every real one (as the first phase of the simplex method has it): it carries what the real edges can not, so that every start is feasible. The start sells `input`
 * for `output`.
 */
export function addArtificialEdge(network: FlowNetwork, input: number, output: number): void {
  const { mode } = network.problem;
  const fixed = Number(network.problem.fixed);
  const price = (FIRST_SHARE * output) / (mode === 'sell' ? fixed : input);
  const rest = Math.max(0, fixed - (mode === 'sell' ? input : output));
  addEdges(network, [artificialEdge(network, price, mode === 'sell' ? { input: rest, output: rest * price } : { input: rest / price, output: rest })]);
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
  return { from: SELL, to: BUY, carrier: { kind: 'artificial' }, curve, flow };
}

/**
 * Makes the artificial edge pay less where it still carries something, so that real edges carry it as far as they can, however badly. What is left on it in the end has no route. Says whether it did. `times`: how often it was done
 * before.
 */
export function lowerArtificialRate(network: FlowNetwork, times: number): boolean {
  const edge = artificialOf(network);
  const { mode } = network.problem;
  if (edge === undefined || NEXT_SHARE ** (times + 1) < LEAST_SHARE) return false;
  const carried = mode === 'sell' ? edge.flow.output / tradeWorth(network) : residualShare(network);
  if (carried <= NOTHING) return false;
  const price = (edge.flow.output / edge.flow.input) * NEXT_SHARE;
  const flow =
    mode === 'sell' ? { input: edge.flow.input, output: edge.flow.output * NEXT_SHARE } : { input: edge.flow.input / NEXT_SHARE, output: edge.flow.output };
  network.edges = network.edges.map((other) => (other === edge ? artificialEdge(network, price, flow) : other));
  // It carries, so it sets the price.
  if (mode === 'sell') network.logPrice[SELL] = Math.log(price) + (network.logPrice[BUY] as number);
  else network.logPrice[BUY] = (network.logPrice[SELL] as number) - Math.log(price);
  return true;
}

/** The part of the trade that is left on the artificial edge, 0 … 1. */
export function residualShare(network: FlowNetwork): number {
  const flow = artificialOf(network)?.flow ?? emptyFlow();
  return (network.problem.mode === 'sell' ? flow.input : flow.output) / Number(network.problem.fixed);
}
