import { LIMITS } from '../config/limits.ts';
import { type ColumnGain, columnGain, setAsideShallow, shallowestHop } from './column-gain.ts';
import { BALANCED, type Equilibrium, equilibrate } from './equilibrate.ts';
import { type Demand, tradeWorth } from './flow-state.ts';
import { mergeColumn } from './merge-column.ts';
import { connected, copyNetwork, type Network, type NetworkEdge, outflows, restoreNetwork } from './network.ts';
import type { Pace } from './pace.ts';
import type { EdgeModel } from './pool-models.ts';
import { type Column, type ColumnHop, findColumns } from './profitable-columns.ts';
import { SetAside } from './set-aside.ts';
import { SELL } from './subgraph.ts';
import { hopToll, type Tolls } from './tolls.ts';
import { trimNetwork } from './trim.ts';

/** How far column generation came. */
export type Growth = {
  readonly equilibrium: Equilibrium;
  readonly columns: number;
  readonly rounds: number;
  readonly stopped: 'converged' | 'deadline' | 'limit';
};

/**
 * Column generation: at the current prices, find edge sequences between active tokens that pay more than those prices, let the promising ones join, bring
 * the network back to rest, drop what carries nothing; until nothing is worth joining. `network` is changed in place. More edges never give less: where a round did, since it did not come to rest,
 * the network is grown once more without such rounds, and the better of the two counts.
 */
export function growNetwork(network: Network, demand: Demand, tolls: Tolls, pace: Pace): Growth {
  const start = copyNetwork(network, network.edges);
  const { growth, fell } = grow(network, demand, tolls, pace, false);
  if (!fell || pace.halted() !== null) return growth;
  const steady = grow(start, demand, tolls, pace, true).growth;
  if (!(steady.equilibrium.imbalance < BALANCED && gainOf(demand, growth.equilibrium, steady.equilibrium) > 0)) return growth;
  restoreNetwork(network, start);
  return steady;
}

/** What the second equilibrium gives more than the first, relatively. */
function gainOf({ mode }: Demand, first: Equilibrium, second: Equilibrium): number {
  return (mode === 'sell' ? second.amount / first.amount : first.amount / second.amount) - 1;
}

/** A loss of this share of the trade is none of rounding. */
const FALL = 1e-4;

/** `steady`: does without rounds that give less. `fell`: there were such rounds. */
function grow(network: Network, demand: Demand, tolls: Tolls, pace: Pace, steady: boolean): { readonly growth: Growth; readonly fell: boolean } {
  let fell = false;
  const ended = (rounds: number, stopped: Growth['stopped']) => ({ growth: { equilibrium, columns, rounds, stopped }, fell });
  const setAside = new SetAside();
  let equilibrium = settle(network, demand);
  let columns = 0;
  let secondLooks = 0;
  for (let round = 0; round < LIMITS.routing.columnRounds; round++) {
    if (pace.halted() !== null) return ended(round, pace.halted() === 'effort' ? 'limit' : 'deadline');
    pace.spend(network.graph.pairs.length);
    const before = copyNetwork(network, network.edges);
    const { joined, refused } = join(network, demand, tolls, findColumns(network, setAside), setAside);
    if (joined.length > 0) {
      const after = settle(network, demand);
      pace.spend(after.work);
      const balanced = equilibrium.imbalance < BALANCED;
      const falls = balanced && after.imbalance < BALANCED && gainOf(demand, equilibrium, after) < -FALL;
      fell ||= falls;
      if (!balanced || (after.imbalance < BALANCED && !(falls && steady))) {
        columns += joined.length;
        const last = equilibrium;
        equilibrium = after;
        const gone = trimNetwork(network, LIMITS.routing.networkEdges);
        if (gone.length > 0) {
          for (const { model, from, to } of gone) if (model !== null) setAside.add(model, ratioOf(network, from, to));
          equilibrium = settle(network, demand);
          pace.spend(equilibrium.work);
          // As large as a route may be: go on only while better edges take the place of worse ones.
          if (gainOf(demand, last, equilibrium) < WORTH_EXCHANGING) return ended(round, 'limit');
        }
      } else {
        // Numbers too wild to balance, such as a pool that gives a fortune for nothing: do without what came last.
        for (const edge of joined) setAside.add(edge, Infinity);
        restoreNetwork(network, before);
      }
    } else if (refused === 0) {
      // Prices moved since an edge was set aside as too shallow: look once more before calling it converged.
      if (setAside.isEmpty() || secondLooks >= LIMITS.routing.secondLooks) return ended(round, 'converged');
      secondLooks++;
      setAside.clear();
    }
  }
  return ended(LIMITS.routing.columnRounds, 'limit');
}

/** Brings the network to rest and lets edges at zero leave. */
export function settle(network: Network, demand: Demand): Equilibrium {
  const equilibrium = equilibrate(network, demand);
  const whole = tradeWorth(network, demand);
  // Where a margin is worth next to nothing, an edge may carry much of it: either side tells. A stand-in counts by what it gives.
  const worth = ({ from, to, flow, model }: NetworkEdge) => {
    const [given, got] = [flow.input * Math.exp(network.logPrice[from] as number), flow.output * Math.exp(network.logPrice[to] as number)];
    return model === null ? Math.min(given, got) : Math.max(given, got);
  };
  const carrying = network.edges.filter((edge) => worth(edge) > NOTHING * whole);
  const kept = connected(carrying);
  if (kept.length > 0) network.edges.splice(0, network.edges.length, ...kept);
  return equilibrium;
}

/** Share of the trade below which an edge carries nothing. */
const NOTHING = 1e-7;
/** A column joins only if it may gain this share of the trade: a 500th of a basis point. */
const WORTH_JOINING = 2e-7;

/** A round that exchanges edges has to gain this share of the trade: a tenth of a basis point. */
const WORTH_EXCHANGING = 1e-5;

function join(network: Network, demand: Demand, tolls: Tolls, found: readonly Column[], setAside: SetAside): Joined {
  const whole = tradeWorth(network, demand);
  const joined: EdgeModel[] = [];
  let refused = 0;
  const totals = outflows(network.edges);
  const usedPools = new Set(network.edges.map(({ model }) => model?.pool));
  const judged: (ColumnGain & { readonly column: Column; readonly least: number })[] = [];
  for (const column of found) {
    const least = WORTH_JOINING * whole + column.hops.reduce((sum, hop) => sum + hopToll(tolls, hop.edge.curve, 0), 0);
    if (setAsideShallow(column, least, setAside)) refused++;
    else judged.push({ column, least, ...columnGain(column, mostInto(column, whole, demand)) });
  }
  judged.sort((a, b) => b.gain - a.gain);
  for (const { column, least, gain, input } of judged) {
    const first = column.hops[0] as ColumnHop;
    if (gain <= least || input < LEAST_SHARE * (totals.get(first.from) ?? 0)) {
      // Only the hop that holds it back: the others may serve a better column.
      const { edge, from, to } = shallowestHop(column, input);
      setAside.add(edge, column.hops.length === 1 ? ratioOf(network, from, to) : Infinity);
      refused++;
    } else if (
      joined.length < LIMITS.routing.columnsPerRound &&
      mergeColumn(network, usedPools, column, demand, Math.min(input, START_SHARE * mostInto(column, whole, demand)))
    ) {
      joined.push(...column.hops.map((hop) => hop.edge));
    }
  }
  return { joined, refused };
}

function ratioOf({ logPrice }: Network, from: number, to: number): number {
  return Math.exp((logPrice[to] as number) - (logPrice[from] as number));
}

/** What a column can take in at most. */
function mostInto(column: Column, whole: number, demand: Demand): number {
  const most = whole / column.priceFrom;
  return demand.mode === 'sell' && column.hops[0]?.from === SELL ? Math.min(most, demand.amount) : most;
}

/** Edges that joined, and columns that are too shallow to. */
type Joined = { readonly joined: readonly EdgeModel[]; readonly refused: number };

/** A share of a token below half a basis point rounds to nothing. */
export const LEAST_SHARE = 0.5e-4;

/** Share of the trade with which a column starts at most. */
const START_SHARE = 0.1;
