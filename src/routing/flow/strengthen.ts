import { curveFlowAt, emptyFlow } from '../../curves/curves.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import { type Column, type ColumnHop, carrierOf, curveOf } from './column.ts';
import { costAt, edgeGain, valueAfter } from './column-gain.ts';
import type { Tabu } from './tabu.ts';

/** A column with the most that it may gain, and the least that it has to. `input`: where a column of one hop gains that much, base units; NaN for longer ones. */
export type Promising = { readonly column: Column; readonly bound: number; readonly input: number; readonly least: number };

/**
 * The same column with other edges of the pair where one could not gain `least` though all other hops kept their start prices: a search by start prices finds dust at a splendid price first. Such edges are set aside; null where
 * that leaves a hop without any.
 */
export function strengthen(found: Column, least: number, isOpen: (edge: EdgeModel) => boolean, tabu: Tabu): Promising | null {
  if (found.hops.length === 1) return alone(found, least, tabu);
  let column = found;
  let bound = Infinity;
  for (let index = 0; index < column.hops.length; index++) {
    const hop = column.hops[index] as ColumnHop;
    const [cost, value] = [costAt(column, index), valueAfter(column, index)];
    let best: ColumnHop | null = hop;
    let most = edgeGain(curveOf(hop), cost, value);
    if (most <= least) {
      tabu.refuse(carrierOf(hop), column, index);
      best = null;
      for (const edge of hop.carrier.kind === 'pair' ? hop.carrier.pair.edges : []) {
        if (edge.startPrice * value <= cost) break;
        if (!isOpen(edge) || tabu.hasInChain(edge, value / cost)) continue;
        const gain = edgeGain(edge.curve, cost, value);
        if (gain <= least) tabu.refuse(edge, column, index);
        else if (best === null || gain > most) [best, most] = [pairHop(hop, edge), gain];
      }
    }
    if (best === null) return null;
    bound = Math.min(bound, most);
    if (best !== hop) column = { ...column, hops: column.hops.with(index, best) };
  }
  return { column, bound, input: Number.NaN, least };
}

/** An edge beside those in use: what it lacks depends on its ends alone. */
function alone(column: Column, least: number, tabu: Tabu): Promising | null {
  const hop = column.hops[0] as ColumnHop;
  curveFlowAt(curveOf(hop), column.priceFrom / column.priceTo, flow);
  const bound = column.priceTo * flow.output - column.priceFrom * flow.input;
  if (bound > least) return { column, bound, input: flow.input, least };
  tabu.refuse(carrierOf(hop), column, 0);
  return null;
}

const flow = emptyFlow();

function pairHop(hop: ColumnHop, edge: EdgeModel): ColumnHop {
  return hop.carrier.kind === 'pair' ? { ...hop, carrier: { kind: 'pair', edge, pair: hop.carrier.pair } } : hop;
}
