import { LEAST_SHARE } from './columns.ts';
import { connected, type Network, type NetworkEdge, outflows, tokenOrder } from './network.ts';
import type { SplitHop } from './resimulate.ts';
import type { SinglePath } from './single-path.ts';

const WHOLE = 10_000;

/** The hops of a route without splits. */
export function pathHops(path: SinglePath): SplitHop[] {
  return path.hops.map(({ edge }) => ({ pool: edge.pool, slotIn: edge.slotIn, slotOut: edge.slotOut, bps: WHOLE }));
}

/**
 * Turns token-level flows into sequential bps (decisions S6, S7): tokens in topological order, the hops of a token in a row, the one with the most room
 * last, since it takes what rounding leaves. null when nothing whole remains.
 */
export function roundNetwork(network: Network): SplitHop[] | null {
  const edges = withoutCrumbs(network.edges);
  const order = tokenOrder(network.graph, edges);
  if (order === null || edges.length === 0 || edges.some((edge) => edge.model === null)) return null;
  return order.order.flatMap((token) => roundToken(edges.filter((edge) => edge.from === token)));
}

/** Neighbouring roundings of the largest splits: a basis point more and less on the first hop of the tokens that split the most worth. */
export function neighbours(hops: readonly SplitHop[], most: number): SplitHop[][] {
  const splits = hops.map((_hop, index) => index).filter((index) => (hops[index]?.bps ?? WHOLE) < WHOLE);
  splits.sort((a, b) => Math.abs((hops[a]?.bps ?? 0) - WHOLE / 2) - Math.abs((hops[b]?.bps ?? 0) - WHOLE / 2) || a - b);
  const shifted = (index: number, by: number) => hops.map((hop, at) => (at === index ? { ...hop, bps: hop.bps + by } : hop));
  return splits
    .flatMap((index) => [shifted(index, 1), shifted(index, -1)])
    .filter((variant) => variant.every((hop) => hop.bps > 0 && hop.bps <= WHOLE))
    .filter((variant) => variant.filter((hop) => hop.bps === WHOLE).length === hops.filter((hop) => hop.bps === WHOLE).length)
    .slice(0, most);
}

function withoutCrumbs(edges: readonly NetworkEdge[]): NetworkEdge[] {
  let kept = connected(edges);
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    const totals = outflows(kept);
    kept = connected(kept.filter((edge) => edge.flow.input > LEAST_SHARE * (totals.get(edge.from) ?? 0)));
  }
  return kept;
}

function roundToken(edges: readonly NetworkEdge[]): SplitHop[] {
  const room = (edge: NetworkEdge) => edge.curve.capacity - edge.flow.input;
  const ordered = [...edges].sort((a, b) => compare(room(a), room(b)) || a.flow.input - b.flow.input);
  const total = ordered.reduce((sum, edge) => sum + edge.flow.input, 0);
  const hops: SplitHop[] = [];
  let left = 1;
  ordered.forEach((edge, index) => {
    const model = edge.model;
    if (model === null) return;
    let bps = WHOLE;
    if (index < ordered.length - 1) {
      const share = (edge.flow.input / total / left) * WHOLE;
      const full = edge.flow.input > edge.curve.capacity * (1 - 1e-4);
      bps = Math.min(WHOLE - 1, full ? Math.floor(share) : Math.round(share));
    }
    if (bps < 1) return;
    left *= 1 - bps / WHOLE;
    hops.push({ pool: model.pool, slotIn: model.slotIn, slotOut: model.slotOut, bps });
  });
  return hops;
}

/** Infinity equals itself, which a difference would not. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
