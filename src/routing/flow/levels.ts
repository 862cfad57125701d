import { BUY, type FlowNode, SELL } from './network.ts';

/** What may lead from one node to another: it serves where its end lies at least so many hops behind its start. `worth`: what it brings. */
export type Link = { readonly from: number; readonly to: number; readonly hops: 0 | 1; readonly worth: number };

/** By node: how many hops it lies behind the sell token. Whatever they are, what serves has no cycle and keeps to the limit on hops. */
export type Levels = Int16Array;

export function serves(levels: Levels, { from, to, hops }: Link): boolean {
  return (levels[to] as number) - (levels[from] as number) >= hops;
}

/** Sweeps over all nodes in search of better levels. */
const SWEEPS = 4;

/**
 * Levels at which a link serves, from the given one on, and at which most serves beside it: node by node, each moves to where its own links bring most, until none gains. A local search, from the levels that are there. null where
 * the link can not start at that level. `links`: by each of their ends.
 */
export function levelsFor(
  link: Link,
  level: number,
  start: Levels,
  nodes: readonly FlowNode[],
  links: readonly (readonly Link[])[],
  maxHops: number,
): Levels | null {
  const first = (node: number) => (node === SELL || nodes[node]?.star !== null ? 0 : node === BUY ? maxHops : 1);
  const last = (node: number) => (node === SELL ? 0 : node === BUY ? maxHops : maxHops - 1);
  const levels = Int16Array.from(start);
  const { from, to, hops } = link;
  const end = Math.max(level + hops, levels[to] as number);
  if (level < first(from) || level > last(from) || end > last(to)) return null;
  levels[from] = level;
  levels[to] = end;
  /** What serves of a node's own links; nothing where none of them leads to it, or on from it. */
  const worthAt = (node: number, at: number): number => {
    levels[node] = at;
    let [sum, entered, left] = [0, node === SELL, node === BUY];
    for (const each of links[node] ?? []) {
      if (!serves(levels, each)) continue;
      sum += each.worth;
      if (each.to === node) entered = true;
      else left = true;
    }
    return entered && left ? sum : 0;
  };
  for (let sweep = 0, moved = true; moved && sweep < SWEEPS; sweep++) {
    moved = false;
    for (const node of links.keys()) {
      const own = levels[node] as number;
      if (node === from || node === to || links[node]?.length === 0) continue;
      let [best, most] = [own, worthAt(node, own)];
      for (let at = first(node); at <= last(node); at++) {
        const worth = worthAt(node, at);
        if (worth > most) [best, most] = [at, worth];
      }
      levels[node] = best;
      if (best !== own) moved = true;
    }
  }
  return levels;
}
