import type { Verdict } from '../load/checks.ts';
import type { Result } from '../load/generator.ts';
import { isGood, quantiles } from '../load/summary.ts';
import type { Executions } from './executor.ts';
import type { PlannedFault } from './fault-plan.ts';
import { growthPerTenMinutes, riseAcross, type Sample } from './samples.ts';

export type Soaked = {
  readonly seconds: number;
  readonly results: readonly Result[];
  readonly faults: readonly PlannedFault[];
  /** Seconds of the freshness bound. */
  readonly freshness: number;
  readonly executions: Executions;
  readonly samples: readonly Sample[];
};

/** So long after a fault nothing may be seen of it any more. */
const SETTLE_SECONDS = 5;
/** From here on a run is long enough for the figures of the long one. */
const LONG_SECONDS = 1800;
/** A short run has its caches still filling and a hundredth of a few hundred requests, and is one of CI, whose machine may do other things beside it: its bounds catch what runs away, not what creeps. */
const P99_RATIO = { long: 1.3, short: 10 } as const;
const SLOPE_PER_TEN_MINUTES = 0.01;
/** In standard errors: what chance explains in 19 of 20 runs. */
const CERTAINTY = 2;
const SHORT_RISE = 0.5;
/** A machine that does other things beside a short run may mine a block late, and be stale for so long. */
const LATE_SECONDS = 10;
/** Below this a p99 is the machine's: seconds, where others use it too. */
const FLOOR_MS = { long: 50, short: 3000 } as const;
/** Of 136 swaps sent with a fifth more than the estimate, with the bots trading, none ran out of gas (`npm run bench:margin`): that happens by chance too where two in a hundred do. */
const OUT_OF_GAS = 0.02;
/** Calm seconds are those without a fault. Of their requests nearly all are served; in a short run half, since what a machine that is used by others can not solve in time is shed, as it should be. */
const CALM_SERVED = { long: 0.99, short: 0.5 } as const;

export function judgeSoak({ seconds, results, faults, freshness, executions, samples }: Soaked): readonly Verdict[] {
  const long = seconds >= LONG_SECONDS;
  const stale = results.filter(({ ending }) => ending === 'stale');
  const nodeFault = ({ kind }: PlannedFault) => kind.startsWith('node-') || kind === 'chain-stale';
  // The chain of the run is mined by the process that makes the load: where it is late itself, stale is the truth.
  const late = new Set(samples.filter(({ chainAge }) => chainAge > freshness - 2).map(({ second }) => second));
  const disturbed = (at: number) => late.has(Math.floor(at)) || faults.some(({ from, to }) => at >= from && at < to + SETTLE_SECONDS);
  const ages = new Map(samples.map(({ second, chainAge }) => [second, chainAge]));
  // What the node shows when it fails may be old already.
  const staleFrom = (fault: PlannedFault) => fault.from + freshness - 2 - Math.max(0, ages.get(Math.floor(fault.from)) ?? 0);
  const excused = (at: number) =>
    late.has(Math.floor(at)) || faults.some((fault) => nodeFault(fault) && at >= staleFrom(fault) && at < fault.to + SETTLE_SECONDS);
  const unexcused = stale.filter(({ atMs }) => !excused(atMs / 1000)).map(({ atMs }) => Math.floor(atMs / 1000));
  const tolerated = long ? 0 : Math.floor((LATE_SECONDS * results.length) / seconds);
  const kills = faults.reduce((sum, { kind, size }) => sum + (kind === 'thread-kill' ? size : 0), 0);
  const failed = results.filter(({ ending }) => ending === 'failed').length;
  const poison = samples.at(-1)?.poisonRefused ?? 0;
  // A machine that gives its threads no time ends them late. In a long run that is a fault of ours.
  const overruns = long ? 0 : (samples.at(-1)?.overruns ?? 0);
  const lost = results.filter(({ ending }) => ending === 'lost');
  const calm = results.filter(({ atMs }) => !disturbed(atMs / 1000));
  const served = calm.filter(isGood).length / Math.max(1, calm.length);
  const part = Math.max(60, seconds / 6);
  const p99 = (from: number, to: number) =>
    quantiles(calm.filter(({ atMs, ending }) => ending === 'answered' && atMs >= from * 1000 && atMs < to * 1000).map(({ ms }) => ms)).p99;
  const first = p99(5, 5 + part);
  const last = p99(seconds - part, seconds);
  const wanted = CALM_SERVED[long ? 'long' : 'short'];
  const allowed = Math.max(FLOOR_MS[long ? 'long' : 'short'], P99_RATIO[long ? 'long' : 'short'] * (first ?? 0));
  const series = new Set(samples.filter(({ second }) => second >= 20).map((one) => one.series));
  const { delivered, moved, unmined, outOfGas, wrong } = executions;
  const mayRunOut = Math.max(1, Math.floor(OUT_OF_GAS * (delivered + outOfGas.length)));
  return [
    verdict(
      'failed requests (500)',
      `≤ ${kills}, one a killed thread, ${poison} of jobs that had killed two, and ${overruns} of jobs past their deadline`,
      String(failed),
      failed <= kills + poison + overruns,
    ),
    verdict('connections that broke', '0', [lost.length, ...lost.map(reasonOf)].join(', '), lost.length === 0),
    verdict(
      'stale 503 without a node that failed long enough',
      `≤ ${tolerated}`,
      `${unexcused.length} of ${stale.length}${at(unexcused, samples)}`,
      unexcused.length <= tolerated,
    ),
    verdict('served in time in calm seconds', `≥ ${percent(wanted)}`, `${percent(served)} of ${calm.length}`, served >= wanted),
    verdict(
      `p99 of the last ${Math.round(part)} s, ms`,
      `≤ ${allowed.toFixed(0)}`,
      `${last?.toFixed(1) ?? '–'}, at first ${first?.toFixed(1) ?? '–'}`,
      last !== null && last <= allowed,
    ),
    memory(long, seconds, samples),
    verdict('number of metric series', 'constant', [...series].join(', '), series.size === 1),
    verdict('executed swaps that delivered', '≥ 1', `${delivered}; ${moved} moved past their floor, ${unmined} not mined or reorganised away`, delivered >= 1),
    verdict('swaps that used up the estimate and a fifth', `≤ ${mayRunOut}`, [outOfGas.length, ...outOfGas].join(', '), outOfGas.length <= mayRunOut),
    verdict('swaps that went wrong', '0', wrong.length === 0 ? '0' : `${wrong.length}: ${wrong[0]}`, wrong.length === 0),
  ];
}

function memory(long: boolean, seconds: number, samples: readonly Sample[]): Verdict {
  if (!long) {
    const rise = riseAcross(samples, seconds);
    const what = 'resident memory of the last quarter above the second';
    return verdict(what, `≤ ${percent(SHORT_RISE)}`, rise === null ? 'no samples' : percent(rise), rise !== null && rise <= SHORT_RISE);
  }
  const growth = growthPerTenMinutes(samples.filter(({ second }) => second >= seconds / 2));
  const measured = growth === null ? 'no samples' : `${percent(growth.slope)} ± ${percent(growth.error)}`;
  // What chance explains is no leak.
  const holds = growth !== null && growth.slope - CERTAINTY * growth.error <= SLOPE_PER_TEN_MINUTES;
  return verdict('slope of resident memory per 10 min, second half', `≤ ${percent(SLOPE_PER_TEN_MINUTES)} but for two standard errors`, measured, holds);
}

/** The seconds, and how many blocks the service was behind then. */
function at(seconds: readonly number[], samples: readonly Sample[]): string {
  const behind = new Map(samples.map(({ second, block, chainBlock }) => [second, chainBlock - block]));
  const told = [...new Set(seconds)].map((second) => `${second} s (${behind.get(second) ?? '?'} behind)`);
  return told.length === 0 ? '' : `, at ${told.join(', ')}`;
}

function reasonOf({ fault, atMs, ms }: Result): string {
  return `${fault ?? 'the answer broke off'} of the request at ${(atMs / 1000).toFixed(0)} s after ${ms.toFixed(0)} ms`;
}

function verdict(what: string, wanted: string, measured: string, ok: boolean): Verdict {
  return { what, wanted, measured, ok };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
