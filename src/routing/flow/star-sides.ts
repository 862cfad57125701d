import { curveTangent, type FlowCurve } from '../curves/curves.ts';
import { type DepositCurve, type WithdrawalCurve, withdrawalInputFor } from '../curves/star.ts';
import { emptyTangent } from '../curves/tangent.ts';
import type { StarArc } from '../market/star.ts';
import type { FlowEdge, FlowNetwork } from './network.ts';

/** A side of a star in use, as a curve between its token and the hub alone. */
export type Side = { readonly curve: DepositCurve | WithdrawalCurve; readonly startPrice: number };

/** Of a side in use more than so many times its balance is never asked for. */
const MOST_BALANCES = 100;

/** Units of the hub for a unit of the side that nobody sees, as the flows leave it; 0 where the star has none. */
export function unseenWorth({ nodes, edges }: FlowNetwork, hub: number): number {
  const unseen = nodes[hub]?.star?.unseen ?? null;
  return unseen === null ? 0 : 1 / (unseen.balance + unseenMoved(edges, hub, unseen.balance));
}

/** By how much the flows raise what a star holds of the side that nobody sees; never by more than it has the other way. */
export function unseenMoved(edges: readonly FlowEdge[], hub: number, balance: number): number {
  let moved = 0;
  for (const { from, to, carrier, flow } of edges) {
    if (carrier.kind === 'deposit' && to === hub) moved += keptOf(carrier.arc) * flow.input;
    if (carrier.kind === 'withdrawal' && from === hub) moved -= keptOf(carrier.arc) * flow.output;
  }
  return Math.max(moved, -MOST_UNSEEN * balance);
}

const MOST_UNSEEN = 0.999;

/** How much of the side that nobody sees moves with a base unit that goes in, or comes out. */
export function keptOf({ sum, curve }: StarArc): number {
  return curve.kind === 'deposit' ? sum * curve.keep : sum / curve.keep;
}

/** A side of a star, with what nobody sees of it valued at `worth` (see unseenWorth). */
export function sideOf(arc: StarArc, worth: number): Side {
  if (arc.sum === 0) return arc;
  const { curve, sum } = arc;
  const linear = sum * worth;
  const slope = 1 / curve.balance + linear;
  if (curve.kind === 'deposit') {
    return { curve: { ...curve, linear, capacity: Math.min(curve.capacity, MOST_BALANCES * curve.balance) }, startPrice: curve.keep * slope };
  }
  return { curve: { ...curve, linear }, startPrice: curve.keep / slope };
}

/** Lets an input flow through edges in a row, on top of what they carry; returns the marginal price of each there. What goes through a hub is counted in its units, with what nobody sees of the star as it was before. */
export function flowThrough(
  network: FlowNetwork,
  edges: readonly FlowEdge[],
  input: number,
): { readonly marginals: readonly number[]; readonly output: number } {
  let amount = input;
  const worths = edges.map((edge) => worthOfEdge(network, edge));
  const marginals = edges.map((edge, index) => {
    const { carrier, flow } = edge;
    const worth = worths[index] as number;
    const curve: FlowCurve = worth === 0 || carrier.kind === 'pair' || carrier.kind === 'artificial' ? edge.curve : sideOf(carrier.arc, worth).curve;
    const before = { input: hubUnits(edge, worth, 'in'), output: hubUnits(edge, worth, 'out') };
    curveTangent(curve, Math.min(before.input + amount, curve.capacity), tangent);
    const { output, marginal } = tangent;
    if (curve.kind === 'withdrawal' && carrier.kind === 'withdrawal') {
      flow.output = output;
      flow.input = withdrawalInputFor(carrier.arc.curve as WithdrawalCurve, output);
    } else {
      flow.input = Math.min(flow.input + amount, edge.curve.capacity);
      curveTangent(edge.curve, flow.input, tangent);
      flow.output = tangent.output;
    }
    amount = output - before.output;
    return marginal;
  });
  return { marginals, output: amount };
}

/** What an edge carries at one end, with what nobody sees of a star counted in units of its hub. */
export function hubUnits({ carrier, flow }: FlowEdge, worth: number, end: 'in' | 'out'): number {
  const own = end === 'in' ? flow.input : flow.output;
  if (worth === 0) return own;
  if (carrier.kind === 'deposit' && end === 'out') return own + keptOf(carrier.arc) * worth * flow.input;
  if (carrier.kind === 'withdrawal' && end === 'in') return own + keptOf(carrier.arc) * worth * flow.output;
  return own;
}

/** The worth, in units of its hub, of what nobody sees of the star that an edge is a side of. */
export function worthOfEdge(network: FlowNetwork, { from, to, carrier }: FlowEdge): number {
  return carrier.kind === 'deposit' ? unseenWorth(network, to) : carrier.kind === 'withdrawal' ? unseenWorth(network, from) : 0;
}

/** What an edge earns at the current prices (its reduced gain): what taking it out costs at least, by duality. */
export function reducedGain(network: FlowNetwork, edge: FlowEdge): number {
  const worth = worthOfEdge(network, edge);
  const { logPrice } = network;
  return hubUnits(edge, worth, 'out') * Math.exp(logPrice[edge.to] as number) - hubUnits(edge, worth, 'in') * Math.exp(logPrice[edge.from] as number);
}

const tangent = emptyTangent();
