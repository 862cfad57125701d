import { LIMITS } from '../config/limits.ts';
import { curveFlowAt } from './curves/curves.ts';
import type { Network } from './network.ts';
import { BUY, SELL } from './subgraph.ts';

/** The convex problem on the active DAG: sell a fixed amount for the most, or buy a fixed amount for the least. Base units. */
export type Demand = { readonly mode: 'sell' | 'buy'; readonly amount: number };

/** Where the prices came to rest. */
export type Equilibrium = {
  /** Dual value at these prices: for any prices a bound on the output (sell, from above) or input (buy, from below) of all flows in the network. */
  readonly dual: number;
  /** Largest imbalance of a token, in worth, relative to the whole trade. */
  readonly imbalance: number;
  readonly steps: number;
};

/**
 * Finds the token prices at which every token's inflow equals its outflow. At given prices each edge's flow is closed-form in the price ratio of its ends,
 * shared pools at their joint flow by construction. The dual function is convex in the prices and its gradient in a token's log price is that token's
 * surplus, in worth; the curvature is the Laplacian of a resistor network (an edge conducts as its flow answers the price), so damped Newton is a small
 * positive definite system a step.
 */
export function equilibrate(network: Network, demand: Demand): Equilibrium {
  const { logPrice } = network;
  const system = createSystem(network, demand);
  const scale = () => Math.exp(logPrice[demand.mode === 'sell' ? SELL : BUY] as number) * demand.amount;
  const trial = logPrice.slice();
  let value = assess(network, demand, logPrice);
  let steps = 0;
  let imbalance = Infinity;
  for (; steps < LIMITS.routing.newtonSteps; steps++) {
    imbalance = fill(system, network, demand) / scale();
    if (!(imbalance > TOLERANCE) || !solve(system)) break;
    const slope = direction(system, network);
    let moved = false;
    let size = 1;
    for (let halving = 0; halving < LIMITS.routing.newtonHalvings; halving++, size /= 2) {
      trial.set(logPrice);
      for (let i = 0; i < system.tokens.length; i++)
        trial[system.tokens[i] as number] = (logPrice[system.tokens[i] as number] as number) + size * (system.step[i] as number);
      const next = assess(network, demand, trial);
      if (next <= value - 1e-4 * size * slope || (size === 1 && Math.abs(next - value) <= 1e-13 * Math.abs(value))) {
        moved = next !== value || size * maxAbs(system.step) > 1e-15;
        value = next;
        break;
      }
    }
    if (!moved) break;
    logPrice.set(trial);
  }
  value = assess(network, demand, logPrice);
  imbalance = fill(system, network, demand) / scale();
  return { dual: demand.mode === 'sell' ? value : -value, imbalance, steps };
}

/** Surplus of a token, in worth, below which the network counts as balanced. */
const TOLERANCE = 1e-9;
/** No log price moves further in a step. */
const LONGEST_STEP = 2;

type System = {
  /** Tokens whose price is free: all but the one that worth is measured in. */
  readonly tokens: readonly number[];
  readonly row: ReadonlyMap<number, number>;
  readonly matrix: Float64Array;
  readonly surplus: Float64Array;
  readonly step: Float64Array;
};

function createSystem(network: Network, demand: Demand): System {
  const measure = demand.mode === 'sell' ? BUY : SELL;
  const row = new Map<number, number>();
  for (const edge of network.edges) {
    for (const token of [edge.from, edge.to]) if (token !== measure && !row.has(token)) row.set(token, row.size);
  }
  const size = row.size;
  return { tokens: [...row.keys()], row, matrix: new Float64Array(size * size), surplus: new Float64Array(size), step: new Float64Array(size) };
}

/** Sets every edge's flow to what the prices imply and returns the dual value, to be minimised. */
function assess(network: Network, demand: Demand, logPrice: Float64Array): number {
  let value = (demand.mode === 'sell' ? 1 : -1) * demand.amount * Math.exp(logPrice[demand.mode === 'sell' ? SELL : BUY] as number);
  for (const edge of network.edges) {
    const from = logPrice[edge.from] as number;
    const to = logPrice[edge.to] as number;
    curveFlowAt(edge.curve, Math.exp(from - to), edge.flow);
    value += edge.flow.output * Math.exp(to) - edge.flow.input * Math.exp(from);
  }
  return value;
}

/** Fills the Newton system from the flows; returns the largest surplus. */
function fill(system: System, network: Network, demand: Demand): number {
  const { matrix, surplus, row } = system;
  const size = surplus.length;
  matrix.fill(0);
  surplus.fill(0);
  const add = (token: number, worth: number) => {
    const at = row.get(token);
    if (at !== undefined) surplus[at] = (surplus[at] as number) + worth;
  };
  const given = demand.mode === 'sell' ? SELL : BUY;
  add(given, (demand.mode === 'sell' ? 1 : -1) * demand.amount * Math.exp(network.logPrice[given] as number));
  for (const edge of network.edges) {
    const priceFrom = Math.exp(network.logPrice[edge.from] as number);
    add(edge.from, -edge.flow.input * priceFrom);
    add(edge.to, edge.flow.output * Math.exp(network.logPrice[edge.to] as number));
    const conductance = edge.flow.slope * priceFrom;
    const i = row.get(edge.from);
    const j = row.get(edge.to);
    if (i !== undefined) matrix[i * size + i] = (matrix[i * size + i] as number) + conductance;
    if (j !== undefined) matrix[j * size + j] = (matrix[j * size + j] as number) + conductance;
    if (i !== undefined && j !== undefined) {
      matrix[i * size + j] = (matrix[i * size + j] as number) - conductance;
      matrix[j * size + i] = (matrix[j * size + i] as number) - conductance;
    }
  }
  const ground = 1e-10 * Math.exp(network.logPrice[given] as number) * demand.amount;
  for (let i = 0; i < size; i++) matrix[i * size + i] = (matrix[i * size + i] as number) * (1 + 1e-12) + ground;
  return maxAbs(surplus);
}

/** Cholesky in place: step = −matrix⁻¹ · surplus. False when the system is not positive definite, which only numbers that are not finite make it. */
function solve(system: System): boolean {
  const { matrix, surplus, step } = system;
  const size = surplus.length;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j] as number;
      for (let k = 0; k < j; k++) sum -= (matrix[i * size + k] as number) * (matrix[j * size + k] as number);
      if (i === j) {
        if (!(sum > 0)) return false;
        matrix[i * size + i] = Math.sqrt(sum);
      } else matrix[i * size + j] = sum / (matrix[j * size + j] as number);
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = -(surplus[i] as number);
    for (let k = 0; k < i; k++) sum -= (matrix[i * size + k] as number) * (step[k] as number);
    step[i] = sum / (matrix[i * size + i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = step[i] as number;
    for (let k = i + 1; k < size; k++) sum -= (matrix[k * size + i] as number) * (step[k] as number);
    step[i] = sum / (matrix[i * size + i] as number);
  }
  return true;
}

/** Shortens the step to the longest allowed and returns how fast the dual falls along it. */
function direction(system: System, network: Network): number {
  const { step, surplus } = system;
  const longest = maxAbs(step);
  const shrink = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1;
  let slope = 0;
  for (let i = 0; i < step.length; i++) {
    step[i] = (step[i] as number) * shrink;
    slope -= (surplus[i] as number) * (step[i] as number);
  }
  return network.edges.length === 0 ? 0 : slope;
}

function maxAbs(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}
