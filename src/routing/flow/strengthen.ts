import type { EdgeModel } from '../market/pool-models.ts';
import { type Column, type ColumnHop, carrierOf, curveOf } from './column.ts';
import { edgeGain, endsOfHop } from './column-gain.ts';
import type { SetAside } from './set-aside.ts';

/** A column with the most that it may gain. */
export type Promising = { readonly column: Column; readonly bound: number };

/**
 * The same column with other edges of the pair where one could not gain `least` though all other hops kept their start prices: a search by start prices finds dust at a splendid price first. Such edges are set aside; null where
 * that leaves a hop without any.
 */
export function strengthen(found: Column, least: number, isOpen: (edge: EdgeModel) => boolean, setAside: SetAside): Promising | null {
  let column = found;
  let bound = Infinity;
  const ratioOf = (cost: number, value: number) => (found.hops.length === 1 ? value / cost : Infinity);
  for (let index = 0; index < column.hops.length; index++) {
    const hop = column.hops[index] as ColumnHop;
    const { cost, value } = endsOfHop(column, index);
    let best: ColumnHop | null = hop;
    let most = edgeGain(curveOf(hop), cost, value);
    if (most <= least) {
      setAside.add(carrierOf(hop), ratioOf(cost, value));
      best = null;
      for (const edge of hop.carrier.kind === 'pair' && column.hops.length > 1 ? hop.carrier.pair.edges : []) {
        if (edge.startPrice * value <= cost) break;
        if (!isOpen(edge) || setAside.has(edge)) continue;
        const gain = edgeGain(edge.curve, cost, value);
        if (gain <= least) setAside.add(edge, ratioOf(cost, value));
        else if (best === null || gain > most) [best, most] = [pairHop(hop, edge), gain];
      }
    }
    if (best === null) return null;
    bound = Math.min(bound, most);
    if (best !== hop) column = { ...column, hops: column.hops.with(index, best) };
  }
  return { column, bound };
}

function pairHop(hop: ColumnHop, edge: EdgeModel): ColumnHop {
  return hop.carrier.kind === 'pair' ? { ...hop, carrier: { kind: 'pair', edge, pair: hop.carrier.pair } } : hop;
}
