import { LIMITS } from '../../config/limits.ts';
import type { Tolls } from '../gas/tolls.ts';
import { type Column, type ColumnHop, carrierOf, columnToll, curveOf } from './column.ts';
import { columnGain, costAt, edgeGain, shallowestHop, valueAfter } from './column-gain.ts';
import type { FoundColumns } from './find-columns.ts';
import { tradeWorth } from './flow-state.ts';
import { type FlowNetwork, outflows, SELL } from './network.ts';
import { type Promising, strengthen } from './strengthen.ts';
import type { Tabu } from './tabu.ts';

/** A column joins only if it may gain this share of the trade: a 500th of a basis point. */
const WORTH_JOINING = 2e-7;

/** A share of a token below half a basis point rounds to nothing. */
export const LEAST_SHARE = 0.5e-4;
/** One that brings so much of the trade is worth a whole basis point. */
export const ONE_POINT = 1e-4;

/** A column with what it would gain, and from what input. */
export type Judged = { readonly column: Column; readonly gain: number; readonly input: number };

/**
 * The columns that gain something, most for each hop first. Those that are too shallow to are set aside; `hides`: whether one of them may have stood before a better one. All edges between active tokens are found at once, and hide
 * nothing.
 */
export function judgeColumns(network: FlowNetwork, tolls: Tolls, found: FoundColumns, tabu: Tabu): { worthy: readonly Judged[]; hides: boolean } {
  const whole = tradeWorth(network);
  let hides = found.columns.length >= LIMITS.routing.columnsFound;
  const promising: Promising[] = [];
  for (const column of found.columns) {
    const least = WORTH_JOINING * whole + columnToll(column, tolls);
    const stronger = strengthen(column, least, found.isOpen, tabu);
    if (stronger !== null) promising.push(stronger);
    else if (column.hops.length > 1) hides = true;
  }
  if (promising.length > LIMITS.routing.columnsJudged) {
    promising.sort((a, b) => b.bound - a.bound).length = LIMITS.routing.columnsJudged;
    hides = true;
  }
  const worthy: Judged[] = [];
  const totals = outflows(network.nodes, network.edges);
  for (const { column, least, bound, input: best } of promising) {
    const most = mostInto(network, column, whole);
    const { gain, input } = best <= most ? { gain: bound, input: best } : columnGain(column, most);
    if (gain > least && (input >= LEAST_SHARE * (totals[column.start] as number) || gain > ONE_POINT * whole)) worthy.push({ column, gain, input });
    else {
      // Only the hop that holds it back: the others may serve a better column.
      tabu.refuse(carrierOf(shallowestHop(column, input)), column, -1);
      if (column.hops.length > 1) hides = true;
    }
  }
  return { worthy: worthy.sort((a, b) => b.gain / b.column.hops.length - a.gain / a.column.hops.length), hides };
}

/** Whether one of the columns that were set aside as too shallow would gain something at the prices of now. */
export function anyWouldGain(network: FlowNetwork, tolls: Tolls, { refusals }: Tabu): boolean {
  const whole = tradeWorth(network);
  const prices = Float64Array.from(network.logPrice, Math.exp);
  const totals = outflows(network.nodes, network.edges);
  return refusals.some(({ column: { hops, start, end }, index }) => {
    const column: Column = { hops, start, end, priceFrom: prices[start] as number, priceTo: prices[end] as number };
    const least = WORTH_JOINING * whole + columnToll(column, tolls);
    if (index >= 0) return edgeGain(curveOf(hops[index] as ColumnHop), costAt(column, index), valueAfter(column, index)) > least;
    const { gain, input } = columnGain(column, mostInto(network, column, whole));
    return gain > least && (input >= LEAST_SHARE * (totals[start] as number) || gain > ONE_POINT * whole);
  });
}

/** What a column can take in at most. */
export function mostInto({ problem }: FlowNetwork, column: Column, whole: number): number {
  const most = whole / column.priceFrom;
  return problem.mode === 'sell' && column.start === SELL ? Math.min(most, Number(problem.fixed)) : most;
}
