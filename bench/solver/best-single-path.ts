import type { Market } from '../../src/bound/bound.ts';

/** A route without splits, as edges of a market. Amount and gas by the float curves. */
export type SinglePath = { readonly edges: readonly number[]; readonly amount: number; readonly gas: number };

type Label = { readonly token: number; readonly amount: number; readonly gas: number; readonly edge: number; readonly before: Label | null };

const LABELS_PER_TOKEN = 3;
const KEPT = 6;

/** The best routes without splits for each number of hops, by gross amount: dynamic programming over (token, hops), a few labels each. Written apart from the router. */
export function bestSinglePaths(market: Market, sell: number, buy: number, amount: number, maxHops: number): readonly SinglePath[] {
  const arrived: Label[] = [];
  let frontier = new Map<number, Label[]>([[sell, [{ token: sell, amount, gas: 0, edge: -1, before: null }]]]);
  for (let hops = 1; hops <= maxHops; hops++) {
    const next = new Map<number, Label[]>();
    for (const labels of frontier.values()) for (const label of labels) extend(market, label, next, hops === maxHops ? buy : -1);
    arrived.push(...(next.get(buy) ?? []));
    next.delete(buy);
    frontier = next;
  }
  return arrived
    .sort((a, b) => b.amount - a.amount)
    .slice(0, KEPT)
    .map(toPath);
}

/** `only` ≥ 0: nothing but that token is of interest. */
function extend(market: Market, label: Label, next: Map<number, Label[]>, only: number): void {
  for (const edge of market.leaving[label.token] as Int32Array) {
    const token = market.to[edge] as number;
    if ((only >= 0 && token !== only) || visits(market, label, token, market.pool[edge] as number)) continue;
    const labels = next.get(token) ?? [];
    const last = labels.length === LABELS_PER_TOKEN ? (labels[LABELS_PER_TOKEN - 1] as Label).amount : 0;
    if ((market.firstRate[edge] as number) * label.amount <= last) continue;
    const amount = market.output(edge, label.amount);
    if (!(amount > last)) continue;
    labels.push({ token, amount, gas: label.gas + market.gas(edge, label.amount), edge, before: label });
    labels.sort((a, b) => b.amount - a.amount);
    if (labels.length > LABELS_PER_TOKEN) labels.pop();
    next.set(token, labels);
  }
}

function visits(market: Market, label: Label, token: number, pool: number): boolean {
  for (let at: Label | null = label; at !== null; at = at.before) {
    if (at.token === token || (at.edge >= 0 && market.pool[at.edge] === pool)) return true;
  }
  return false;
}

function toPath(end: Label): SinglePath {
  const edges: number[] = [];
  for (let at: Label | null = end; at !== null && at.edge >= 0; at = at.before) edges.push(at.edge);
  return { edges: edges.reverse(), amount: end.amount, gas: end.gas };
}
