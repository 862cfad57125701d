import type { SegmentsCurve } from '../snapshot/snapshot.ts';
import { BALANCED, type Growth, growNetwork } from './columns.ts';
import { curveOutput, curveTangent } from './curves/curves.ts';
import { emptyFlow } from './curves/flow.ts';
import { emptyTangent } from './curves/tangent.ts';
import type { Demand } from './equilibrate.ts';
import { addEdge, createNetwork, type Network, networkEdge } from './network.ts';
import type { Pace } from './pace.ts';
import { pruneNetwork } from './prune.ts';
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

/**
 * Splits a trade over pools and hops, starting from the best single path. Where no single path can carry the trade, it starts from the path that carries
 * most, with a stand-in for the rest that nothing real is worse than; a split in which the stand-in still carries is none.
 */
export function findSplit(graph: Subgraph, demand: Demand, start: SinglePath | null, tolls: Tolls, pace: Pace): Split | null {
  const network = start === null ? startShort(graph, demand, pace) : startWith(graph, demand, start);
  if (network === null) return null;
  const growth = growNetwork(network, demand, tolls, pace);
  if (network.edges.some((edge) => edge.model === null) || !(growth.equilibrium.imbalance < BALANCED)) return null;
  const equilibrium = pruneNetwork(network, demand, growth.equilibrium, tolls, pace);
  return { network, growth, amount: equilibrium.amount };
}

const tangent = emptyTangent();

function startWith(graph: Subgraph, demand: Demand, path: SinglePath): Network {
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
  path.hops.forEach((hop, index) => {
    const { input, output, logMarginal } = passed[index] ?? { input: 0, output: 0, logMarginal: 0 };
    price -= logMarginal;
    network.logPrice[hop.to] = price;
    addEdge(network, { ...networkEdge(hop.from, hop.to, hop.edge), flow: { input, output } });
  });
  return network;
}

/** How much worse than anything real the stand-in is. */
const STAND_IN = 1e-6;
/** The seed for a buy that no path can deliver carries what this multiple of the ideal input would. */
const AMPLE = 4;

function startShort(graph: Subgraph, demand: Demand, pace: Pace): Network | null {
  const clamped: Walk = { ...SELL_WALK, carry: (edge, amount) => curveOutput(edge.curve, Math.min(amount, edge.curve.capacity)) };
  const ideal = demand.mode === 'sell' ? demand.amount : inputAtStart(graph, demand.amount, pace);
  if (ideal === null) return null;
  const seed = findSinglePaths(graph, clamped, demand.mode === 'sell' ? ideal : ideal * AMPLE, BY_AMOUNT, pace).paths[0];
  if (seed === undefined) return null;
  const network = startWith(graph, demand, { ...seed, amount: demand.mode === 'sell' ? seed.amount : ideal * AMPLE });
  const [from, to] = [network.logPrice[SELL] as number, network.logPrice[BUY] as number];
  const price = Math.exp(from - to) * STAND_IN;
  const reserveOut = demand.mode === 'sell' ? demand.amount * price : demand.amount * AMPLE;
  const reserveIn = reserveOut / price;
  if (!(price > 0 && reserveIn > 0 && reserveIn < Infinity)) return null;
  const curve: SegmentsCurve = { kind: 'segments', keep: 1, capacity: Infinity, gas: 0, gasPerPiece: 0, columns: Float64Array.of(0, 0, reserveIn, reserveOut) };
  addEdge(network, { from: SELL, to: BUY, curve, model: null, flow: emptyFlow() });
  return network;
}

/** Input that would buy the target at the price a small trade gets; null where there is no path at all. */
function inputAtStart(graph: Subgraph, target: number, pace: Pace): number | null {
  const probe = findSinglePaths(graph, { ...SELL_WALK, carry: (edge, amount) => amount * edge.startPrice }, 1, BY_AMOUNT, pace).paths[0];
  return probe === undefined ? null : target / probe.amount;
}
