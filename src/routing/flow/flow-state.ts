import { curveTangent, type FlowCurve } from '../curves/curves.ts';
import { strandsOf } from '../curves/strands.ts';
import { emptyTangent } from '../curves/tangent.ts';
import { FlowStrands } from './flow-strands.ts';
import { BUY, type FlowEdge, type FlowNetwork, SELL } from './network.ts';
import { createPriceSystem, type PriceSystem, resizeSystem } from './price-system.ts';

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
  rowOf[measured] = size;
  resizeSystem(system, size);
  const worth = tradeWorth(network);
  const scales = Float64Array.from(logPrice, (log) => Math.exp(log) / worth);
  strands.clear();
  for (const [index, edge] of edges.entries()) addStrands(strands, edge, index, rowOf, scales, start);
  const fixed = Number(problem.fixed);
  const given = sells ? fixed * (scales[SELL] as number) : -fixed * (scales[BUY] as number);
  const givenRow = rowOf[sells ? SELL : BUY] as number;
  const [price, surplus] = [new Float64Array(size + 1).fill(1), new Float64Array(size + 1)];
  return { network, start, system, strands, rowOf, given, givenRow, price, surplus, imbalance: 0, reads: 0, gap: 0, slack: 0 };
}

function addStrands(strands: FlowStrands, edge: FlowEdge, index: number, rowOf: Int32Array, scales: Float64Array, start: Start): void {
  const [scaleFrom, scaleTo] = [scales[edge.from] as number, scales[edge.to] as number];
  for (const { input, output, width } of strandsOf(edge.curve)) {
    const at = strands.add(edge.curve);
    const most = width * scaleFrom;
    const filled = Math.min(Math.max(edge.flow.input - input, 0), width) * scaleFrom;
    const forgone = start === 'near' ? 0 : priceForgone(edge, input + filled / scaleFrom, scaleTo / scaleFrom);
    const [flow, room] = insideBounds(filled, most, forgone);
    strands.edge[at] = index;
    strands.from[at] = rowOf[edge.from] as number;
    strands.to[at] = rowOf[edge.to] as number;
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

/** How much less than its ends' prices an edge pays at an input, relatively; `ratio`: the price of what comes out over that of what goes in. */
function priceForgone({ curve }: FlowEdge, input: number, ratio: number): number {
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
  const { count, curve, from, to, scaleFrom, scaleTo, startInput, startOutput, weight, flow, room, low, high, output, marginal, bend } = strands;
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
    const difference = (price[target] as number) * paid - (price[source] as number) + (low[at] as number) - (high[at] as number);
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
    const { from, to, carrier } = network.edges[strands.edge[at] as number] as FlowEdge;
    if (carrier.kind === 'artificial') continue;
    if (sells && to === BUY) amount += (strands.output[at] as number) / (strands.scaleTo[at] as number);
    if (!sells && from === SELL) amount += (strands.flow[at] as number) / (strands.scaleFrom[at] as number);
  }
  return amount;
}

/** Writes flows and prices back into the network. */
export function writeBack({ network, strands, rowOf, price, system }: FlowState): void {
  for (const { flow } of network.edges) flow.input = flow.output = 0;
  for (let at = 0; at < strands.count; at++) {
    const { flow } = network.edges[strands.edge[at] as number] as FlowEdge;
    flow.input += (strands.flow[at] as number) / (strands.scaleFrom[at] as number);
    flow.output += (strands.output[at] as number) / (strands.scaleTo[at] as number);
  }
  for (const [node, row] of rowOf.entries()) {
    if (row >= 0 && row < system.size) network.logPrice[node] = (network.logPrice[node] as number) + Math.log(price[row] as number);
  }
}
