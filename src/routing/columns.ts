import { LIMITS } from '../config/limits.ts';
import { curveFlowAt } from './curves/curves.ts';
import { emptyFlow } from './curves/flow.ts';
import { type Demand, type Equilibrium, equilibrate } from './equilibrate.ts';
import { addEdge, connected, type Network, type NetworkEdge, networkEdge, tokenOrder } from './network.ts';
import type { Pace } from './pace.ts';
import type { EdgeModel } from './pool-models.ts';
import { type Column, type ColumnHop, findColumns } from './profitable-columns.ts';
import { BUY, SELL } from './subgraph.ts';
import { hopToll, type Tolls } from './tolls.ts';

/** How far column generation came. */
export type Growth = {
  readonly equilibrium: Equilibrium;
  readonly columns: number;
  readonly rounds: number;
  readonly stopped: 'converged' | 'deadline' | 'limit';
};

/**
 * Column generation: at the current prices, find edge sequences between active tokens that pay more than those prices, let the promising ones join, bring
 * the network back to rest, drop what carries nothing; until nothing is worth joining. `network` is changed in place.
 */
export function growNetwork(network: Network, demand: Demand, tolls: Tolls, pace: Pace): Growth {
  const setAside = new Set<EdgeModel>();
  let equilibrium = settle(network, demand);
  let columns = 0;
  let secondLooks = 0;
  for (let round = 0; round < LIMITS.routing.columnRounds; round++) {
    if (pace.halted() !== null) return { equilibrium, columns, rounds: round, stopped: 'deadline' };
    const found = findColumns(network, setAside);
    const { joined, refused } = join(network, demand, tolls, found, setAside);
    columns += joined;
    if (joined > 0) equilibrium = settle(network, demand);
    else if (refused === 0) {
      // Prices moved since an edge was set aside as too shallow: look once more before calling it converged.
      if (setAside.size === 0 || secondLooks >= LIMITS.routing.secondLooks) return { equilibrium, columns, rounds: round, stopped: 'converged' };
      secondLooks++;
      setAside.clear();
    }
  }
  return { equilibrium, columns, rounds: LIMITS.routing.columnRounds, stopped: 'limit' };
}

/** Brings the network to rest and lets edges at zero leave. */
export function settle(network: Network, demand: Demand): Equilibrium {
  const equilibrium = equilibrate(network, demand);
  const whole = tradeWorth(network, demand);
  const carrying = network.edges.filter((edge) => edge.flow.input * Math.exp(network.logPrice[edge.from] as number) > NOTHING * whole);
  const kept = connected(carrying);
  if (kept.length > 0) network.edges.splice(0, network.edges.length, ...kept);
  return equilibrium;
}

/** Worth of the whole trade at the network's prices, in base units of the measuring token. */
export function tradeWorth(network: Network, demand: Demand): number {
  return demand.amount * Math.exp(network.logPrice[demand.mode === 'sell' ? SELL : BUY] as number);
}

/** Share of the trade below which an edge carries nothing. */
const NOTHING = 1e-7;
/** A column joins only if it may gain this share of the trade: 0.001 basis points. */
const WORTH_JOINING = 1e-7;

function join(network: Network, demand: Demand, tolls: Tolls, found: readonly Column[], setAside: Set<EdgeModel>): { joined: number; refused: number } {
  const least = WORTH_JOINING * tradeWorth(network, demand);
  let joined = 0;
  let refused = 0;
  const judged = found.map((column) => ({ column, gain: mostGain(column) })).sort((a, b) => b.gain.least - a.gain.least);
  for (const { column, gain } of judged) {
    const cost = column.hops.reduce((sum, hop) => sum + hopToll(tolls, hop.edge.curve, 0), 0);
    if (gain.least <= least + cost) {
      setAside.add(gain.weakest);
      refused++;
    } else if (joined < LIMITS.routing.columnsPerRound && merge(network, column)) joined++;
  }
  return { joined, refused };
}

/**
 * The most that a column can add, in worth: by duality, the surplus of one of its edges when the prices between leave none to the others bounds the gain,
 * for each edge. It is what tells a deep pool at a good price from dust at a splendid one.
 */
function mostGain(column: Column): { readonly least: number; readonly weakest: EdgeModel } {
  const first = column.hops[0] as ColumnHop;
  let least = Infinity;
  let weakest = first.edge;
  let tail = column.priceFrom;
  let head = column.hops.reduce((price, hop) => price * hop.edge.startPrice, column.priceTo);
  for (const hop of column.hops) {
    head /= hop.edge.startPrice;
    curveFlowAt(hop.edge.curve, tail / head, scratch);
    const surplus = scratch.output * head - scratch.input * tail;
    if (surplus < least) {
      least = surplus;
      weakest = hop.edge;
    }
    tail /= hop.edge.startPrice;
  }
  return { least, weakest };
}

const scratch = emptyFlow();

/** Adds a column when the network stays acyclic and within its depth, and no pool serves twice. */
function merge(network: Network, column: Column): boolean {
  const added: NetworkEdge[] = [];
  for (const hop of column.hops) {
    if (network.edges.some((edge) => edge.model?.pool === hop.edge.pool)) return false;
    if (added.some((edge) => edge.model?.pool === hop.edge.pool)) return false;
    added.push(networkEdge(hop.from, hop.to, hop.edge));
  }
  if (network.edges.length + added.length > LIMITS.routing.networkEdges) return false;
  const order = tokenOrder(network.graph, [...network.edges, ...added]);
  if (order === null || (order.depth.get(BUY) ?? 0) > network.graph.maxHops) return false;
  let fromTail = Math.log(column.priceFrom);
  let fromHead = column.hops.reduce((price, hop) => price + Math.log(hop.edge.startPrice), Math.log(column.priceTo));
  for (const hop of column.hops.slice(0, -1)) {
    fromTail -= Math.log(hop.edge.startPrice);
    fromHead -= Math.log(hop.edge.startPrice);
    // A token that two columns of this round share keeps the price that the first gave it.
    if (!network.edges.some((edge) => edge.to === hop.to)) network.logPrice[hop.to] = (fromTail + fromHead) / 2;
  }
  for (const edge of added) addEdge(network, edge);
  return true;
}
