import { LIMITS } from '../config/limits.ts';
import type { SegmentsCurve } from '../snapshot/snapshot.ts';
import { type Growth, growNetwork, settle } from './columns.ts';
import { curveInputFor, curveOutput, curveTangent } from './curves/curves.ts';
import { emptyTangent } from './curves/tangent.ts';
import { BALANCED } from './equilibrate.ts';
import { fitGas } from './fit-gas.ts';
import type { Demand } from './flow-state.ts';
import { addEdge, createNetwork, type Network, networkEdge } from './network.ts';
import type { Pace } from './pace.ts';
import { pruneNetwork } from './prune.ts';
import type { SearchArea } from './search-area.ts';
import { BY_AMOUNT, findSinglePaths, pathPrice, type SinglePath } from './single-path.ts';
import { BUY, SELL, type Subgraph } from './subgraph.ts';
import type { Tolls } from './tolls.ts';
import { SELL_WALK, type Walk } from './walk.ts';

/** A split as the float model sees it. */
export type Split = {
  readonly network: Network;
  readonly growth: Growth;
  /** sell: model output. buy: model input. Base units. */
  readonly amount: number;
};

/** Splits a trade over pools and hops, starting from the best single path, or from a part of one where no single path can carry it, or only by draining its pools. */
export function findSplit(area: SearchArea, graph: Subgraph, demand: Demand, start: SinglePath | null, tolls: Tolls, pace: Pace): Split | null {
  if (start === null) return growFromPart(startShort(area, graph, demand, pace), demand, tolls, pace);
  const input = demand.mode === 'sell' ? demand.amount : start.amount;
  const network = startWith(graph, start, input, demand.mode);
  if (network === null) return null;
  const whole = asSplit(network, growNetwork(network, demand, tolls, pace));
  const undrained = undrainedInput(start, input);
  if (undrained === input) return whole;
  const parted = growFromPart(startWith(graph, start, undrained, demand.mode), demand, tolls, pace);
  if (whole === null || parted === null) return whole ?? parted;
  const gained = demand.mode === 'sell' ? parted.amount / whole.amount : whole.amount / parted.amount;
  return gained > WORTH_TAKING ? parted : whole;
}

/** Takes out of a split what does not earn its gas, and what a transaction has no gas for. Changes its network. */
export function pruneSplit(split: Split, demand: Demand, tolls: Tolls, pace: Pace): Split {
  const pruned = pruneNetwork(split.network, demand, split.growth.equilibrium, tolls, pace);
  const { amount } = fitGas(split.network, demand, pruned, tolls, LIMITS.routing.routeGas, pace);
  return { ...split, amount };
}

function asSplit(network: Network, growth: Growth): Split | null {
  return growth.equilibrium.imbalance < BALANCED ? { network, growth, amount: growth.equilibrium.amount } : null;
}

const tangent = emptyTangent();

/** Null where the subgraph, which has a bound, was cut off before the path. */
function startWith(graph: Subgraph, path: SinglePath, input: number, mode: Demand['mode']): Network | null {
  const numbers = path.hops.map(({ from, to }) => [graph.numbers.get(from), graph.numbers.get(to)] as const);
  const network = createNetwork(graph);
  let amount = input;
  const passed = path.hops.map(({ edge }) => {
    const carried = Math.min(amount, edge.curve.capacity);
    curveTangent(edge.curve, carried, tangent);
    amount = tangent.output;
    return { input: carried, output: tangent.output, logMarginal: Math.log(Math.max(tangent.marginal, Number.MIN_VALUE)) };
  });
  const whole = passed.reduce((sum, { logMarginal }) => sum + logMarginal, 0);
  let price = mode === 'sell' ? whole : 0;
  network.logPrice[SELL] = price;
  for (const [index, { edge }] of path.hops.entries()) {
    const { input: carried, output, logMarginal } = passed[index] ?? { input: 0, output: 0, logMarginal: 0 };
    const [from, to] = numbers[index] ?? [];
    if (from === undefined || to === undefined) return null;
    price -= logMarginal;
    network.logPrice[to] = price;
    addEdge(network, { ...networkEdge(from, to, edge), flow: { input: carried, output } });
  }
  return network;
}

/** How much worse than the path beside it a stand-in is, and how often it is made that much worse again while it still carries. */
const STAND_IN = 1e-3;
const STAND_INS = 4;
/** The seed for a buy that no path can deliver carries what this multiple of the ideal input would. */
const AMPLE = 4;

/** How much more the second of two attempts has to give, relatively, before its float model is believed. */
const WORTH_TAKING = 1 + 1e-6;

/** A path is drained where its price is less than this part of its first. */
const DRAINED = 1e-2;

/** The input that a path takes before it is drained, at most all of `input`. */
function undrainedInput(path: SinglePath, input: number): number {
  const least = DRAINED * pathPrice(path, 0);
  if (pathPrice(path, input) >= least) return input;
  let [low, high] = [input * SMALLEST_PART, input];
  for (let step = 0; step < LIMITS.routing.columnBisections; step++) {
    const middle = Math.sqrt(low * high);
    if (pathPrice(path, middle) >= least) low = middle;
    else high = middle;
  }
  return low;
}

const SMALLEST_PART = 1e-12;

/**
 * Splits a trade starting from a network that carries a part of it, with a stand-in edge from sell to buy that carries the rest at a bad price. A split in which the worst stand-in still
 * carries is none.
 */
function growFromPart(network: Network | null, demand: Demand, tolls: Tolls, pace: Pace): Split | null {
  if (network === null) return null;
  let price = standInPrice(network);
  for (let round = 0; round < STAND_INS; round++) {
    price *= STAND_IN;
    const real = network.edges.filter((edge) => edge.model !== null);
    network.edges.splice(0, network.edges.length, ...real);
    if (!addStandIn(network, demand, price)) return null;
    const growth = growNetwork(network, demand, tolls, pace);
    // It left because what it gave was worth nothing; the others may have to carry much of the input yet.
    if (network.edges.every((edge) => edge.model !== null)) return asSplit(network, { ...growth, equilibrium: settle(network, demand) });
  }
  return null;
}

function startShort(area: SearchArea, graph: Subgraph, demand: Demand, pace: Pace): Network | null {
  const clamped: Walk = { ...SELL_WALK, carry: (edge, amount) => curveOutput(edge.curve, Math.min(amount, edge.curve.capacity)) };
  const ideal = demand.mode === 'sell' ? demand.amount : inputAtStart(area, demand.amount, pace);
  if (ideal === null) return null;
  const amount = demand.mode === 'sell' ? ideal : ideal * AMPLE;
  const seed = findSinglePaths(area, clamped, amount, BY_AMOUNT, pace).paths[0];
  return seed === undefined ? null : startWith(graph, seed, amount, demand.mode);
}

/** Marginal price of the whole path that a network was started with. */
function standInPrice({ logPrice }: Network): number {
  return Math.exp((logPrice[SELL] as number) - (logPrice[BUY] as number));
}

/** Adds an edge of no pool, deep enough for what the real edges do not carry, and lets it set the price. */
function addStandIn(network: Network, demand: Demand, price: number): boolean {
  const carried = network.edges.reduce((sum, { from, to, flow }) => {
    if (demand.mode === 'sell') return from === SELL ? sum + flow.input : sum;
    return to === BUY ? sum + flow.output : sum;
  }, 0);
  const rest = Math.max(demand.amount - carried, demand.amount * 1e-3);
  const reserveOut = AMPLE * (demand.mode === 'sell' ? rest * price : rest);
  const reserveIn = reserveOut / price;
  if (!(price > 0 && reserveIn > 0 && reserveIn < Infinity)) return false;
  const curve: SegmentsCurve = {
    kind: 'segments',
    keep: 1,
    capacity: Infinity,
    gas: 0,
    gasPerPiece: 0,
    gasPerLogPrice: 0,
    columns: Float64Array.of(0, 0, reserveIn, reserveOut),
  };
  const input = demand.mode === 'sell' ? rest : curveInputFor(curve, rest);
  addEdge(network, { from: SELL, to: BUY, curve, model: null, flow: { input, output: curveOutput(curve, input) } });
  if (demand.mode === 'sell') network.logPrice[SELL] = Math.log(price) + (network.logPrice[BUY] as number);
  else network.logPrice[BUY] = (network.logPrice[SELL] as number) - Math.log(price);
  return true;
}

/** Input that would buy the target at the price a small trade gets; null where there is no path at all. */
function inputAtStart(area: SearchArea, target: number, pace: Pace): number | null {
  const probe = findSinglePaths(area, { ...SELL_WALK, carry: (edge, amount) => amount * edge.startPrice }, 1, BY_AMOUNT, pace).paths[0];
  return probe === undefined ? null : target / probe.amount;
}
