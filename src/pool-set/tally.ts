import { LIMITS } from '../config/limits.ts';
import type { LeftOutReason } from './pool-entry.ts';

/** What a pool set came to: counts, and the first messages about pools left out. */
export type PoolSetSummary = {
  readonly pools: number;
  readonly byKind: ReadonlyMap<string, number>;
  readonly bySource: ReadonlyMap<string, number>;
  readonly leftOut: readonly { readonly kind: string; readonly reason: LeftOutReason; readonly count: number }[];
  readonly examples: readonly string[];
};

type Outcome =
  | { readonly taken: true; readonly kind: string; readonly source: string }
  | { readonly taken: false; readonly kind: string; readonly reason: LeftOutReason; readonly message: string };

/** Keeps count of the pools in and left out. A pool has one outcome, the latest; an entry without a usable id (key null) adds one each time. */
export type Tally = {
  take(key: string, kind: string, source: string): void;
  leaveOut(key: string | null, kind: string, reason: LeftOutReason, message: string): void;
  /** The pool is gone. */
  drop(key: string): void;
  /** Source labels of the pools in the snapshot: unique, sorted by code unit. */
  labels(): readonly string[];
  summary(): PoolSetSummary;
};

export function createTally(): Tally {
  const byKey = new Map<string, Outcome>();
  const keyless: Outcome[] = [];
  const outcomes = (): readonly Outcome[] => [...byKey.values(), ...keyless];
  return {
    take: (key, kind, source) => void byKey.set(key, { taken: true, kind, source }),
    leaveOut(key, kind, reason, message) {
      const outcome: Outcome = { taken: false, kind, reason, message };
      if (key === null) keyless.push(outcome);
      else byKey.set(key, outcome);
    },
    drop: (key) => void byKey.delete(key),
    labels: () => [...new Set(outcomes().flatMap((outcome) => (outcome.taken ? [outcome.source] : [])))].sort(),
    summary: () => summarise(outcomes()),
  };
}

function summarise(outcomes: readonly Outcome[]): PoolSetSummary {
  const byKind = new Map<string, number>();
  const bySource = new Map<string, number>();
  const leftOut = new Map<string, { kind: string; reason: LeftOutReason; count: number }>();
  const examples: string[] = [];
  for (const outcome of outcomes) {
    if (outcome.taken) {
      byKind.set(outcome.kind, (byKind.get(outcome.kind) ?? 0) + 1);
      bySource.set(outcome.source, (bySource.get(outcome.source) ?? 0) + 1);
      continue;
    }
    const { kind, reason, message } = outcome;
    const group = leftOut.get(`${kind} ${reason}`) ?? { kind, reason, count: 0 };
    group.count++;
    leftOut.set(`${kind} ${reason}`, group);
    if (reason !== 'kind-not-supported' && examples.length < LIMITS.files.leftOutExamples) examples.push(message);
  }
  const pools = [...byKind.values()].reduce((sum, count) => sum + count, 0);
  return { pools, byKind, bySource, leftOut: [...leftOut.values()], examples };
}
