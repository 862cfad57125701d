import { rateAt } from './arrivals.ts';
import type { Result } from './generator.ts';
import type { Scenario, Step } from './scenario.ts';

/** An answer later than this beyond its budget is no good. */
export const SLACK_MS = 250;

export type SecondOfLoad = {
  readonly second: number;
  readonly offered: number;
  readonly good: number;
  readonly shed: number;
  readonly failed: number;
  /** Of answered requests, ms; null without any. */
  readonly p50: number | null;
  readonly p99: number | null;
};

export type Summary = {
  readonly requests: number;
  readonly offeredPerSecond: number;
  /** Answers in time, per second: over all, and over the seconds of overload. */
  readonly goodputPerSecond: number;
  readonly overloadGoodputPerSecond: number | null;
  readonly shedShare: number;
  readonly answered: Quantiles;
  readonly refused: Quantiles;
  /** 99th percentile of what answers took beyond their budgets: negative within them. */
  readonly beyondBudgetP99Ms: number | null;
  readonly failed: number;
  /** Answers by status; what got none by why. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly endings: Readonly<Record<string, number>>;
  /** From the end of the last overload to the last shed request; null without overload. */
  readonly recoverySeconds: number | null;
  /** From the start, ms: when the last client hung up, the first poison was due and the last one answered; null without any. */
  readonly lastLeftMs: number | null;
  readonly poisonMs: readonly [number, number] | null;
  readonly clients: Readonly<Record<string, { readonly requests: number; readonly servedShare: number }>>;
  readonly seconds: readonly SecondOfLoad[];
};

export type Quantiles = { readonly count: number; readonly p50: number | null; readonly p99: number | null };

export function summarise({ clients, steps }: Scenario, results: readonly Result[]): Summary {
  const length = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  const good = results.filter(isGood);
  const shed = results.filter(({ ending }) => ending === 'shed');
  const answered = results.filter(({ ending }) => ending === 'answered');
  const poison = results.filter(({ client }) => clients[client]?.poison !== undefined);
  const overloaded = overloadSeconds(steps);
  const overloadLength = overloaded.reduce((sum, [from, to]) => sum + to - from, 0);
  const overloadEnd = overloaded.at(-1)?.[1] ?? null;
  const within = ({ atMs, ms }: Result) => overloaded.some(([from, to]) => atMs + ms >= from * 1000 && atMs + ms < to * 1000);
  const lateShed = overloadEnd === null ? [] : shed.filter(({ atMs }) => atMs > overloadEnd * 1000).map(({ atMs }) => atMs / 1000 - overloadEnd);
  return {
    requests: results.length,
    offeredPerSecond: results.length / length,
    goodputPerSecond: good.length / length,
    overloadGoodputPerSecond: overloadLength === 0 ? null : good.filter(within).length / overloadLength,
    shedShare: shed.length / Math.max(1, results.length),
    answered: quantiles(answered.map(({ ms }) => ms)),
    refused: quantiles(shed.map(({ ms }) => ms)),
    beyondBudgetP99Ms: quantiles(answered.map(({ ms, budgetMs }) => ms - budgetMs)).p99,
    failed: results.filter(({ ending }) => ending === 'failed' || ending === 'lost').length,
    statuses: countBy(results, ({ status, fault }) => fault ?? String(status)),
    endings: countBy(results, ({ ending }) => ending),
    lastLeftMs: lastEnd(results.filter(({ ending }) => ending === 'left')),
    poisonMs: poison.length === 0 ? null : [Math.min(...poison.map(({ atMs }) => atMs)), lastEnd(poison) ?? 0],
    recoverySeconds: overloadEnd === null ? null : Math.max(0, ...lateShed),
    clients: Object.fromEntries(
      clients.map(({ name }, index) => {
        const own = results.filter(({ client }) => client === index);
        return [name, { requests: own.length, servedShare: own.filter(isGood).length / Math.max(1, own.length) }];
      }),
    ),
    seconds: secondsOf(Math.ceil(length), results),
  };
}

/** null without any. */
function lastEnd(results: readonly Result[]): number | null {
  return results.length === 0 ? null : Math.max(...results.map(({ atMs, ms }) => atMs + ms));
}

export function isGood({ ending, ms, budgetMs }: Result): boolean {
  return ending === 'answered' && ms <= budgetMs + SLACK_MS;
}

/** By when they were due, except what is served, which counts when the answer came. */
function secondsOf(count: number, results: readonly Result[]): readonly SecondOfLoad[] {
  const dueIn = bySecond(results, ({ atMs }) => atMs);
  const endedIn = bySecond(results, ({ atMs, ms }) => atMs + ms);
  return Array.from({ length: count }, (_, second) => {
    const due = dueIn.get(second) ?? [];
    const { p50, p99 } = quantiles(due.filter(({ ending }) => ending === 'answered').map(({ ms }) => ms));
    const shed = due.filter(({ ending }) => ending === 'shed').length;
    const failed = due.filter(({ ending }) => ending === 'failed' || ending === 'lost').length;
    return { second, offered: due.length, good: (endedIn.get(second) ?? []).filter(isGood).length, shed, failed, p50, p99 };
  });
}

function bySecond(results: readonly Result[], timeOf: (result: Result) => number): ReadonlyMap<number, readonly Result[]> {
  const groups = new Map<number, Result[]>();
  for (const result of results) {
    const second = Math.floor(timeOf(result) / 1000);
    const group = groups.get(second);
    if (group === undefined) groups.set(second, [result]);
    else group.push(result);
  }
  return groups;
}

function overloadSeconds(steps: readonly Step[]): readonly (readonly [number, number])[] {
  let start = 0;
  return steps.flatMap(({ seconds, overload = false }) => {
    const from = start;
    start += seconds;
    return overload ? [[from, start] as const] : [];
  });
}

export function quantiles(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => (sorted.length === 0 ? null : (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null));
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

function countBy(results: readonly Result[], name: (result: Result) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) counts[name(result)] = (counts[name(result)] ?? 0) + 1;
  return counts;
}

/** What was asked for in a second, per second: for charts. */
export function plannedRate(steps: readonly Step[], second: number, capacity: number): number {
  return capacity * rateAt(steps, second + 0.5);
}
