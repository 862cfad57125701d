import { LIMITS } from '../config/limits.ts';
import type { SegmentsCurve } from '../snapshot/snapshot.ts';
import { type Growth, growNetwork } from './columns.ts';
import { curveInputFor, curveOutput, curveTangent } from './curves/curves.ts';
import { emptyTangent } from './curves/tangent.ts';
import { BALANCED } from './equilibrate.ts';
import { fitGas } from './fit-gas.ts';
import type { Demand } from './flow-state.ts';
import { addEdge, createNetwork, type Network, networkEdge } from './network.ts';
import type { Pace } from './pace.ts';
import { pruneNetwork } from './prune.ts';
import type { SearchArea } from './search-area.ts';
import { BY_AMOUNT, findSinglePaths, type SinglePath } from './single-path.ts';
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

/** Splits a trade over pools and hops, starting from the best single path, or without one where no single path can carry it. */
export function findSplit(area: SearchArea, graph: Subgraph, demand: Demand, start: SinglePath | null, tolls: Tolls, pace: Pace): Split | null {
  if (start === null) return findShortSplit(area, graph, demand, tolls, pace);
  const network = startWith(graph, demand, start);
  if (network === null) return null;
  return asSplit(network, growNetwork(network, demand, tolls, pace));
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
function startWith(graph: Subgraph, demand: Demand, path: SinglePath): Network | null {
  const numbers = path.hops.map(({ from, to }) => [graph.numbers.get(from), graph.numbers.get(to)] as const);
  const network = createNetwork(graph);
  let amount = demand.mode === 'sell' ? demand.amount : path.amount;
  const passed = path.hops.map(({ edge }) => {
    const input = Math.min(amount, edge.curve.capacity);
    curveTangent(edge.curve, input, tangent);
    amount = tangent.output;
    return { input, output: tangent.output, logMarginal: Math.log(Math.max(tangent.marginal, Number.MIN_VALUE)) };
  });
  const whole = passed.reduce((sum, { logMarginal }) => sum + logMarginal, 0);
  let price = demand.mode === 'sell' ? whole : 0;
  network.logPrice[SELL] = price;
  for (const [index, { edge }] of path.hops.entries()) {
    const { input, output, logMarginal } = passed[index] ?? { input: 0, output: 0, logMarginal: 0 };
    const [from, to] = numbers[index] ?? [];
    if (from === undefined || to === undefined) return null;
    price -= logMarginal;
    network.logPrice[to] = price;
    addEdge(network, { ...networkEdge(from, to, edge), flow: { input, output } });
  }
  return network;
}

/** How much worse than the path beside it a stand-in is, and how often it is made that much worse again while it still carries. */
const STAND_IN = 1e-3;
const STAND_INS = 4;
/** The seed for a buy that no path can deliver carries what this multiple of the ideal input would. */
const AMPLE = 4;

/**
 * Splits a trade that no single path can carry: starts from the path that carries most, with a stand-in edge from sell to buy that carries the rest at a bad
 * price. A split in which the worst stand-in still carries is none.
 */
function findShortSplit(area: SearchArea, graph: Subgraph, demand: Demand, tolls: Tolls, pace: Pace): Split | null {
  const network = startShort(area, graph, demand, pace);
  if (network === null) return null;
  let price = standInPrice(network);
  for (let round = 0; round < STAND_INS; round++) {
    price *= STAND_IN;
    const real = network.edges.filter((edge) => edge.model !== null);
    network.edges.splice(0, network.edges.length, ...real);
    if (!addStandIn(network, demand, price)) return null;
    const growth = growNetwork(network, demand, tolls, pace);
    if (network.edges.every((edge) => edge.model !== null)) return asSplit(network, growth);
  }
  return null;
}

function startShort(area: SearchArea, graph: Subgraph, demand: Demand, pace: Pace): Network | null {
  const clamped: Walk = { ...SELL_WALK, carry: (edge, amount) => curveOutput(edge.curve, Math.min(amount, edge.curve.capacity)) };
  const ideal = demand.mode === 'sell' ? demand.amount : inputAtStart(area, demand.amount, pace);
  if (ideal === null) return null;
  const amount = demand.mode === 'sell' ? ideal : ideal * AMPLE;
  const seed = findSinglePaths(area, clamped, amount, BY_AMOUNT, pace).paths[0];
  return seed === undefined ? null : startWith(graph, demand, { ...seed, amount });
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
  const curve: SegmentsCurve = { kind: 'segments', keep: 1, capacity: Infinity, gas: 0, gasPerPiece: 0, columns: Float64Array.of(0, 0, reserveIn, reserveOut) };
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
