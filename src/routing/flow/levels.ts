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
  const [worths, entered, left] = [new Float64Array(maxHops + 1), new Uint8Array(maxHops + 1), new Uint8Array(maxHops + 1)];
  /** By level: what serves there of a node's own links, and whether one leads to it and one on from it. */
  const weigh = (node: number) => {
    worths.fill(0);
    entered.fill(node === SELL ? 1 : 0);
    left.fill(node === BUY ? 1 : 0);
    for (const each of links[node] ?? []) {
      const enters = each.to === node;
      const [least, most] = enters ? [(levels[each.from] as number) + each.hops, maxHops] : [0, (levels[each.to] as number) - each.hops];
      for (let at = Math.max(0, least); at <= most; at++) {
        worths[at] = (worths[at] as number) + each.worth;
        (enters ? entered : left)[at] = 1;
      }
    }
  };
  const worthAt = (level: number) => (entered[level] === 1 && left[level] === 1 ? (worths[level] as number) : 0);
  for (let sweep = 0, moved = true; moved && sweep < SWEEPS; sweep++) {
    moved = false;
    for (const node of links.keys()) {
      const own = levels[node] as number;
      if (node === from || node === to || links[node]?.length === 0) continue;
      weigh(node);
      let best = own;
      for (let at = first(node); at <= last(node); at++) if (worthAt(at) > worthAt(best)) best = at;
      levels[node] = best;
      if (best !== own) moved = true;
    }
  }
  return levels;
}
