import { scrape } from '../../test/support/scrape.ts';
import { arrivalsOf, type TradeQuery } from './arrivals.ts';
import { type Facts, judge, type Verdict } from './checks.ts';
import { generate, type LoadTarget } from './generator.ts';
import { startProbes } from './probes.ts';
import { type Sample, startSamples } from './samples.ts';
import type { Check, Fault, Scenario } from './scenario.ts';
import { quantiles, type Summary, summarise } from './summary.ts';
import type { OwnTarget } from './target-process.ts';

export type ScenarioRun = {
  readonly target: LoadTarget;
  readonly internalUrl: string | null;
  /** null: a deployment, which is only asked. */
  readonly own: OwnTarget | null;
  readonly trades: readonly TradeQuery[];
  readonly capacity: number;
  readonly seed: number;
  readonly onSecond: (second: number, of: number) => void;
};

export type Outcome = { readonly scenario: Scenario; readonly capacity: number; readonly summary: Summary; readonly verdicts: readonly Verdict[] };

/** What of an outcome is kept in the history: what was checked, and what came of it. */
export function inShort({ scenario, capacity, verdicts }: Outcome): object {
  return { scenario: scenario.name, capacity: Math.round(capacity), checks: verdicts.map(({ what, measured, ok }) => ({ what, measured, ok })) };
}

/** Whether a target can be made to fail as the scenario asks. */
export function canRun({ faults, clients }: Scenario, own: OwnTarget | null): boolean {
  if (faults.length === 0 && !clients.some(({ poison }) => poison !== undefined)) return true;
  return own !== null && (own.rpcUrl !== null || !faults.some(({ kind }) => kind !== 'kill-thread'));
}

export async function runScenario(scenario: Scenario, run: ScenarioRun): Promise<Outcome> {
  const { target, internalUrl, own, trades, capacity, seed, onSecond } = run;
  const length = scenario.steps.reduce((sum, { seconds }) => sum + seconds, 0);
  const before = await readMetrics(internalUrl);
  const deathsBefore = own?.heardAfterMs().length ?? 0;
  const stopFaults = own === null ? () => undefined : startFaults(scenario.faults, own);
  const endSamples = internalUrl !== null && scenario.checks.some(needsSamples) ? startSamples(internalUrl) : async (): Promise<readonly Sample[]> => [];
  const endProbes = startProbes([`${target.baseUrl}/healthz`, ...(internalUrl === null ? [] : [`${internalUrl}/metrics`])]);
  const results = await generate(target, arrivalsOf(scenario, trades, capacity, seed), (second) => onSecond(second, length));
  const [probes, samples] = await Promise.all([endProbes(), endSamples()]);
  stopFaults();
  const after = await readMetrics(internalUrl);
  const summary = summarise(scenario, results);
  const refunded = before === null || after === null ? null : refundedTokens(after) - refundedTokens(before);
  const deaths = own?.heardAfterMs().slice(deathsBefore) ?? [];
  const refill =
    before === null || after === null || deaths.length === 0
      ? null
      : { deaths: deaths.length, heardP99Ms: quantiles(deaths).p99 ?? 0, filledP99Ms: 1000 * bucketP99(refillsOf(before), refillsOf(after)) };
  const facts: Facts = { capacity, refunded, probes, samples, refill };
  return { scenario, capacity, summary, verdicts: scenario.checks.map((check) => judge(check, summary, facts)) };
}

function needsSamples({ kind }: Check): boolean {
  return kind === 'queue-empty' || kind === 'memory-back';
}

/** Begins and ends faults at their times. Returns what ends them all. */
function startFaults(faults: readonly Fault[], own: OwnTarget): () => void {
  const timers = faults.flatMap((fault) => {
    if (fault.kind === 'kill-thread') {
      return Array.from({ length: fault.count }, (_, index) => setTimeout(() => own.killThread(), 1000 * (fault.atSecond + index * fault.everySeconds)));
    }
    const { kind, atSecond, seconds } = fault;
    return [setTimeout(() => own.order({ kind, on: true }), 1000 * atSecond), setTimeout(() => own.order({ kind, on: false }), 1000 * (atSecond + seconds))];
  });
  return () => {
    for (const timer of timers) clearTimeout(timer);
    for (const { kind } of faults) if (kind !== 'kill-thread') own.order({ kind, on: false });
  };
}

async function readMetrics(internalUrl: string | null): Promise<string | null> {
  return internalUrl === null ? null : scrape(internalUrl);
}

function refundedTokens(metrics: string): number {
  const values = [...metrics.matchAll(/^braid_metering_decisions_total\{[^}]*decision="refunded"[^}]*\} (\d+)/gm)].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0);
}

/** Counts by upper bound, in seconds, each with all below it. */
function refillsOf(metrics: string): Buckets {
  const counts = metrics.matchAll(/^braid_solver_refill_seconds_bucket\{le="([^"]+)"\} (\d+)/gm);
  return new Map([...counts].map(([, bound, count]) => [bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), Number(count)]));
}

type Buckets = ReadonlyMap<number, number>;

/** The upper bound of the bucket that holds the 99th percentile of what was added to a histogram; 0 where nothing was. */
export function bucketP99(before: Buckets, after: Buckets): number {
  const added = [...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const).sort(([a], [b]) => a - b);
  const total = added.at(-1)?.[1] ?? 0;
  return total === 0 ? 0 : (added.find(([, count]) => count >= 0.99 * total)?.[0] ?? Number.POSITIVE_INFINITY);
}
