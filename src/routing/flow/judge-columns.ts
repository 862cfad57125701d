import { LIMITS } from '../../config/limits.ts';
import { columnToll, type Tolls } from '../gas/tolls.ts';
import { type Column, carrierOf } from './column.ts';
import { columnGain, costAt, edgeGain, shallowestHop, valueAfter } from './column-gain.ts';
import type { FoundColumns } from './column-search.ts';
import { tradeWorth } from './flow-state.ts';
import { type FlowNetwork, outflows, SELL } from './network.ts';
import type { SetAside } from './set-aside.ts';
import { type Promising, strengthen } from './strengthen.ts';

/** A column joins only if it may gain this share of the trade: a 500th of a basis point. */
const WORTH_JOINING = 2e-7;

/** A share of a token below half a basis point rounds to nothing. */
const LEAST_SHARE = 0.5e-4;

/** A column with what it would gain, and from what input. */
export type Judged = { readonly column: Column; readonly gain: number; readonly input: number };

/** The columns that gain something, most for each hop first, and how many are too shallow to: those are set aside. */
export function judgeColumns(network: FlowNetwork, tolls: Tolls, found: FoundColumns, setAside: SetAside): { worthy: readonly Judged[]; refused: number } {
  const whole = tradeWorth(network);
  let refused = 0;
  const promising: Promising[] = [];
  for (const column of found.columns) {
    const least = WORTH_JOINING * whole + columnToll(column, tolls);
    const stronger = strengthen(column, least, found.isOpen, setAside);
    if (stronger === null) refused++;
    else promising.push(stronger);
  }
  if (promising.length > LIMITS.routing.columnsJudged) promising.sort((a, b) => b.bound - a.bound).length = LIMITS.routing.columnsJudged;
  const worthy: Judged[] = [];
  const totals = outflows(network.nodes, network.edges);
  for (const { column, least, bound, input: best } of promising) {
    const most = mostInto(network, column, whole);
    const { gain, input } = best <= most ? { gain: bound, input: best } : columnGain(column, most);
    const share = input / (totals[column.start] || input);
    if (gain > least && share >= LEAST_SHARE) worthy.push({ column, gain, input });
    else {
      // Only the hop that holds it back: the others may serve a better column.
      setAside.refuse(carrierOf(shallowestHop(column, input)), column, -1);
      refused++;
    }
  }
  return { worthy: worthy.sort((a, b) => b.gain / b.column.hops.length - a.gain / a.column.hops.length), refused };
}

/** Whether one of the columns that were set aside as too shallow would gain something at the prices of now. */
export function anyWouldGain(network: FlowNetwork, tolls: Tolls, { refusals }: SetAside): boolean {
  const whole = tradeWorth(network);
  const prices = Float64Array.from(network.logPrice, Math.exp);
  return refusals.some(({ edge, column: { hops, start, end }, index }) => {
    const column: Column = { hops, start, end, priceFrom: prices[start] as number, priceTo: prices[end] as number };
    const gain = index < 0 ? columnGain(column, mostInto(network, column, whole)).gain : edgeGain(edge.curve, costAt(column, index), valueAfter(column, index));
    return gain > WORTH_JOINING * whole + columnToll(column, tolls);
  });
}

/** What a column can take in at most. */
export function mostInto({ problem }: FlowNetwork, column: Column, whole: number): number {
  const most = whole / column.priceFrom;
  return problem.mode === 'sell' && column.start === SELL ? Math.min(most, Number(problem.fixed)) : most;
}
