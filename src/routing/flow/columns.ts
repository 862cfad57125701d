import { LIMITS } from '../../config/limits.ts';
import { columnToll, type Tolls } from '../gas/tolls.ts';
import { lowerArtificialRate } from './artificial-edge.ts';
import { type Column, carrierOf } from './column.ts';
import { columnGain, costAt, edgeGain, shallowestHop, valueAfter } from './column-gain.ts';
import { type FoundColumns, findColumns } from './column-search.ts';
import { type Equilibrium, equilibrate } from './equilibrate.ts';
import { tradeWorth } from './flow-state.ts';
import { Merger } from './merge-column.ts';
import {
  BUY,
  connected,
  copyNetwork,
  type FlowEdge,
  type FlowNetwork,
  identityOf,
  nodeOrder,
  orderEdges,
  outflows,
  reducedGain,
  restoreNetwork,
  SELL,
} from './network.ts';
import { SetAside } from './set-aside.ts';
import { shiftSharedCurves } from './shared-pools.ts';
import { type Promising, strengthen } from './strengthen.ts';

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
export function growNetwork(network: FlowNetwork, tolls: Tolls, mostRounds: number = LIMITS.routing.columnRounds): Growth {
  const { pace } = network.problem;
  const setAside = new SetAside();
  let equilibrium = settle(network);
  let columns = 0;
  let lowered = 0;
  let mostJoined: number = LIMITS.routing.columnsPerRound;
  const isTolled = tolls.perGas > 0 || tolls.perHop > 0;
  let mostPairs: number = LIMITS.routing.pairsReadFirst;
  let looksLeft = LIMITS.routing.secondLooks;
  let round = 0;
  for (; round < mostRounds; round++) {
    const halt = pace.halted();
    if (round === LIMITS.routing.firstRounds) mostPairs = LIMITS.routing.pairsRead;
    if (halt !== null) return { equilibrium, columns, rounds: round, stopped: halt === 'effort' ? 'limit' : 'deadline' };
    const before = copyNetwork(network);
    const found = findColumns(network, tolls, setAside, mostPairs);
    pace.spend(found.work);
    const { joined, refused } = join(network, tolls, found, setAside, mostJoined);
    if (joined.length > 0) {
      const after = settle(network);
      pace.spend(after.work);
      if (after.atRest || !equilibrium.atRest) {
        columns += joined.length;
        mostJoined = LIMITS.routing.columnsPerRound;
        const last = equilibrium;
        equilibrium = after;
        if (keepBest(network, LIMITS.routing.networkEdges, setAside)) {
          equilibrium = settle(network);
          pace.spend(equilibrium.work);
          // As large as a route may be: go on only while better edges take the place of worse ones.
          const gain = gainOf(network, last, equilibrium);
          if (gain < 0) {
            restoreNetwork(network, before);
            equilibrium = last;
          }
          if (gain < WORTH_EXCHANGING) {
            if (mostPairs === LIMITS.routing.pairsRead) return { equilibrium, columns, rounds: round, stopped: 'limit' };
            mostPairs = LIMITS.routing.pairsRead;
          }
        }
      } else {
        // Too much at once, or numbers too wild to balance, such as a pool that gives a fortune for nothing: fewer of them, and in the end without the one that came last.
        if (joined.length === 1) for (const hop of joined[0]?.hops ?? []) setAside.ban(carrierOf(hop));
        mostJoined = Math.max(1, Math.floor(joined.length / 3));
        restoreNetwork(network, before);
      }
    } else if (refused === 0) {
      if (lowerArtificialRate(network, lowered++)) {
        const lower = settle(network);
        pace.spend(lower.work);
        if (lower.atRest) {
          equilibrium = lower;
          continue;
        }
        // Worth so little that numbers do not tell: what it would still bring is no more.
        restoreNetwork(network, before);
        lowered = Infinity;
      }
      if (mostPairs < LIMITS.routing.pairsRead && found.cut) {
        mostPairs = LIMITS.routing.pairsRead;
        continue;
      }
      // Prices moved since an edge was set aside as too shallow: look once more before calling it converged. Of few edges with tolls what joins late is decided with what leaves.
      if (
        setAside.isEmpty() ||
        looksLeft-- <= 0 ||
        !anyWouldJoin(network, tolls, setAside) ||
        (isTolled && network.edges.length <= LIMITS.routing.exchangedEdges)
      )
        return { equilibrium, columns, rounds: round, stopped: 'converged' };
      setAside.clear();
    }
  }
  return { equilibrium, columns, rounds: round, stopped: 'limit' };
}

/** What the second equilibrium gives more than the first, relatively. */
function gainOf({ problem }: FlowNetwork, first: Equilibrium, second: Equilibrium): number {
  return (problem.mode === 'sell' ? second.amount / first.amount : first.amount / second.amount) - 1;
}

/** Brings the network to rest and lets edges at zero leave. */
export function settle(network: FlowNetwork): Equilibrium {
  orderEdges(network);
  let equilibrium = equilibrate(network);
  for (let round = 0; round < LIMITS.routing.sharedRounds && shiftSharedCurves(network); round++) {
    const { work } = equilibrium;
    equilibrium = equilibrate(network);
    equilibrium = { ...equilibrium, work: equilibrium.work + work };
  }
  const least = NOTHING * tradeWorth(network);
  const worth = averageWorth(network);
  // Where a margin is worth next to nothing, what comes in may not tell, or what goes out; then what is made of it does.
  const carried = ({ from, to, flow }: FlowEdge) =>
    Math.max(flow.input * Math.exp(network.logPrice[from] as number), flow.output * Math.max(Math.exp(network.logPrice[to] as number), worth[to] as number));
  const kept = connected(network.edges.filter((edge) => edge.carrier.kind === 'artificial' || carried(edge) > least));
  if (kept.length > 0) network.edges = kept;
  return equilibrium;
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
/** A column joins only if it may gain this share of the trade: a 500th of a basis point. */
const WORTH_JOINING = 2e-7;
/** A round that exchanges edges has to gain this share of the trade: a tenth of a basis point. */
const WORTH_EXCHANGING = 1e-5;

type Judged = { readonly column: Column; readonly least: number; readonly gain: number; readonly input: number };

function join(network: FlowNetwork, tolls: Tolls, found: FoundColumns, setAside: SetAside, most: number): Joined {
  const whole = tradeWorth(network);
  const joined: Column[] = [];
  const merger = new Merger(network);
  let refused = 0;
  const totals = outflows(network.nodes, network.edges);
  const promising: Promising[] = [];
  for (const column of found.columns) {
    const least = WORTH_JOINING * whole + columnToll(column, tolls);
    const stronger = strengthen(column, least, found.isOpen, setAside);
    if (stronger === null) refused++;
    else promising.push(stronger);
  }
  const judged = promising
    .sort((a, b) => b.bound - a.bound)
    .slice(0, LIMITS.routing.columnsJudged)
    .map(({ column, least }): Judged => {
      const { gain, input } = columnGain(column, mostInto(network, column, whole));
      return { column, least, gain, input };
    })
    .sort((a, b) => b.gain / b.column.hops.length - a.gain / a.column.hops.length);
  for (const { column, least, gain, input } of judged) {
    const share = input / (totals[column.start] || input);
    if (gain <= least || share < LEAST_SHARE) {
      // Only the hop that holds it back: the others may serve a better column.
      setAside.refuse(carrierOf(shallowestHop(column, input)), column, -1);
      refused++;
    } else if (joined.length < most && merger.merge(column, Math.min(input, START_SHARE * mostInto(network, column, whole)))) joined.push(column);
  }
  return { joined, refused };
}

/** Whether one of the columns that were too shallow would not be at the prices of now. */
function anyWouldJoin(network: FlowNetwork, tolls: Tolls, setAside: SetAside): boolean {
  const whole = tradeWorth(network);
  const prices = Float64Array.from(network.logPrice, Math.exp);
  return setAside.refusals.some(({ edge, column: known, index }) => {
    const column: Column = {
      hops: known.hops,
      start: known.start,
      end: known.end,
      priceFrom: prices[known.start] as number,
      priceTo: prices[known.end] as number,
    };
    const least = WORTH_JOINING * whole + columnToll(column, tolls);
    const gain = index < 0 ? columnGain(column, mostInto(network, column, whole)).gain : edgeGain(edge.curve, costAt(column, index), valueAfter(column, index));
    return gain > least;
  });
}

/** What a column can take in at most. */
function mostInto({ problem }: FlowNetwork, column: Column, whole: number): number {
  const most = whole / column.priceFrom;
  return problem.mode === 'sell' && column.start === SELL ? Math.min(most, Number(problem.fixed)) : most;
}

/** Columns that joined, and how many are too shallow to. */
type Joined = { readonly joined: readonly Column[]; readonly refused: number };

/** Takes out the edges that earn least beyond so many, and sets them aside at these prices; says whether there were any. The network is then no longer at rest. */
function keepBest(network: FlowNetwork, most: number, setAside: SetAside): boolean {
  const { edges, logPrice } = network;
  const real = edges.filter(({ carrier }) => carrier.kind !== 'artificial');
  if (real.length <= most) return false;
  const ranked = real.map((edge) => ({ edge, earned: reducedGain(network, edge) }));
  ranked.sort((a, b) => b.earned - a.earned);
  const staying = new Set(ranked.slice(0, most).map(({ edge }) => edge));
  network.edges = connected(edges.filter((edge) => edge.carrier.kind === 'artificial' || staying.has(edge)));
  const kept = new Set(network.edges);
  for (const edge of edges) {
    const identity = identityOf(edge);
    if (identity !== null && !kept.has(edge)) setAside.add(identity, Math.exp((logPrice[edge.to] as number) - (logPrice[edge.from] as number)));
  }
  return true;
}

/** A share of a token below half a basis point rounds to nothing. */
export const LEAST_SHARE = 0.5e-4;

/** Share of the trade with which a column starts at most. */
const START_SHARE = 0.1;
