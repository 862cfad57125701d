import { curveTangent } from '../curves/curves.ts';
import { strandsOf } from '../curves/strands.ts';
import { emptyTangent } from '../curves/tangent.ts';
import { BUY, type FlowEdge, type FlowNetwork, SELL } from './network.ts';
import { createPriceSystem, type PriceSystem } from './price-system.ts';

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
  /** What the request fixes, base units. */
  readonly fixed: number;
  readonly sells: boolean;
  readonly start: Start;
  readonly system: PriceSystem;
  /** Row of the system by token; −1 for the token that worth is measured in. */
  readonly rowOf: ReadonlyMap<number, number>;
  /** Scaled amount that enters at the sell token, or (negative) leaves at the buy token. */
  readonly given: number;
  /** By row: price, and surplus of the token. */
  readonly price: Float64Array;
  readonly surplus: Float64Array;
  readonly strands: readonly FlowStrand[];
  imbalance: number;
  /** Strands read so far. */
  reads: number;
  /** Mean of flow times the price forgone, relative to the strand's weight. */
  gap: number;
  /** Largest difference between a strand's marginal price and what its ends imply. */
  slack: number;
};

export type FlowStrand = {
  /** Place of its edge in the network. */
  readonly edge: number;
  /** Rows of the ends. */
  readonly from: number;
  readonly to: number;
  readonly scaleFrom: number;
  readonly scaleTo: number;
  /** Where it starts on the curve, in base units. */
  readonly startInput: number;
  readonly startOutput: number;
  /** Its share in the barrier, so that a strand a million times smaller than the trade is held no more than the rest. */
  weight: number;
  flow: number;
  /** How much more flow it takes, Infinity where that has no end: kept beside the flow, since near the end their difference would have no digits left. */
  room: number;
  /** The curve at the flow. */
  output: number;
  marginal: number;
  bend: number;
  /** Prices forgone by staying above nothing and below the most. */
  low: number;
  high: number;
  /** Changes in the step under way, of the flow and of the prices forgone. */
  change: number;
  lowChange: number;
  highChange: number;
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

export function createFlowState(network: FlowNetwork, start: Start): FlowState {
  const fixed = Number(network.problem.fixed);
  const sells = network.problem.mode === 'sell';
  const measure = sells ? BUY : SELL;
  const rowOf = new Map<number, number>([[measure, -1]]);
  for (const edge of network.edges) {
    for (const token of [edge.from, edge.to]) if (!rowOf.has(token)) rowOf.set(token, rowOf.size - 1);
  }
  const size = rowOf.size - 1;
  const worth = tradeWorth(network);
  const scaleOf = (token: number) => Math.exp(network.logPrice[token] as number) / worth;
  const given = sells ? fixed * scaleOf(SELL) : -fixed * scaleOf(BUY);
  const strands = network.edges.flatMap((edge, index) =>
    strandsOf(edge.curve).map((strand) => {
      const scaleFrom = scaleOf(edge.from);
      const most = strand.width * scaleFrom;
      const filled = Math.min(Math.max(edge.flow.input - strand.input, 0), strand.width) * scaleFrom;
      const forgone = start === 'near' ? 0 : priceForgone(edge, strand.input + filled / scaleFrom, scaleOf(edge.to) / scaleFrom);
      const [flow, room] = insideBounds(filled, most, forgone);
      return {
        edge: index,
        from: rowOf.get(edge.from) ?? -1,
        to: rowOf.get(edge.to) ?? -1,
        scaleFrom,
        scaleTo: scaleOf(edge.to),
        startInput: strand.input,
        startOutput: strand.output,
        weight: flow,
        flow,
        room,
        output: 0,
        marginal: 0,
        bend: 0,
        low: START_BARRIER + Math.max(0, forgone),
        high: room === Infinity ? 0 : (START_BARRIER * flow) / room + Math.max(0, -forgone),
        change: 0,
        lowChange: 0,
        highChange: 0,
      };
    }),
  );
  const price = new Float64Array(size).fill(1);
  return {
    network,
    fixed,
    sells,
    start,
    system: createPriceSystem(size),
    rowOf,
    given,
    price,
    surplus: new Float64Array(size),
    strands,
    imbalance: 0,
    reads: 0,
    gap: 0,
    slack: 0,
  };
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
  const { network, sells, price, surplus, strands } = state;
  state.reads += strands.length;
  surplus.fill(0);
  const givenRow = state.rowOf.get(sells ? SELL : BUY) ?? -1;
  surplus[givenRow] = state.given;
  let gap = 0;
  let bounds = 0;
  state.slack = 0;
  for (const strand of strands) {
    const { from, to, scaleFrom, scaleTo, flow } = strand;
    const curve = network.edges[strand.edge]?.curve;
    if (curve === undefined) continue;
    curveTangent(curve, Math.min(strand.startInput + flow / scaleFrom, curve.capacity), tangent);
    strand.output = (tangent.output - strand.startOutput) * scaleTo;
    strand.marginal = (tangent.marginal * scaleTo) / scaleFrom;
    strand.bend = (tangent.bend * scaleTo) / scaleFrom / scaleFrom;
    if (from >= 0) surplus[from] = (surplus[from] as number) - flow;
    if (to >= 0) surplus[to] = (surplus[to] as number) + strand.output;
    const difference = (to < 0 ? 1 : (price[to] as number)) * strand.marginal - (from < 0 ? 1 : (price[from] as number)) + strand.low - strand.high;
    state.slack = Math.max(state.slack, Math.abs(difference) * Math.min(1, flow));
    gap += (flow * strand.low) / strand.weight;
    bounds++;
    if (strand.room !== Infinity) {
      gap += (strand.room * strand.high) / strand.weight;
      bounds++;
    }
  }
  // What the trade fixes may be worth next to nothing at the margin: there it is held against itself.
  state.imbalance = Math.abs((surplus[givenRow] ?? 0) / state.given);
  for (const value of surplus) state.imbalance = Math.max(state.imbalance, Math.abs(value));
  state.gap = gap / Math.max(1, bounds);
  return state.gap;
}

/** The amount sought: what reaches the buy token (sell), or leaves the sell token (buy), over real edges. Base units. */
export function soughtAmount({ network, sells, strands }: FlowState): number {
  let amount = 0;
  for (const strand of strands) {
    const edge = network.edges[strand.edge];
    if (edge === undefined || edge.carrier.kind === 'artificial') continue;
    if (sells && edge.to === BUY) amount += strand.output / strand.scaleTo;
    if (!sells && edge.from === SELL) amount += strand.flow / strand.scaleFrom;
  }
  return amount;
}

/** Writes flows and prices back into the network. */
export function writeBack({ network, strands, rowOf, price }: FlowState): void {
  for (const edge of network.edges) {
    edge.flow.input = 0;
    edge.flow.output = 0;
  }
  for (const strand of strands) {
    const edge = network.edges[strand.edge];
    if (edge === undefined) continue;
    edge.flow.input += strand.flow / strand.scaleFrom;
    edge.flow.output += strand.output / strand.scaleTo;
  }
  for (const [token, row] of rowOf) {
    if (row >= 0) network.logPrice[token] = (network.logPrice[token] as number) + Math.log(price[row] as number);
  }
}
