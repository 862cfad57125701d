import { LEAST_SHARE, ONE_POINT } from '../flow/judge-columns.ts';
import { connected, type FlowEdge, type FlowNetwork, isReal, nodeOrder, outflows } from '../flow/network.ts';
import { arcOf, hubUnits, unseenWorth } from '../flow/star-sides.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { Star } from '../market/star.ts';
import { StarRun } from './star-run.ts';

/** A hop as the float model sees it. `input` and `capacity` in base units; `worth`: of a base unit that it gives, by the model's prices. */
export type HopFlow = { readonly edge: EdgeModel; readonly input: number; readonly capacity: number; readonly worth: number };

/** The hops that leave one token, by snapshot id. */
export type TokenFlow = { readonly token: number; readonly hops: readonly HopFlow[] };

/** The hops that the flows of a network stand for, token by token in the order of their execution (decisions S7); null where nothing real is left. */
export function hopFlowsOf(network: FlowNetwork): readonly TokenFlow[] | null {
  const edges = withoutCrumbs(network);
  const order = nodeOrder(network.nodes, edges);
  if (order === null || edges.length === 0) return null;
  const flows = new Map<number, HopFlow[]>();
  for (const node of order.order) if (network.nodes[node]?.star === null) flows.set(node, []);
  for (const { from, to, carrier, flow } of edges) {
    if (carrier.kind === 'pair') flows.get(from)?.push(hopFlow(network, carrier.edge, flow.input, to));
  }
  for (const hub of order.order) if (network.nodes[hub]?.star !== null) throughHub(network, edges, order.order, hub, flows);
  return order.order.flatMap((node) => {
    const hops = flows.get(node) ?? [];
    return hops.length === 0 ? [] : [{ token: network.nodes[node]?.token as number, hops }];
  });
}

function hopFlow({ logPrice }: FlowNetwork, edge: EdgeModel, input: number, to: number): HopFlow {
  return { edge, input, capacity: edge.curve.capacity, worth: Math.exp(logPrice[to] as number) };
}

/** Without edges whose share rounds to nothing, but for one that gives a whole basis point of what its token brings all the same, as a full pool does beside others that drain: what its share is rounded to is for rounding to say. */
function withoutCrumbs({ nodes, edges, logPrice }: FlowNetwork): readonly FlowEdge[] {
  const worth = ({ flow, to }: FlowEdge) => flow.output * Math.exp(logPrice[to] as number);
  let kept = connected(edges.filter(isReal));
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    const totals = outflows(nodes, kept);
    const brought = new Float64Array(nodes.length);
    for (const edge of kept) brought[edge.from] = (brought[edge.from] as number) + worth(edge);
    const counts = (edge: FlowEdge) =>
      edge.flow.input > LEAST_SHARE * (totals[edge.from] as number) || worth(edge) > ONE_POINT * (brought[edge.from] as number);
    kept = connected(kept.filter(counts));
  }
  return kept;
}

/** A swap through a star: from a side that takes in to one that gives. `units`: by which it was dealt, of all that the hub gets. */
type StarSwap = { readonly deposit: FlowEdge; readonly withdrawal: FlowEdge; readonly units: number };

/**
 * The swaps of a hub, with what each takes in. A swap leaves its pool in another state for the next, and near a balance's end the same units of the hub cost many times more: so inputs are those with which each gives, after those
 * before it, what the model says that its token gets.
 */
function throughHub(network: FlowNetwork, edges: readonly FlowEdge[], order: readonly number[], hub: number, flows: Map<number, HopFlow[]>): void {
  const star = network.nodes[hub]?.star as Star;
  const run = new StarRun(star);
  for (const swaps of dealt(network, edges, order, hub)) {
    for (const [{ deposit, withdrawal }, input] of inputsOf(run, swaps)) {
      const [into, out] = [arcOf(deposit), arcOf(withdrawal)];
      run.swap(into, out, input);
      const edge = network.problem.market.models.edge(star.pool, into.slot, out.slot);
      if (edge !== null) flows.get(deposit.from)?.push(hopFlow(network, edge, input, withdrawal.to));
    }
  }
}

/** The swaps of one side into a star with what they take of all that it carries, in their order: the larger ones come first, as when they are rounded. What was dealt last takes the rest, since it may go on with the next side. */
function inputsOf(run: StarRun, swaps: readonly StarSwap[]): readonly (readonly [StarSwap, number])[] {
  const last = swaps.at(-1);
  if (last === undefined) return [];
  const whole = last.deposit.flow.input;
  if (swaps.length === 1) return [[last, whole]];
  const outputs = new Map(swaps.map((swap) => [swap, Math.max(0, swap.withdrawal.flow.output - run.moved(arcOf(swap.withdrawal)))]));
  const inputs = (some: readonly StarSwap[], ahead: StarRun) =>
    some.map(({ deposit, withdrawal }, index) => {
      const [into, out] = [arcOf(deposit), arcOf(withdrawal)];
      const input = ahead.inputFor(into, out, outputs.get(some[index] as StarSwap) as number, whole);
      ahead.swap(into, out, input);
      return input;
    });
  const ahead = run.copy();
  const rest = whole - sumOf(inputs(swaps.slice(0, -1), ahead));
  outputs.set(last, ahead.swap(arcOf(last.deposit), arcOf(last.withdrawal), Math.max(0, rest)));
  const ordered = [...swaps].sort((a, b) => b.units - a.units);
  const taken = inputs(ordered, run.copy());
  // Rounding has the larger inputs first. Where a pool is as good as drained, what comes last takes most, in whichever order.
  const parts = taken.some((input, index) => index > 0 && input > (taken[index - 1] as number)) ? ordered.map(({ units }) => units) : taken;
  return ordered.map((swap, index) => [swap, ((parts[index] as number) / sumOf(parts)) * whole]);
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Deals what tokens put into a hub out to what leaves it, both in order of execution: at most one swap less than there are sides (the north-west corner of the transport problem). By side of the star that takes in. */
function dealt(network: FlowNetwork, edges: readonly FlowEdge[], order: readonly number[], hub: number): StarSwap[][] {
  const inOrder = (node: (edge: FlowEdge) => number) => (a: FlowEdge, b: FlowEdge) => order.indexOf(node(a)) - order.indexOf(node(b));
  const deposits = edges.filter(({ to }) => to === hub).sort(inOrder(({ from }) => from));
  const withdrawals = edges.filter(({ from }) => from === hub).sort(inOrder(({ to }) => to));
  const worth = unseenWorth(network, hub);
  const given = deposits.reduce((sum, edge) => sum + hubUnits(edge, worth, 'out'), 0);
  const taken = withdrawals.reduce((sum, edge) => sum + hubUnits(edge, worth, 'in'), 0);
  let at = 0;
  let left = 1;
  return deposits.map((deposit) => {
    const swaps: StarSwap[] = [];
    let units = hubUnits(deposit, worth, 'out') / given;
    while (at < withdrawals.length && units > CRUMB) {
      const withdrawal = withdrawals[at] as FlowEdge;
      if (left === 1) left = hubUnits(withdrawal, worth, 'in') / taken;
      const part = at === withdrawals.length - 1 ? units : Math.min(units, left);
      if (part > CRUMB) swaps.push({ deposit, withdrawal, units: part });
      units -= part;
      left -= part;
      if (left <= CRUMB && at < withdrawals.length - 1) {
        at++;
        left = 1;
      }
    }
    return swaps;
  });
}

/** Share of what goes through a hub that is nothing but rounding. */
const CRUMB = 1e-9;
