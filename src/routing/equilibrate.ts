import { LIMITS } from '../config/limits.ts';
import { curveTangent } from './curves/curves.ts';
import { emptyTangent } from './curves/tangent.ts';
import type { Network, NetworkEdge } from './network.ts';
import { addToSystem, clearSystem, createPriceSystem, type PriceSystem, solveSystem } from './price-system.ts';
import { BUY, SELL } from './subgraph.ts';

/** The convex problem on the active DAG: sell a fixed amount for the most, or buy a fixed amount for the least. Base units. */
export type Demand = { readonly mode: 'sell' | 'buy'; readonly amount: number };

/** Where flows and prices came to rest. */
export type Equilibrium = {
  /** sell: what reaches the buy token. buy: what leaves the sell token. Base units. */
  readonly amount: number;
  /** Largest imbalance of a token, in worth, relative to the whole trade. */
  readonly imbalance: number;
  readonly steps: number;
};

/**
 * Finds the flows and token prices at which every token's inflow equals its outflow, every edge that carries flow has the marginal price that its ends
 * imply, and no idle edge has a better one. Newton on these conditions, with flows kept inside their bounds by a barrier that is lowered from step to step:
 * eliminating the flows leaves a small positive definite system in the token prices, that of a resistor network in which an edge resists by its curvature
 * and by its nearness to a bound. Working with flows beside prices is what keeps pools that are deep against the trade harmless: they are almost
 * straight lines here, whereas from prices alone a hair decides between nothing and everything.
 */
export function equilibrate(network: Network, demand: Demand): Equilibrium {
  const state = createState(network, demand);
  let steps = 0;
  let barrier = evaluate(state);
  while (steps < LIMITS.routing.newtonSteps && !(state.imbalance < BALANCED && state.gap < CLOSED && state.slack < CLOSED)) {
    steps++;
    const length = step(state, barrier);
    if (length === null) break;
    const gap = evaluate(state);
    // The better the last step went, the faster the barrier comes down.
    barrier = gap * (length > 0.9 ? 0.05 : length > 0.5 ? 0.2 : 0.6);
  }
  return finish(state, steps);
}

/** Ends: imbalance, and the mean of flow times the price it forgoes, as shares of the trade. */
const BALANCED = 1e-9;
const CLOSED = 1e-9;
/** Share of the way to a bound that a step may go. */
const STAY_INSIDE = 0.95;
/** Where flows start at least, as a share of the trade; the price that edges forgo at first, relatively. */
const LEAST_FLOW = 1e-9;
const START_BARRIER = 1e-4;

/**
 * Worth of the whole trade: at the margin, or what its flows come to where pools are so drained that the margin is worth nothing. Base units of the
 * measuring token.
 */
export function tradeWorth(network: Network, demand: Demand): number {
  const sells = demand.mode === 'sell';
  let flowing = 0;
  for (const edge of network.edges) {
    if (sells && edge.to === BUY) flowing += edge.flow.output;
    if (!sells && edge.from === SELL) flowing += edge.flow.input;
  }
  return Math.max(flowing, demand.amount * Math.exp(network.logPrice[sells ? SELL : BUY] as number));
}

/** Everything is scaled: a token's amounts by its starting price over the worth of the trade, so that the trade is 1 and prices start at 1. */
type State = {
  readonly network: Network;
  readonly demand: Demand;
  readonly system: PriceSystem;
  /** Row of the system by token; −1 for the token that worth is measured in. */
  readonly rowOf: ReadonlyMap<number, number>;
  /** Scaled amount that enters at the sell token, or (negative) leaves at the buy token. */
  readonly given: number;
  /** By row: price, and surplus of the token. */
  readonly price: Float64Array;
  readonly surplus: Float64Array;
  /** By edge: rows of its ends, scales of its ends, flow, room at most; curve at the flow; price forgone at either bound. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly scaleFrom: Float64Array;
  readonly scaleTo: Float64Array;
  readonly flow: Float64Array;
  readonly most: Float64Array;
  readonly output: Float64Array;
  readonly marginal: Float64Array;
  readonly bend: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly change: Float64Array;
  /** By edge: its share in the barrier, so that an edge a million times smaller than the trade is held no more than the rest. */
  readonly weight: Float64Array;
  imbalance: number;
  gap: number;
  /** Largest difference between an edge's marginal price and what its ends imply. */
  slack: number;
};

function createState(network: Network, demand: Demand): State {
  const measure = demand.mode === 'sell' ? BUY : SELL;
  const rowOf = new Map<number, number>([[measure, -1]]);
  for (const edge of network.edges) {
    for (const token of [edge.from, edge.to]) if (!rowOf.has(token)) rowOf.set(token, rowOf.size - 1);
  }
  const size = rowOf.size - 1;
  const count = network.edges.length;
  const columns = () => new Float64Array(count);
  const rows = (of: (edge: NetworkEdge) => number) => Int32Array.from(network.edges, (edge) => rowOf.get(of(edge)) ?? -1);
  const worth = tradeWorth(network, demand);
  const scales = (of: (edge: NetworkEdge) => number) => Float64Array.from(network.edges, (edge) => Math.exp(network.logPrice[of(edge)] as number) / worth);
  const state: State = {
    network,
    demand,
    system: createPriceSystem(size),
    rowOf,
    given: ((demand.mode === 'sell' ? 1 : -1) * demand.amount * Math.exp(network.logPrice[demand.mode === 'sell' ? SELL : BUY] as number)) / worth,
    price: new Float64Array(size).fill(1),
    surplus: new Float64Array(size),
    from: rows((edge) => edge.from),
    to: rows((edge) => edge.to),
    scaleFrom: scales((edge) => edge.from),
    scaleTo: scales((edge) => edge.to),
    flow: columns(),
    most: columns(),
    output: columns(),
    marginal: columns(),
    bend: columns(),
    low: columns(),
    high: columns(),
    change: columns(),
    weight: columns(),
    imbalance: 0,
    gap: 0,
    slack: 0,
  };
  for (let edge = 0; edge < count; edge++) startEdge(state, edge);
  return state;
}

function startEdge(state: State, index: number): void {
  const edge = state.network.edges[index] as NetworkEdge;
  const scale = state.scaleFrom[index] as number;
  const most = edge.curve.capacity * scale;
  const flow = Math.min(Math.max(edge.flow.input * scale, LEAST_FLOW), most * START_INSIDE);
  state.most[index] = most;
  state.flow[index] = flow;
  state.weight[index] = flow;
  state.low[index] = START_BARRIER;
  state.high[index] = most === Infinity ? 0 : (START_BARRIER * flow) / (most - flow);
}

/** Share of its capacity that an edge starts with at most. */
const START_INSIDE = 0.5;

const tangent = emptyTangent();

/** Reads the curves at the flows and measures how far from rest the state is; returns the mean complementarity. */
function evaluate(state: State): number {
  const { network, demand, price, surplus, flow, most, low, high } = state;
  surplus.fill(0);
  const given = state.rowOf.get(demand.mode === 'sell' ? SELL : BUY) ?? -1;
  surplus[given] = state.given;
  let gap = 0;
  let bounds = 0;
  state.slack = 0;
  for (let index = 0; index < network.edges.length; index++) {
    const edge = network.edges[index] as NetworkEdge;
    const [scaleFrom, scaleTo] = [state.scaleFrom[index] as number, state.scaleTo[index] as number];
    const [from, to] = [state.from[index] as number, state.to[index] as number];
    const carried = flow[index] as number;
    curveTangent(edge.curve, Math.min(carried / scaleFrom, edge.curve.capacity), tangent);
    state.output[index] = tangent.output * scaleTo;
    state.marginal[index] = (tangent.marginal * scaleTo) / scaleFrom;
    state.bend[index] = (tangent.bend * scaleTo) / scaleFrom / scaleFrom;
    if (from >= 0) surplus[from] = (surplus[from] as number) - carried;
    if (to >= 0) surplus[to] = (surplus[to] as number) + (state.output[index] as number);
    const forgone = (low[index] as number) - (high[index] as number);
    state.slack = Math.max(
      state.slack,
      Math.abs((to < 0 ? 1 : (price[to] as number)) * (state.marginal[index] as number) - (from < 0 ? 1 : (price[from] as number)) + forgone) *
        Math.min(1, carried),
    );
    gap += (carried * (low[index] as number)) / (state.weight[index] as number);
    bounds++;
    if (most[index] !== Infinity) {
      gap += (((most[index] as number) - carried) * (high[index] as number)) / (state.weight[index] as number);
      bounds++;
    }
  }
  state.imbalance = 0;
  for (const value of surplus) state.imbalance = Math.max(state.imbalance, Math.abs(value));
  state.gap = gap / Math.max(1, bounds);
  return state.gap;
}

/** One Newton step towards the conditions with this barrier; returns how much of it fitted inside the bounds, or null when there is none. */
function step(state: State, barrier: number): number | null {
  const { network, system, price, flow, most, low, high, change } = state;
  const count = network.edges.length;
  clearSystem(system);
  const priceOf = (row: number) => (row < 0 ? 1 : (price[row] as number));
  const resistance = (index: number) => {
    const room = (most[index] as number) - (flow[index] as number);
    const bounded = (low[index] as number) / (flow[index] as number) + (room === Infinity ? 0 : (high[index] as number) / room);
    return priceOf(state.to[index] as number) * (state.bend[index] as number) + bounded;
  };
  const pull = (index: number) => {
    const room = (most[index] as number) - (flow[index] as number);
    const priced = priceOf(state.to[index] as number) * (state.marginal[index] as number) - priceOf(state.from[index] as number);
    const held = barrier * (state.weight[index] as number);
    return priced + held / (flow[index] as number) - (room === Infinity ? 0 : held / room);
  };
  for (let index = 0; index < count; index++) {
    addToSystem(system, state.from[index] as number, state.to[index] as number, state.marginal[index] as number, 1 / resistance(index), pull(index));
  }
  for (let row = 0; row < system.size; row++) system.right[row] = (system.right[row] as number) - (state.surplus[row] as number);
  if (!solveSystem(system)) return null;
  const moved = (row: number) => (row < 0 ? 0 : (system.solution[row] as number));
  let length = 1;
  let dualLength = 1;
  for (let index = 0; index < count; index++) {
    const [from, to] = [state.from[index] as number, state.to[index] as number];
    const delta = ((state.marginal[index] as number) * moved(to) - moved(from) + pull(index)) / resistance(index);
    change[index] = delta;
    const room = (most[index] as number) - (flow[index] as number);
    if (delta < 0) length = Math.min(length, (STAY_INSIDE * (flow[index] as number)) / -delta);
    if (delta > 0 && room !== Infinity) length = Math.min(length, (STAY_INSIDE * room) / delta);
    const held = barrier * (state.weight[index] as number);
    const lowChange = forgoneChange(held, flow[index] as number, low[index] as number, delta);
    if (lowChange < 0) dualLength = Math.min(dualLength, (STAY_INSIDE * (low[index] as number)) / -lowChange);
    if (room !== Infinity) {
      const highChange = forgoneChange(held, room, high[index] as number, -delta);
      if (highChange < 0) dualLength = Math.min(dualLength, (STAY_INSIDE * (high[index] as number)) / -highChange);
    }
  }
  for (let row = 0; row < system.size; row++) {
    const delta = system.solution[row] as number;
    if (delta < 0) dualLength = Math.min(dualLength, (STAY_INSIDE * (price[row] as number)) / -delta);
  }
  for (let index = 0; index < count; index++) {
    const room = (most[index] as number) - (flow[index] as number);
    const delta = change[index] as number;
    const held = barrier * (state.weight[index] as number);
    low[index] = (low[index] as number) + dualLength * forgoneChange(held, flow[index] as number, low[index] as number, delta);
    if (room !== Infinity) high[index] = (high[index] as number) + dualLength * forgoneChange(held, room, high[index] as number, -delta);
    flow[index] = (flow[index] as number) + length * delta;
  }
  for (let row = 0; row < system.size; row++) price[row] = (price[row] as number) + dualLength * (system.solution[row] as number);
  return Math.min(length, dualLength);
}

/** How the price forgone at a bound changes so that it times the room left becomes the barrier. */
function forgoneChange(barrier: number, room: number, forgone: number, delta: number): number {
  return barrier / room - forgone - (forgone / room) * delta;
}

/** Writes flows and prices back into the network. */
function finish(state: State, steps: number): Equilibrium {
  const { network, demand } = state;
  let amount = 0;
  for (let index = 0; index < network.edges.length; index++) {
    const edge = network.edges[index] as NetworkEdge;
    edge.flow.input = (state.flow[index] as number) / (state.scaleFrom[index] as number);
    edge.flow.output = (state.output[index] as number) / (state.scaleTo[index] as number);
    if (demand.mode === 'sell' && edge.to === BUY) amount += edge.flow.output;
    if (demand.mode === 'buy' && edge.from === SELL) amount += edge.flow.input;
  }
  for (const [token, row] of state.rowOf) {
    if (row >= 0) network.logPrice[token] = (network.logPrice[token] as number) + Math.log(state.price[row] as number);
  }
  return { amount, imbalance: state.imbalance, steps };
}
