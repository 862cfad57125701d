import { curveTangent, emptyTangent, type FlowCurve, strandsOf, withdrawalInputFor } from '../../curves/curves.ts';
import type { Star } from '../market/star.ts';
import { FlowStrands } from './flow-strands.ts';
import { BUY, type FlowEdge, type FlowNetwork, SELL } from './network.ts';
import { createPriceSystem, type PriceSystem, resizeSystem } from './price-system.ts';
import { keptOf, unseenMoved, unseenWorth, worthOfEdge } from './star-sides.ts';

/**
 * Worth of the whole trade at the rate that its real flows get; at the margin where nothing flows yet. Base units of the token whose amount is sought.
 */
export function tradeWorth({ problem, edges, logPrice }: FlowNetwork): number {
  const fixed = Number(problem.fixed);
  let [entering, leaving] = [0, 0];
  for (const { from, to, carrier, flow } of edges) {
    if (carrier.kind === 'artificial') continue;
    if (from === SELL) entering += flow.input;
    if (to === BUY) leaving += flow.output;
  }
  if (!(entering > 0 && leaving > 0)) return fixed * Math.exp(logPrice[problem.mode === 'sell' ? SELL : BUY] as number);
  return problem.mode === 'sell' ? leaving : (entering / leaving) * fixed;
}

/**
 * Flows and prices on the way to rest. The unit of flow is a strand of an edge (see curves/strands.ts). Everything is scaled: a token's amounts by its
 * starting price over the worth of the trade, so that the trade is 1 and prices start at 1.
 */
export type FlowState = {
  readonly network: FlowNetwork;
  readonly start: Start;
  readonly system: PriceSystem;
  readonly strands: FlowStrands;
  /** Row of the system by node; −1 for a node without edges. */
  readonly rowOf: Int32Array;
  /** Scaled amount that enters at the sell token, or (negative) leaves at the buy token, and its row. */
  readonly given: number;
  readonly givenRow: number;
  /** By row: price, and surplus of the token. */
  readonly price: Float64Array;
  readonly surplus: Float64Array;
  imbalance: number;
  /** Strands read so far. */
  reads: number;
  /** Mean of flow times the price forgone, relative to the strand's weight. */
  gap: number;
  /** Largest difference between a strand's marginal price and what its ends imply. */
  slack: number;
};

/** Where flows start at least, as a share of the trade; the price that strands forgo at first, relatively. */
const LEAST_FLOW = 1e-9;
const START_BARRIER = 1e-4;
/** Share of its width that a strand starts with at most. */
const START_INSIDE = 0.5;

/**
 * How the flows of the network are taken. 'near': as about where they come to rest. 'far': with the prices forgone that its prices imply, however large, and strands next to full where
 * they pay.
 */
export type Start = 'near' | 'far';

/** What a thread keeps for its states, of which there is one of each start at a time. */
const kept = {
  near: { system: createPriceSystem(), strands: new FlowStrands() },
  far: { system: createPriceSystem(), strands: new FlowStrands() },
};

/** The state that a network starts in. Valid until the next one with this start is created. */
export function createFlowState(network: FlowNetwork, start: Start): FlowState {
  const { problem, nodes, edges, logPrice } = network;
  const { system, strands } = kept[start];
  const sells = problem.mode === 'sell';
  const measured = sells ? BUY : SELL;
  const rowOf = new Int32Array(nodes.length).fill(-1);
  let size = 0;
  for (const { from, to } of edges) {
    if (from !== measured && rowOf[from] === -1) rowOf[from] = size++;
    if (to !== measured && rowOf[to] === -1) rowOf[to] = size++;
  }
  const worth = tradeWorth(network);
  const scales = Float64Array.from(logPrice, (log) => Math.exp(log) / worth);
  const unseen = new Map<number, Unseen>();
  for (const { to: hub } of edges) {
    const star = nodes[hub]?.star?.unseen ?? null;
    if (star !== null && !unseen.has(hub)) unseen.set(hub, { row: size++, scale: (scales[hub] as number) * unseenWorth(network, hub), star });
  }
  rowOf[measured] = size;
  resizeSystem(system, size);
  strands.clear();
  for (const [index, edge] of edges.entries()) addEdge(strands, network, edge, index, rowOf, scales, unseen, start);
  for (const [hub, each] of unseen) addUnseen(strands, network, hub, rowOf[hub] as number, scales[hub] as number, each, start);
  const fixed = Number(problem.fixed);
  const given = sells ? fixed * (scales[SELL] as number) : -fixed * (scales[BUY] as number);
  const givenRow = rowOf[sells ? SELL : BUY] as number;
  const [price, surplus] = [new Float64Array(size + 1).fill(1), new Float64Array(size + 1)];
  return { network, start, system, strands, rowOf, given, givenRow, price, surplus, imbalance: 0, reads: 0, gap: 0, slack: 0 };
}

/** What nobody sees of a star in use: its row, and what a unit of it is in scaled units. */
type Unseen = { readonly row: number; readonly scale: number; readonly star: NonNullable<Star['unseen']> };

type Ends = { readonly from: number; readonly to: number; readonly scaleFrom: number; readonly scaleTo: number };

function addEdge(
  strands: FlowStrands,
  network: FlowNetwork,
  edge: FlowEdge,
  index: number,
  rowOf: Int32Array,
  scales: Float64Array,
  unseen: ReadonlyMap<number, Unseen>,
  start: Start,
): void {
  const { from, to, carrier } = edge;
  const ends: Ends = { from: rowOf[from] as number, to: rowOf[to] as number, scaleFrom: scales[from] as number, scaleTo: scales[to] as number };
  const beside = carrier.kind === 'deposit' ? unseen.get(to) : carrier.kind === 'withdrawal' ? unseen.get(from) : undefined;
  const first = strands.count;
  addStrands(strands, edge.curve, edge.flow.input, index, ends, start, start === 'near' || beside === undefined ? 0 : priceBeside(network, edge));
  if (beside === undefined || carrier.kind === 'pair' || carrier.kind === 'artificial') return;
  for (let at = first; at < strands.count; at++) {
    strands.beside[at] = beside.row;
    if (carrier.kind === 'deposit') strands.besideIn[at] = (keptOf(carrier.arc) * beside.scale) / ends.scaleFrom;
    else strands.besideOut[at] = (-keptOf(carrier.arc) * beside.scale) / ends.scaleTo;
  }
}

/** The side that nobody sees: what the others move of it goes in or comes out here. */
function addUnseen(
  strands: FlowStrands,
  { edges }: FlowNetwork,
  hub: number,
  row: number,
  scale: number,
  { row: own, scale: ownScale, star }: Unseen,
  start: Start,
): void {
  const moved = unseenMoved(edges, hub, star.balance);
  addStrands(strands, star.deposit, Math.max(0, moved), -1, { from: own, to: row, scaleFrom: ownScale, scaleTo: scale }, start, 0);
  addStrands(
    strands,
    star.withdrawal,
    withdrawalInputFor(star.withdrawal, Math.max(0, -moved)),
    -1,
    { from: row, to: own, scaleFrom: scale, scaleTo: ownScale },
    start,
    0,
  );
}

/** `input`: what the curve carries, base units; `besides`: what a unit of it is worth beside its ends, as a share of its price. */
function addStrands(
  strands: FlowStrands,
  curve: FlowCurve,
  carried: number,
  edge: number,
  { from, to, scaleFrom, scaleTo }: Ends,
  start: Start,
  besides: number,
): void {
  for (const { input, output, width } of strandsOf(curve)) {
    const at = strands.add(curve);
    const most = width * scaleFrom;
    const filled = Math.min(Math.max(carried - input, 0), width) * scaleFrom;
    const forgone = start === 'near' ? 0 : priceForgone(curve, input + filled / scaleFrom, scaleTo / scaleFrom) - besides;
    const [flow, room] = insideBounds(filled, most, forgone);
    strands.edge[at] = edge;
    strands.from[at] = from;
    strands.to[at] = to;
    strands.beside[at] = from;
    strands.besideIn[at] = 0;
    strands.besideOut[at] = 0;
    strands.scaleFrom[at] = scaleFrom;
    strands.scaleTo[at] = scaleTo;
    strands.startInput[at] = input;
    strands.startOutput[at] = output;
    strands.flow[at] = flow;
    strands.weight[at] = flow;
    strands.room[at] = room;
    strands.low[at] = START_BARRIER + Math.max(0, forgone);
    strands.high[at] = room === Infinity ? 0 : (START_BARRIER * flow) / room + Math.max(0, -forgone);
  }
}

/** What moves of the side that nobody sees with a unit of an edge's input, at the hub's price, as a share of what the input costs: for the start from far. */
function priceBeside(network: FlowNetwork, edge: FlowEdge): number {
  const { from, to, carrier, flow } = edge;
  if (carrier.kind !== 'deposit' && carrier.kind !== 'withdrawal') return 0;
  const worth = worthOfEdge(network, edge) * keptOf(carrier.arc);
  const ratio = Math.exp((network.logPrice[to] as number) - (network.logPrice[from] as number));
  if (carrier.kind === 'deposit') return worth * ratio;
  curveTangent(edge.curve, Math.min(flow.input, edge.curve.capacity), tangent);
  return -worth * tangent.marginal;
}

/** How much less than its ends' prices an edge pays at an input, relatively; `ratio`: the price of what comes out over that of what goes in. */
function priceForgone(curve: FlowCurve, input: number, ratio: number): number {
  curveTangent(curve, Math.min(input, curve.capacity), tangent);
  return 1 - tangent.marginal * ratio;
}

/** A flow to start with and the room above it: between the bounds, and the nearer to one of them the more the price speaks for it. */
function insideBounds(filled: number, most: number, forgone: number): readonly [number, number] {
  const flow = Math.min(Math.max(filled, LEAST_FLOW), most * START_INSIDE);
  if (filled <= flow || forgone === 0) return [flow, most - flow];
  const room = Math.max(most - filled, most * Math.min(START_INSIDE, START_BARRIER / Math.max(-forgone, 0)));
  return [most - room, room];
}

const tangent = emptyTangent();

/** Reads the curves at the flows and measures how far from rest the state is; returns the gap. */
export function measure(state: FlowState): number {
  const { price, surplus, strands, given, givenRow } = state;
  const { count, curve, from, to, beside, besideIn, besideOut, scaleFrom, scaleTo, startInput, startOutput } = strands;
  const { weight, flow, room, low, high, output, marginal, bend } = strands;
  state.reads += count;
  surplus.fill(0);
  surplus[givenRow] = given;
  let [gap, bounds, slack] = [0, 0, 0];
  for (let at = 0; at < count; at++) {
    const scaleIn = scaleFrom[at] as number;
    const scaleOut = scaleTo[at] as number;
    const flows = flow[at] as number;
    const line = curve[at] as FlowCurve;
    curveTangent(line, Math.min((startInput[at] as number) + flows / scaleIn, line.capacity), tangent);
    const arriving = (tangent.output - (startOutput[at] as number)) * scaleOut;
    const paid = (tangent.marginal * scaleOut) / scaleIn;
    output[at] = arriving;
    marginal[at] = paid;
    bend[at] = (tangent.bend * scaleOut) / scaleIn / scaleIn;
    const source = from[at] as number;
    const target = to[at] as number;
    surplus[source] = (surplus[source] as number) - flows;
    surplus[target] = (surplus[target] as number) + arriving;
    let difference = (price[target] as number) * paid - (price[source] as number) + (low[at] as number) - (high[at] as number);
    const [moved, drawn] = [besideIn[at] as number, besideOut[at] as number];
    if (moved !== 0 || drawn !== 0) {
      const row = beside[at] as number;
      surplus[row] = (surplus[row] as number) + moved * flows + drawn * arriving;
      difference += (moved + drawn * paid) * (price[row] as number);
    }
    slack = Math.max(slack, Math.abs(difference) * Math.min(1, flows));
    gap += (flows * (low[at] as number)) / (weight[at] as number);
    bounds++;
    if (room[at] !== Infinity) {
      gap += ((room[at] as number) * (high[at] as number)) / (weight[at] as number);
      bounds++;
    }
  }
  state.slack = slack;
  // What the trade fixes may be worth next to nothing at the margin: there it is held against itself.
  let imbalance = Math.abs((surplus[givenRow] as number) / given);
  for (let row = 0; row < state.system.size; row++) imbalance = Math.max(imbalance, Math.abs(surplus[row] as number));
  state.imbalance = imbalance;
  state.gap = gap / Math.max(1, bounds);
  return state.gap;
}

/** The amount sought: what reaches the buy token (sell), or leaves the sell token (buy), over real edges. Base units. */
export function soughtAmount({ network, strands }: FlowState): number {
  const sells = network.problem.mode === 'sell';
  let amount = 0;
  for (let at = 0; at < strands.count; at++) {
    const edge = network.edges[strands.edge[at] as number];
    if (edge === undefined || edge.carrier.kind === 'artificial') continue;
    const { from, to } = edge;
    if (sells && to === BUY) amount += (strands.output[at] as number) / (strands.scaleTo[at] as number);
    if (!sells && from === SELL) amount += (strands.flow[at] as number) / (strands.scaleFrom[at] as number);
  }
  return amount;
}

/** Writes flows and prices back into the network. */
export function writeBack({ network, strands, rowOf, price, system }: FlowState): void {
  for (const { flow } of network.edges) flow.input = flow.output = 0;
  for (let at = 0; at < strands.count; at++) {
    const flow = network.edges[strands.edge[at] as number]?.flow;
    if (flow === undefined) continue;
    flow.input += (strands.flow[at] as number) / (strands.scaleFrom[at] as number);
    flow.output += (strands.output[at] as number) / (strands.scaleTo[at] as number);
  }
  for (const [node, row] of rowOf.entries()) {
    if (row >= 0 && row < system.size) network.logPrice[node] = (network.logPrice[node] as number) + Math.log(price[row] as number);
  }
}
