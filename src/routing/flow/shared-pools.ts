import type { PoolView, StableCurve } from '../../snapshot/snapshot.ts';
import type { FlowEdge, FlowNetwork } from './network.ts';

/** Balances that change by less of themselves are at rest. */
const SETTLED = 1e-6;

/**
 * Pairs of one pool with an invariant share its balances: each pair's curve is taken where all the others have already traded, so that marginal prices are those of the pool after the whole of it (with fees left in the pool
 * aside its state does not depend on the order). Says whether a curve moved; the network is then to be brought to rest again.
 */
export function shiftSharedCurves(network: FlowNetwork): boolean {
  const pairs = new Map<PoolView, FlowEdge[]>();
  for (const edge of network.edges) {
    if (edge.carrier.kind !== 'pair' || edge.carrier.edge.curve.kind !== 'stable' || edge.carrier.edge.pool.tokens.length < 3) continue;
    pairs.set(edge.carrier.edge.pool, [...(pairs.get(edge.carrier.edge.pool) ?? []), edge]);
  }
  let moved = false;
  const shifted = new Map<FlowEdge, StableCurve>();
  for (const edges of pairs.values()) {
    for (const edge of edges) {
      const curve = afterOthers(edge, edges);
      const known = edge.curve as StableCurve;
      if (curve.balances.every((balance, slot) => Math.abs(balance - (known.balances[slot] as number)) <= SETTLED * balance)) continue;
      shifted.set(edge, curve);
      moved = true;
    }
  }
  if (moved) network.edges = network.edges.map((edge) => (shifted.has(edge) ? { ...edge, curve: shifted.get(edge) as StableCurve } : edge));
  return moved;
}

function afterOthers(edge: FlowEdge, edges: readonly FlowEdge[]): StableCurve {
  const own = edge.carrier.kind === 'pair' ? (edge.carrier.edge.curve as StableCurve) : (edge.curve as StableCurve);
  const balances = own.balances.slice();
  for (const other of edges) {
    if (other === edge) continue;
    const { slotIn, slotOut, scaleIn, scaleOut } = other.curve as StableCurve;
    balances[slotIn] = (balances[slotIn] as number) + other.flow.input * scaleIn;
    // A pool is never quite empty.
    balances[slotOut] = Math.max((balances[slotOut] as number) * LEAST_LEFT, (balances[slotOut] as number) - other.flow.output * scaleOut);
  }
  return { ...own, balances };
}

const LEAST_LEFT = 1e-6;

/** Whether a pool serves several pairs whose curves depend on each other. */
export function sharesPools({ edges }: FlowNetwork): boolean {
  const pools = edges.flatMap((edge) => (edge.carrier.kind === 'pair' && edge.carrier.edge.pool.tokens.length > 2 ? [edge.carrier.edge.pool] : []));
  return new Set(pools).size < pools.length;
}
