import { LEAST_SHARE } from './columns.ts';
import { connected, type NetworkEdge, outflows, tokenOrder } from './network.ts';
import type { SplitHop } from './resimulate.ts';
import type { SinglePath } from './single-path.ts';
import type { Subgraph } from './subgraph.ts';

const WHOLE = 10_000;

/** The hops of a route without splits. */
export function pathHops(path: SinglePath): SplitHop[] {
  return path.hops.map(({ edge }) => ({ pool: edge.pool, slotIn: edge.slotIn, slotOut: edge.slotOut, bps: WHOLE }));
}

/**
 * Turns token-level flows into sequential bps (decisions S6, S7): tokens in topological order, the hops of a token in a row. null when nothing whole remains.
 */
export function roundNetwork(network: { readonly graph: Pick<Subgraph, 'addresses'>; readonly edges: readonly NetworkEdge[] }): SplitHop[] | null {
  const edges = withoutCrumbs(network.edges);
  const order = tokenOrder(network.graph, edges);
  if (order === null || edges.length === 0 || edges.some((edge) => edge.model === null)) return null;
  return order.order.flatMap((token) => roundToken(edges.filter((edge) => edge.from === token)));
}

/** Neighbouring roundings of the largest splits: a basis point more and less on the hops that divide their token most evenly, so many variants at most. */
export function neighbours(hops: readonly SplitHop[], most: number): SplitHop[][] {
  const splits = hops.map((_hop, index) => index).filter((index) => (hops[index]?.bps ?? WHOLE) < WHOLE);
  splits.sort((a, b) => Math.abs((hops[a]?.bps ?? 0) - WHOLE / 2) - Math.abs((hops[b]?.bps ?? 0) - WHOLE / 2) || a - b);
  splits.length = Math.min(splits.length, most);
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

/**
 * A share is rounded by half a basis point of what is left of the token, so the largest flows go first: what is left for the small ones is then small, and their shares are fine. Before them go the
 * edges that are full, rounded down; last comes an edge with room for what rounding leaves.
 */
function roundToken(edges: readonly NetworkEdge[]): SplitHop[] {
  const ordered = [...edges].sort((a, b) => Number(isFull(b)) - Number(isFull(a)) || b.flow.input - a.flow.input);
  const last = ordered.findLastIndex((edge) => !isFull(edge));
  if (last >= 0) ordered.push(...ordered.splice(last, 1));
  const total = ordered.reduce((sum, edge) => sum + edge.flow.input, 0);
  const hops: SplitHop[] = [];
  let left = 1;
  ordered.forEach((edge, index) => {
    const model = edge.model;
    if (model === null) return;
    let bps = WHOLE;
    if (index < ordered.length - 1) {
      const share = (edge.flow.input / total / left) * WHOLE;
      bps = Math.min(WHOLE - 1, isFull(edge) ? Math.floor(share) : Math.round(share));
    }
    if (bps < 1) return;
    left *= 1 - bps / WHOLE;
    hops.push({ pool: model.pool, slotIn: model.slotIn, slotOut: model.slotOut, bps });
  });
  return hops;
}

/** Rounding moves a flow by about a basis point at most: an edge has room when it can take some of them more. */
function isFull({ flow, curve }: NetworkEdge): boolean {
  return flow.input > curve.capacity * (1 - 1e-3);
}
