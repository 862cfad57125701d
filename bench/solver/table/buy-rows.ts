import { BUY_AWARE, BUY_DEEP, BUY_FREE, BUY_SOLVERS, type BuyRow, type BuySolver } from '../measure-buys.ts';
import { effortFigures, longestFigure } from './effort-figures.ts';
import { ROUNDING_BPS, SET_GOALS, type SetGoal } from './goals.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { NO_FIGURES, type TableRow } from './table-row.ts';

/** Requests to buy on one set. */
export function buyRows(label: string, set: string, requests: string, rows: readonly BuyRow[]): readonly TableRow[] {
  const goal = SET_GOALS[set];
  const solvers = BUY_SOLVERS.map((name): TableRow => {
    const buys = rows.map(({ buys }) => buys[name]);
    const outcomes = buys.map(({ outcome }) => outcome);
    const targets = goal === undefined ? {} : targetsOf(goal, name);
    const dearer = buys.filter(({ aboveSingle }) => aboveSingle > ROUNDING_BPS).length;
    return {
      set: label,
      solver: name,
      requests,
      answered: { count: outcomes.filter(({ output }) => output !== null).length, of: rows.length, all: true },
      lost: medianP95Of(
        buys.map(({ lost }) => lost),
        targets.lost,
      ),
      netLost: medianP95Of(
        buys.map(({ netLost }) => netLost),
        targets.netLost,
      ),
      millis: medianP95Of(
        outcomes.map(({ millis }) => millis),
        targets.millis,
      ),
      further: present([
        { name: `asks more than the single path${name === BUY_AWARE ? ', net' : ''}`, values: [dearer], targets: [0] },
        longestFigure(rows.map(({ id, buys }) => ({ id, millis: buys[name].outcome.millis }))),
        ...effortFigures(outcomes),
      ]),
    };
  });
  const bound: TableRow = {
    ...NO_FIGURES,
    set: label,
    solver: 'certified least input (dual method, all pools, gas-free)',
    requests,
    millis: medianP95Of(rows.map(({ boundMillis }) => boundMillis)),
    further: [{ name: 'too loose', values: [rows.filter(({ judged }) => !judged).length] }],
  };
  return [...solvers, bound];
}

type Targets = { readonly lost?: readonly number[]; readonly netLost?: readonly number[]; readonly millis?: readonly number[] };

/** Exact-out is held to what exact-in is held to. */
function targetsOf(goal: SetGoal, name: BuySolver): Targets {
  switch (name) {
    case BUY_FREE:
      return { lost: goal.lost, ...(goal.freeMillis === null ? {} : { millis: goal.freeMillis }) };
    case BUY_DEEP:
      return { lost: goal.lost };
    case BUY_AWARE:
      return { netLost: goal.netLost, millis: goal.awareMillis };
    default:
      return name satisfies never;
  }
}
