import { LIMITS } from '../../config/limits.ts';
import { createFlowState, type FlowState, measure, type Start, soughtAmount, writeBack } from './flow-state.ts';
import type { FlowNetwork } from './network.ts';
import { addBeside, addToSystem, clearSystem, solveSystem } from './price-system.ts';

/** Where flows and prices came to rest. */
export type Equilibrium = {
  /** sell: what reaches the buy token. buy: what leaves the sell token. Base units. */
  readonly amount: number;
  /** Largest imbalance of a token, in worth, relative to the whole trade. */
  readonly imbalance: number;
  /** Whether flows and prices met all conditions. Flows that balance are a trade all the same, but prices then say nothing. */
  readonly atRest: boolean;
};

/**
 * Finds the flows and token prices at which every token's inflow equals its outflow, every edge that carries flow has the marginal price that its ends
 * imply, and no idle edge has a better one. Newton on these conditions, with flows kept inside their bounds by a barrier that is lowered from step to step:
 * eliminating the flows leaves a small positive definite system in the token prices, that of a resistor network in which a strand resists by its curvature
 * and by its nearness to a bound. Working with flows beside prices is what keeps pools that are deep against the trade harmless: they are almost
 * straight lines here, whereas from prices alone a hair decides between nothing and everything. The flows mostly start near where they come to rest. Where they do not, as when a pool that was
 * drained gets company, the steps get stuck: then it starts again in the way that comes from far.
 */
export function equilibrate(network: FlowNetwork): Equilibrium {
  const near = comeToRest(network, 'near');
  return finish(near.atRest ? near : better(near, comeToRest(network, 'far')));
}

/** A network that can not carry the trade does not balance. Shares are taken relative to each token's outflow, so a small imbalance does no harm. */
export const BALANCED = 1e-3;

type Ending = { readonly state: FlowState; readonly atRest: boolean };

function comeToRest(network: FlowNetwork, start: Start): Ending {
  const state = createFlowState(network, start);
  let barrier = measure(state);
  let steps = 0;
  for (; steps < LIMITS.routing.newtonSteps && !isAtRest(state); steps++) {
    const length = step(state, barrier);
    if (length === null) break;
    // The better the last step went, the faster the barrier comes down: at best as fast as a step may shrink a flow.
    barrier = state.gap * (length > 0.9 ? 1 - STAY_INSIDE : length > 0.5 ? 0.1 : 0.6);
  }
  network.problem.pace.spend(state.reads + (steps * state.system.size ** 3) / CUBES_AN_EDGE);
  return { state, atRest: isAtRest(state) };
}

function isAtRest({ imbalance, gap, slack }: FlowState): boolean {
  return imbalance < CLOSED && gap < CLOSED && slack < CLOSED;
}

/** Flows that balance are a trade, and of two trades the better counts, be they at rest or not. */
function better(near: Ending, far: Ending): Ending {
  if (far.atRest) return far;
  const [off, farOff] = [near.state.imbalance, far.state.imbalance];
  if (!(off < BALANCED && farOff < BALANCED)) return farOff < off || Number.isNaN(off) ? far : near;
  const [amount, farAmount] = [soughtAmount(near.state), soughtAmount(far.state)];
  return (near.state.network.problem.mode === 'sell' ? farAmount > amount : farAmount < amount) ? far : near;
}

function finish({ state, atRest }: Ending): Equilibrium {
  writeBack(state);
  return { amount: soughtAmount(state), imbalance: state.imbalance, atRest };
}

/** Solving a system of so many tokens, cubed, takes about as long as looking at an edge. */
const CUBES_AN_EDGE = 2000;

/** Imbalance, slack and gap at rest, relative to the trade. */
const CLOSED = 1e-9;
/** Share of the way to a bound that a step may go. */
const STAY_INSIDE = 0.999;

/** One Newton step towards the conditions with this barrier; returns how much of it was gone, or null when there is none. Leaves the state measured. */
function step(state: FlowState, barrier: number): number | null {
  const { system, price, surplus } = state;
  clearSystem(system);
  pullAndResist(state, barrier);
  for (let row = 0; row < system.size; row++) system.right[row] = (system.right[row] as number) - (surplus[row] as number);
  if (!solveSystem(system)) return null;
  const [length, strandsDual] = changesOf(state, barrier);
  let dualLength = strandsDual;
  for (let row = 0; row < system.size; row++) dualLength = Math.min(dualLength, fitting(system.solution[row] as number, price[row] as number));
  return goBy(state, length, dualLength);
}

/** What each strand adds to the system. */
function pullAndResist({ system, strands, price }: FlowState, barrier: number): void {
  const { count, from, to, beside, besideIn, besideOut, weight, flow, room, low, high, marginal, bend, pull, resistance } = strands;
  for (let at = 0; at < count; at++) {
    const source = from[at] as number;
    const target = to[at] as number;
    const flows = flow[at] as number;
    const left = room[at] as number;
    const held = barrier * (weight[at] as number);
    const paid = marginal[at] as number;
    const [moved, drawn] = [besideIn[at] as number, besideOut[at] as number];
    let worth = price[target] as number;
    let more = worth * paid - (price[source] as number) + held / flows;
    if (moved !== 0 || drawn !== 0) {
      const unseen = price[beside[at] as number] as number;
      more += (moved + drawn * paid) * unseen;
      // Far from rest what is drawn beside may be worth more than what comes out.
      worth = Math.max(LEAST_WORTH * worth, worth + drawn * unseen);
    }
    let less = worth * (bend[at] as number) + (low[at] as number) / flows;
    if (left !== Infinity) {
      more -= held / left;
      less += (high[at] as number) / left;
    }
    pull[at] = more;
    resistance[at] = less;
    addToSystem(system, source, target, paid, 1 / less, more);
    if (moved !== 0 || drawn !== 0) addBeside(system, source, target, beside[at] as number, paid, moved + drawn * paid, 1 / less, more);
  }
}

/** How each strand changes in the step, and how far along it they may all go: flows, and prices forgone, which change so that times the room left they become the barrier. */
function changesOf({ system: { solution }, strands }: FlowState, barrier: number): readonly [number, number] {
  const { count, from, to, beside, besideIn, besideOut, weight, flow, room, low, high, marginal, pull, resistance, change, lowChange, highChange } = strands;
  let [length, dualLength] = [1, 1];
  for (let at = 0; at < count; at++) {
    const flows = flow[at] as number;
    const left = room[at] as number;
    const held = barrier * (weight[at] as number);
    const lower = low[at] as number;
    const higher = high[at] as number;
    const paid = marginal[at] as number;
    const unseen = (besideIn[at] as number) + (besideOut[at] as number) * paid;
    const gain = paid * (solution[to[at] as number] as number) - (solution[from[at] as number] as number) + unseen * (solution[beside[at] as number] as number);
    const more = (gain + (pull[at] as number)) / (resistance[at] as number);
    const lowMore = held / flows - lower - (lower / flows) * more;
    change[at] = more;
    lowChange[at] = lowMore;
    length = Math.min(length, fitting(more, flows));
    dualLength = Math.min(dualLength, fitting(lowMore, lower));
    if (left === Infinity) {
      highChange[at] = 0;
      continue;
    }
    const highMore = held / left - higher + (higher / left) * more;
    highChange[at] = highMore;
    length = Math.min(length, fitting(-more, left));
    dualLength = Math.min(dualLength, fitting(highMore, higher));
  }
  return [length, dualLength];
}

/**
 * Goes along the step, less far where going all the way would leave the conditions further from met: curves that bend sharply, such as those of pools about
 * to run out, are no straight lines over a long step.
 */
function goBy(state: FlowState, length: number, dualLength: number): number {
  const before = state.imbalance + state.slack;
  let part = 1;
  move(state, length, dualLength);
  measure(state);
  while (part > SHORTEST_PART && state.imbalance + state.slack > Math.max(TOLERATED * before, NEAR)) {
    move(state, (-part * length) / 2, (-part * dualLength) / 2);
    measure(state);
    part /= 2;
  }
  return part * Math.min(length, dualLength);
}

function move({ system, price, strands, start }: FlowState, length: number, dualLength: number): void {
  const { count, flow, room, weight, low, high, change, lowChange, highChange } = strands;
  for (let at = 0; at < count; at++) {
    const more = length * (change[at] as number);
    flow[at] = (flow[at] as number) + more;
    room[at] = (room[at] as number) - more;
    low[at] = (low[at] as number) + dualLength * (lowChange[at] as number);
    high[at] = (high[at] as number) + dualLength * (highChange[at] as number);
    // A strand that grew from next to nothing would be held by the barrier as if it were still that small.
    if (start === 'far') weight[at] = Math.max(weight[at] as number, flow[at] as number);
  }
  for (let row = 0; row < system.size; row++) price[row] = (price[row] as number) + dualLength * (system.solution[row] as number);
}

/** Share of a price that what comes out counts for at least. */
const LEAST_WORTH = 1e-3;

/** How far a step may leave the conditions worse, and below which sum of imbalance and slack it does not matter. */
const TOLERATED = 1.5;
const NEAR = 1e-4;
const SHORTEST_PART = 1 / 64;

/** The share of a change that keeps what shrinks by it above zero. */
function fitting(change: number, left: number): number {
  return change < 0 ? (STAY_INSIDE * left) / -change : 1;
}
