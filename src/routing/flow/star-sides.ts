import { curveTangent, type DepositCurve, emptyTangent, type FlowCurve, type WithdrawalCurve, withdrawalInputFor } from '../../curves/curves.ts';
import type { StarArc } from '../market/star.ts';
import type { FlowEdge, FlowNetwork } from './network.ts';

/** A side of a star in use, as a curve between its token and the hub alone. */
export type Side = { readonly curve: DepositCurve | WithdrawalCurve; readonly startPrice: number };

/** Of a side in use more than so many times its balance is never asked for. */
const MOST_BALANCES = 100;

/** Units of the hub for a unit of the side that nobody sees, as the flows leave it, and those of edges that are about to join; 0 where the star has none. */
export function unseenWorth(network: FlowNetwork, hub: number, joining: readonly FlowEdge[] = []): number {
  const unseen = network.nodes[hub]?.star?.unseen ?? null;
  return unseen === null ? 0 : 1 / (unseen.balance + unseenMoved(edgesWith(network, joining), hub, unseen.balance));
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

/** Lets an input flow through edges in a row, on top of what they carry; returns the marginal price of each there. What goes through a hub is counted in its units. */
export function flowThrough(
  network: FlowNetwork,
  edges: readonly FlowEdge[],
  input: number,
): { readonly marginals: readonly number[]; readonly output: number } {
  const marginals: number[] = [];
  let amount = input;
  for (let index = 0; index < edges.length; index++) {
    const edge = edges[index] as FlowEdge;
    const next = edges[index + 1];
    const unseen = edge.carrier.kind === 'deposit' ? (network.nodes[edge.to]?.star?.unseen ?? null) : null;
    if (unseen !== null && next?.carrier.kind === 'withdrawal') {
      amount = flowThroughStar(network, unseen.balance, edge, next, amount);
      for (const each of [edge, next]) marginals.push(marginalOf(each, worthOfEdge(network, each, [edge, next])));
      index++;
    } else {
      const [output, marginal] = flowOver(edge, worthOfEdge(network, edge), amount);
      amount = output;
      marginals.push(marginal);
    }
  }
  return { marginals, output: amount };
}

/** Lets more flow over one edge; what nobody sees of a star keeps its worth. Returns what more comes out, and the marginal price there. */
function flowOver(edge: FlowEdge, worth: number, more: number): readonly [number, number] {
  const { carrier, flow } = edge;
  const curve: FlowCurve = worth === 0 || carrier.kind === 'pair' || carrier.kind === 'artificial' ? edge.curve : sideOf(carrier.arc, worth).curve;
  const before = { input: hubUnits(edge, worth, 'in'), output: hubUnits(edge, worth, 'out') };
  curveTangent(curve, Math.min(before.input + more, curve.capacity), tangent);
  const { output, marginal } = tangent;
  if (curve.kind === 'withdrawal' && carrier.kind === 'withdrawal') setOutput(edge, output);
  else setInput(edge, Math.min(flow.input + more, edge.curve.capacity));
  return [output - before.output, marginal];
}

/** Halvings in search of what comes out of a star with an invariant. */
const HALVINGS = 60;

/** Lets more flow in over one side of a star with an invariant and out over another, which does not change. Returns what more comes out. */
function flowThroughStar(network: FlowNetwork, balance: number, deposit: FlowEdge, withdrawal: FlowEdge, more: number): number {
  const [into, out] = [arcOf(deposit), arcOf(withdrawal)];
  const curve = out.curve as WithdrawalCurve;
  const held = balance + unseenMoved(edgesWith(network, [deposit, withdrawal]), deposit.to, balance);
  const [inBefore, outBefore] = [deposit.flow.output, withdrawal.flow.output];
  const unitsBefore = withdrawalInputFor(curve, outBefore);
  const inputBefore = deposit.flow.input;
  setInput(deposit, Math.min(inputBefore + more, deposit.curve.capacity));
  const arriving = keptOf(into) * (deposit.flow.input - inputBefore);
  const units = deposit.flow.output - inBefore;
  const gains = (output: number) =>
    units + Math.log((held + arriving - keptOf(out) * output) / held) > withdrawalInputFor(curve, outBefore + output) - unitsBefore;
  let [low, high] = [0, Math.min(curve.keep * curve.balance - outBefore, (held + arriving) / keptOf(out))];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (gains(middle)) low = middle;
    else high = middle;
  }
  setOutput(withdrawal, outBefore + low);
  return low;
}

function setInput({ curve, flow }: FlowEdge, input: number): void {
  curveTangent(curve, input, tangent);
  flow.input = input;
  flow.output = tangent.output;
}

function setOutput({ curve, flow }: FlowEdge, output: number): void {
  flow.output = output;
  flow.input = withdrawalInputFor(curve as WithdrawalCurve, output);
}

/** Marginal price of a side where it is. */
function marginalOf(edge: FlowEdge, worth: number): number {
  const { curve } = sideOf(arcOf(edge), worth);
  curveTangent(curve, Math.min(hubUnits(edge, worth, 'in'), curve.capacity), tangent);
  return tangent.marginal;
}

/** The side of a star that an edge is. */
export function arcOf({ carrier }: FlowEdge): StarArc {
  if (carrier.kind !== 'deposit' && carrier.kind !== 'withdrawal') throw new TypeError(`a ${carrier.kind} is no side of a star`);
  return carrier.arc;
}

/** The edges of a network with some that may not have joined yet. */
function edgesWith({ edges }: FlowNetwork, more: readonly FlowEdge[]): readonly FlowEdge[] {
  return more.length === 0 ? edges : [...edges, ...more.filter((edge) => !edges.includes(edge))];
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
export function worthOfEdge(network: FlowNetwork, { from, to, carrier }: FlowEdge, joining: readonly FlowEdge[] = []): number {
  return carrier.kind === 'deposit' ? unseenWorth(network, to, joining) : carrier.kind === 'withdrawal' ? unseenWorth(network, from, joining) : 0;
}

/** What an edge earns at the current prices (its reduced gain): what taking it out costs at least, by duality. */
export function reducedGain(network: FlowNetwork, edge: FlowEdge): number {
  const worth = worthOfEdge(network, edge);
  const { logPrice } = network;
  return hubUnits(edge, worth, 'out') * Math.exp(logPrice[edge.to] as number) - hubUnits(edge, worth, 'in') * Math.exp(logPrice[edge.from] as number);
}

const tangent = emptyTangent();
