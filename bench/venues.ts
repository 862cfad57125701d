// Exact quotes and float curves: node --import ./scripts/typescript.mjs bench/venues.ts [--json] [--record]

import { type Curve, WordReader, WordWriter } from '../src/snapshot/snapshot.ts';
import type { EpochSeconds } from '../src/units/units.ts';
import { type ConcentratedState, tickTable } from '../src/venues/concentrated/concentrated-state.ts';
import { sqrtRatioAtTick, tickAtSqrtRatio } from '../src/venues/concentrated/tick-math.ts';
import { loadSolverVenues, momentOf, type SolverVenue } from '../src/venues/venues.ts';
import { openReport } from './history/history.ts';

const ROUNDS = 7;
const QUOTES = 20_000;
const FRESH_QUOTES = 3_000;
/** Different amounts, so that nothing can be kept from one quote to the next but what belongs to the state. */
const AMOUNTS = 1024;

/** These venues' prices depend on their state alone. */
const MOMENT = momentOf({ number: 20_000_000, timestamp: 1_720_000_000 as EpochSeconds });

const report = openReport('venues');
const venues = await loadSolverVenues();
const v2 = venueNamed('uniswap_v2');
const v3 = venueNamed('uniswap_v3');
const pair = { reserve0: 51_234_567_890_123_456_789_012n, reserve1: 98_765_432_109_876n, feePpm: 3000 };
/** Fee 3000, a position border every 120 ticks: 8 initialised ticks within a 10% move. */
const pool = makePool(200_040, 120, 60);
const tenPercent = amountForMove(0.1);
const figures = {
  v2ExactInMicros: perQuote(v2, pair, 10n ** 18n),
  v2ExactOutMicros: perQuote(v2, pair, 10n ** 6n, 'out'),
  v3WithinTickMicros: perQuote(v3, pool, tenPercent / 1000n),
  v3ExactOutWithinTickMicros: perQuote(v3, pool, 10n ** 6n, 'out'),
  v3TenPercentMicros: perQuote(v3, pool, tenPercent),
  /** The first quote on a state that nobody has asked before: whole steps are computed, not remembered. */
  v3TenPercentFreshStateMicros: perFreshQuote(tenPercent),
  v3UnpackMicrosPer1000Ticks: unpackMicros(),
  v3CurvesMicros: micros(2_000, () => v3.state.curves(pool).length),
  v2CurveNanos: perEvaluation(curveOf(v2, pair), 1e18),
  v3CurveNanos: perEvaluation(curveOf(v3, pool), Number(tenPercent)),
};
report(figures, () => {
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(32)} ${value.toFixed(3)}\n`);
});

function venueNamed(name: string): SolverVenue {
  const found = venues.get(name);
  if (found === undefined) throw new Error(`the venue ${name} is missing`);
  return found;
}

function makePool(tick: number, width: number, tickSpacing: number): ConcentratedState {
  const nets = new Map<number, bigint>();
  let liquidity = 0n;
  for (let i = -100; i < 100; i++) {
    const [lower, upper] = [tick + i * width, tick + (i + 3) * width];
    const amount = 10n ** 18n + BigInt(Math.abs(i)) * 10n ** 16n;
    nets.set(lower, (nets.get(lower) ?? 0n) + amount);
    nets.set(upper, (nets.get(upper) ?? 0n) - amount);
    if (lower <= tick && tick < upper) liquidity += amount;
  }
  const pairs = [...nets].sort(([a], [b]) => a - b);
  const sqrtPriceX96 = (sqrtRatioAtTick(tick) + sqrtRatioAtTick(tick + width)) / 2n;
  const inside = tickAtSqrtRatio(sqrtPriceX96);
  return { feePpm: 3000, tickSpacing, sqrtPriceX96, liquidity, tick: inside, ticks: tickTable(pairs), truncated: false };
}

/** The input of token0 that moves the price down by the share. */
function amountForMove(share: number): bigint {
  let amount = 1n << 100n;
  for (let bit = 99n; bit >= 0n; bit--) {
    const quote = v3.price.exactIn(pool, 0, 1, amount, MOMENT);
    const moved = quote.ok ? 1 - (Number((quote.next as ConcentratedState).sqrtPriceX96) / Number(pool.sqrtPriceX96)) ** 2 : 1;
    amount += moved > share ? -(1n << bit) : 1n << bit;
  }
  return amount;
}

function perQuote(venue: SolverVenue, state: unknown, amount: bigint, exact: 'in' | 'out' = 'in'): number {
  const amounts = Array.from({ length: AMOUNTS }, (_, i) => amount + BigInt(i));
  const quote = exact === 'in' ? venue.price.exactIn : venue.price.exactOut;
  if (quote === undefined) throw new Error('the venue has no exact output');
  return micros(QUOTES, (i) => (quote(state, 0, 1, amounts[i % AMOUNTS] ?? amount, MOMENT).ok ? 1 : 0));
}

function perFreshQuote(amount: bigint): number {
  const states = Array.from({ length: FRESH_QUOTES * ROUNDS }, () => ({ ...pool }));
  let used = 0;
  return micros(FRESH_QUOTES, () => (v3.price.exactIn(states[used++] ?? pool, 0, 1, amount, MOMENT).ok ? 1 : 0));
}

function unpackMicros(): number {
  const many = makePool(0, 120, 60);
  const out = new WordWriter();
  v3.state.pack(many, out);
  const words = out.finish();
  const micro = micros(500, () => (v3.state.unpack(new WordReader(words)) as ConcentratedState).tick);
  return (micro / many.ticks.indices.length) * 1000;
}

function curveOf(venue: SolverVenue, state: unknown): Curve {
  const edge = venue.state.curves(state).find(({ slotIn }) => slotIn === 0);
  if (edge === undefined) throw new Error('no curve');
  return edge.curve;
}

/** One evaluation as the search makes it: find the piece, then the closed form. Nanoseconds. */
function perEvaluation(curve: Curve, amount: number): number {
  if (curve.kind !== 'segments') throw new Error('not a curve of segments');
  const { columns, keep } = curve;
  const evaluate = (input: number): number => {
    const x = input * keep;
    let low = 0;
    let high = columns.length / 4 - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((columns[4 * middle] as number) <= x) low = middle;
      else high = middle - 1;
    }
    const at = 4 * low;
    const d = x - (columns[at] as number);
    return (columns[at + 1] as number) + ((columns[at + 3] as number) * d) / ((columns[at + 2] as number) + d);
  };
  return micros(1_000_000, (i) => evaluate((amount * (i & 1023)) / 1024)) * 1000;
}

/** Microseconds of one run: processor time of this process, so that a busy machine does not show; the median of several rounds. */
function micros(runs: number, run: (i: number) => number): number {
  let sink = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < runs; i++) sink += run(i);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  if (sink === 0) throw new Error('nothing was computed');
  const median = rounds.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  return median / runs;
}
