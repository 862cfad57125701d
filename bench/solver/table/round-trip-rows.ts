import type { MeshTrade } from '../measure-meshes.ts';
import { shortfalls } from '../measure-round-trips.ts';
import type { RoundTrip } from '../round-trip.ts';
import { longestFigure } from './effort-figures.ts';
import { MESH_LOSS_BPS, ROUNDING_BPS } from './goals.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { type Figure, NO_FIGURES, type TableRow } from './table-row.ts';

/** Sells and the buys of what they gave, at one depth and gas price. `fixedDepth`: both are searched to the same depth, so that a buy can always take the sell's route. */
export function roundTripRow(label: string, solver: string, requests: string, trips: readonly RoundTrip[], fixedDepth: boolean): TableRow {
  return {
    ...NO_FIGURES,
    set: label,
    solver,
    requests,
    answered: { count: trips.filter(({ sold }) => sold.output !== null).length, of: trips.length, all: true },
    millis: medianP95Of(millisOf(trips).map(({ millis }) => millis)),
    further: present([...tripFigures(trips, fixedDepth), ...shortfallFigures(trips, fixedDepth), longestFigure(millisOf(trips))]),
  };
}

/** Trades that drain meshes of small pools, gas-free, against the certified bound. */
export function meshRow(label: string, trades: readonly MeshTrade[]): TableRow {
  const trips = trades.map(({ trip }) => trip);
  const due = trades.filter(({ fillable }) => fillable);
  const losers = due.filter(({ lost, belowSingle }) => lost > MESH_LOSS_BPS || belowSingle > MESH_LOSS_BPS);
  return {
    ...NO_FIGURES,
    set: label,
    solver: 'braid, gas 0, 7 hops',
    requests: `${trades.length}, of which ${trades.length - due.length} more than the pools take`,
    answered: { count: due.filter(({ trip }) => trip.sold.output !== null).length, of: due.length, all: true },
    lost: medianP95Of(due.map(({ lost }) => lost)),
    millis: medianP95Of(millisOf(trips).map(({ millis }) => millis)),
    further: present([
      {
        name: `lose more than ${MESH_LOSS_BPS / 100}%`,
        values: [losers.length],
        targets: [0],
        ...(losers[0] === undefined ? {} : { of: `first ${losers[0].id}` }),
      },
      { name: 'bound too loose to judge by', values: [due.filter(({ lost }) => Number.isNaN(lost)).length] },
      ...tripFigures(trips, true),
      longestFigure(millisOf(trips)),
    ]),
  };
}

function millisOf(trips: readonly RoundTrip[]) {
  return trips.flatMap(({ request, sold, bought }) => [
    { id: `${request.id} sell`, millis: sold.millis },
    ...(bought === null ? [] : [{ id: `${request.id} buy`, millis: bought.millis }]),
  ]);
}

function tripFigures(trips: readonly RoundTrip[], judged: boolean): readonly Figure[] {
  const refused = trips.filter(({ bought }) => bought !== null && bought.output === null);
  const [unbought] = refused;
  const dearer = trips.filter(({ dearerBps }) => dearerBps > ROUNDING_BPS);
  const [first] = dearer;
  const worst = first === undefined ? null : dearer.reduce((most, trip) => (trip.dearerBps > most.dearerBps ? trip : most), first);
  return present([
    { name: 'buys without a route', values: [refused.length], targets: [0], ...(unbought === undefined ? {} : { of: unbought.request.id }) },
    { name: `buys that ask over ${ROUNDING_BPS} bps more than was sold`, values: [dearer.length], ...(judged ? { targets: [0] } : {}) },
    worst === null ? null : { name: 'worst', values: [worst.dearerBps], unit: 'bps', of: worst.request.id },
  ]);
}

function shortfallFigures(trips: readonly RoundTrip[], judged: boolean): readonly Figure[] {
  const less = shortfalls(trips).filter(({ bps }) => bps > ROUNDING_BPS);
  const [first] = less;
  const worst = first === undefined ? null : less.reduce((most, each) => (each.bps > most.bps ? each : most), first);
  return present([
    { name: 'sells that give less than a smaller one', values: [less.length], ...(judged ? { targets: [0] } : {}) },
    worst === null ? null : { name: 'worst', values: [worst.bps], unit: 'bps', of: worst.id },
  ]);
}
