import { LIMITS } from '../../config/limits.ts';
import { isTolled, type Tolls } from '../gas/tolls.ts';
import { lowerArtificialRate } from './artificial-edge.ts';
import { type Column, carrierOf } from './column.ts';
import { type Equilibrium, equilibrate } from './equilibrate.ts';
import { CLOSED, findColumns } from './find-columns.ts';
import { tradeWorth } from './flow-state.ts';
import { anyWouldGain, type Judged, judgeColumns } from './judge-columns.ts';
import { Merger } from './merge-column.ts';
import { BUY, connected, copyNetwork, type FlowEdge, type FlowNetwork, identityOf, isReal, nodeOrder, orderEdges, restoreNetwork, thinOut } from './network.ts';
import { reducedGain } from './star-sides.ts';
import { Tabu } from './tabu.ts';

/** How far column generation came. */
export type Growth = {
  readonly equilibrium: Equilibrium;
  readonly columns: number;
  readonly rounds: number;
  readonly stopped: 'converged' | 'deadline' | 'limit';
};

/**
 * Column generation: at the current prices, find the columns that pay more than those prices, let the promising ones join, bring the network back to rest, let go what carries nothing; until nothing is worth
 * joining. `network` is changed in place, and at rest where it ends.
 */
export function growNetwork(network: FlowNetwork, tolls: Tolls): Growth {
  const { pace } = network.problem;
  const tabu = new Tabu();
  let equilibrium = settle(network);
  let columns = 0;
  let lowered = 0;
  const mostAtOnce = isTolled(tolls) ? LIMITS.routing.tolledPerRound : LIMITS.routing.columnsPerRound;
  let mostJoined: number = mostAtOnce;
  let mostPairs: number = LIMITS.routing.pairsReadFirst;
  let looksLeft = LIMITS.routing.secondLooks;
  let barred = CLOSED;
  /** Prices are not those of the last look. */
  let moved = true;
  let round = 0;
  const grown = (stopped: Growth['stopped']): Growth => ({ equilibrium, columns, rounds: round, stopped });
  for (; round < LIMITS.routing.columnRounds; round++) {
    const halt = pace.halted();
    if (halt !== null) return grown(halt === 'effort' ? 'limit' : 'deadline');
    if (round === LIMITS.routing.firstRounds) mostPairs = LIMITS.routing.pairsRead;
    const found = findColumns(network, tolls, tabu, { mostPairs, barred, besides: moved });
    moved = false;
    const { worthy, hides } = judgeColumns(network, tolls, found, tabu);
    if (worthy.length === 0 && hides) continue;
    const before = copyNetwork(network);
    const joined = joinColumns(network, worthy, mostJoined);
    if (joined.length > 0) {
      moved = true;
      const after = settle(network);
      if (!after.atRest && equilibrium.atRest) {
        // Too much at once, or numbers too wild to balance, such as a pool that gives a fortune for nothing: fewer of them, and in the end without the one that came last.
        if (joined.length === 1) for (const hop of joined[0]?.hops ?? []) tabu.ban(carrierOf(hop));
        mostJoined = Math.max(1, Math.floor(joined.length / 3));
        restoreNetwork(network, before);
        continue;
      }
      columns += joined.length;
      mostJoined = mostAtOnce;
      barred = CLOSED;
      const last = equilibrium;
      equilibrium = after;
      if (!keepBest(network, LIMITS.routing.networkEdges, tabu)) continue;
      equilibrium = settle(network);
      // As large as a route may be: go on only while better edges take the place of worse ones.
      const gain = gainOf(network, last, equilibrium);
      if (gain < 0) {
        restoreNetwork(network, before);
        equilibrium = last;
      }
      if (gain >= WORTH_EXCHANGING) continue;
      if (mostPairs === LIMITS.routing.pairsRead) return grown('limit');
      mostPairs = LIMITS.routing.pairsRead;
    } else if (!hides) {
      if (lowerArtificialRate(network, lowered++)) {
        moved = true;
        const lower = settle(network);
        if (lower.atRest) {
          equilibrium = lower;
          continue;
        }
        // Worth so little that numbers do not tell: what it would still bring is no more.
        restoreNetwork(network, before);
        lowered = Infinity;
      }
      if (found.cut && mostPairs < LIMITS.routing.pairsRead) mostPairs = LIMITS.routing.pairsRead;
      else if (found.barred.size > barred.size) barred = found.barred;
      else if (looksLeft-- > 0 && isWorthALook(network, tolls, tabu)) {
        tabu.clear();
        moved = true;
      } else return grown('converged');
    }
  }
  return grown('limit');
}

/** Prices moved since edges were set aside as too shallow. Of few edges with tolls what joins late is decided with what leaves. */
function isWorthALook(network: FlowNetwork, tolls: Tolls, tabu: Tabu): boolean {
  return !(isTolled(tolls) && network.edges.length <= LIMITS.routing.exchangedEdges) && anyWouldGain(network, tolls, tabu);
}

/** What the second equilibrium gives more than the first, relatively. */
function gainOf({ problem }: FlowNetwork, first: Equilibrium, second: Equilibrium): number {
  return (problem.mode === 'sell' ? second.amount / first.amount : first.amount / second.amount) - 1;
}

/** Brings the network to rest and lets edges at zero leave. */
export function settle(network: FlowNetwork): Equilibrium {
  orderEdges(network);
  const equilibrium = equilibrate(network);
  dropIdle(network);
  return equilibrium;
}

/** Takes out the edges that carry nothing. */
function dropIdle(network: FlowNetwork): void {
  const least = NOTHING * tradeWorth(network);
  const prices = Float64Array.from(network.logPrice, Math.exp);
  const small = (edge: FlowEdge) =>
    isReal(edge) && edge.flow.input * (prices[edge.from] as number) <= least && edge.flow.output * (prices[edge.to] as number) <= least;
  if (!network.edges.some(small)) return;
  // Where a margin is worth next to nothing, what comes in may not tell, or what goes out; then what is made of it does.
  const worth = averageWorth(network);
  const kept = connected(network.edges.filter((edge) => !small(edge) || edge.flow.output * (worth[edge.to] as number) > least));
  if (kept.length > 0) network.edges = kept;
}

/** By node: what a unit of it brings on average, as it flows. */
function averageWorth({ nodes, edges, logPrice }: FlowNetwork): Float64Array {
  const worth = new Float64Array(nodes.length);
  worth[BUY] = Math.exp(logPrice[BUY] as number);
  const order = nodeOrder(nodes, edges);
  for (const node of order?.order.toReversed() ?? []) {
    if (node === BUY) continue;
    let [units, value] = [0, 0];
    for (const { to, flow, carrier } of order?.leaving[node] ?? []) {
      if (carrier.kind === 'artificial') continue;
      units += flow.input;
      value += flow.output * (worth[to] as number);
    }
    if (units > 0) worth[node] = value / units;
  }
  return worth;
}

/** Share of the trade below which an edge carries nothing. */
const NOTHING = 1e-7;
/** A round that exchanges edges has to gain this share of the trade: a tenth of a basis point. */
const WORTH_EXCHANGING = 1e-5;

/** Lets the best of some columns join, each with what it takes in; returns those that fit in. */
function joinColumns(network: FlowNetwork, worthy: readonly Judged[], most: number): readonly Column[] {
  const joined: Column[] = [];
  if (worthy.length === 0) return joined;
  const merger = new Merger(network);
  for (const { column, input } of worthy) {
    if (joined.length >= most) break;
    if (merger.merge(column, input)) joined.push(column);
  }
  return joined;
}

/** Takes out the edges that earn least beyond so many, and sets them aside at these prices; says whether there were any. The network is then no longer at rest. */
function keepBest(network: FlowNetwork, most: number, tabu: Tabu): boolean {
  const { edges, logPrice } = network;
  const real = edges.filter(isReal);
  if (real.length <= most) return false;
  const ranked = real.map((edge) => ({ edge, earned: reducedGain(network, edge) }));
  ranked.sort((a, b) => b.earned - a.earned);
  const staying = new Set(ranked.slice(0, most).map(({ edge }) => edge));
  thinOut(network, (edge) => staying.has(edge));
  const kept = new Set(network.edges);
  for (const edge of edges) {
    const identity = identityOf(edge);
    if (identity !== null && !kept.has(edge)) tabu.add(identity, Math.exp((logPrice[edge.to] as number) - (logPrice[edge.from] as number)));
  }
  return true;
}
