import { LEAST_SHARE } from '../flow/judge-columns.ts';
import { connected, type FlowEdge, type FlowNetwork, isReal, nodeOrder, outflows } from '../flow/network.ts';
import { hubUnits, unseenWorth } from '../flow/star-sides.ts';
import type { EdgeModel } from '../market/pool-models.ts';

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

function withoutCrumbs({ nodes, edges }: FlowNetwork): readonly FlowEdge[] {
  let kept = connected(edges.filter(isReal));
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    const totals = outflows(nodes, kept);
    kept = connected(kept.filter((edge) => edge.flow.input > LEAST_SHARE * (totals[edge.from] as number)));
  }
  return kept;
}

/** Deals what tokens put into a hub out to what leaves it, both in order of execution: at most one swap less than there are sides (the north-west corner of the transport problem). */
function throughHub(network: FlowNetwork, edges: readonly FlowEdge[], order: readonly number[], hub: number, flows: Map<number, HopFlow[]>): void {
  const inOrder = (node: (edge: FlowEdge) => number) => (a: FlowEdge, b: FlowEdge) => order.indexOf(node(a)) - order.indexOf(node(b));
  const deposits = edges.filter(({ to }) => to === hub).sort(inOrder(({ from }) => from));
  const withdrawals = edges.filter(({ from }) => from === hub).sort(inOrder(({ to }) => to));
  const worth = unseenWorth(network, hub);
  const given = deposits.reduce((sum, edge) => sum + hubUnits(edge, worth, 'out'), 0);
  const taken = withdrawals.reduce((sum, edge) => sum + hubUnits(edge, worth, 'in'), 0);
  let at = 0;
  let left = 1;
  for (const deposit of deposits) {
    const { from, carrier, flow } = deposit;
    if (carrier.kind !== 'deposit') continue;
    let units = hubUnits(deposit, worth, 'out') / given;
    const share = flow.input / units;
    while (at < withdrawals.length && units > CRUMB) {
      const withdrawal = withdrawals[at] as FlowEdge;
      if (left === 1) left = hubUnits(withdrawal, worth, 'in') / taken;
      const part = at === withdrawals.length - 1 ? units : Math.min(units, left);
      const edge =
        withdrawal.carrier.kind === 'withdrawal' ? network.problem.market.models.edge(carrier.arc.pool, carrier.arc.slot, withdrawal.carrier.arc.slot) : null;
      if (edge !== null && part > CRUMB) flows.get(from)?.push(hopFlow(network, edge, part * share, withdrawal.to));
      units -= part;
      left -= part;
      if (left <= CRUMB && at < withdrawals.length - 1) {
        at++;
        left = 1;
      }
    }
  }
}

/** Share of what goes through a hub that is nothing but rounding. */
const CRUMB = 1e-9;
