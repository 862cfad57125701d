import type { Probed } from './probes.ts';
import { emptyAfterMs, memoryOf, type Sample } from './samples.ts';
import type { Check } from './scenario.ts';
import type { Summary } from './summary.ts';

export type Verdict = { readonly what: string; readonly wanted: string; readonly measured: string; readonly ok: boolean };

/** Facts that a check may need beside the summary. */
export type Facts = {
  readonly capacity: number;
  /** Tokens that the service gave back meanwhile; null without its internal port. */
  readonly refunded: number | null;
  readonly probes: Probed;
  /** Of its metrics meanwhile; none without its internal port, or where no check looks at them. */
  readonly samples: readonly Sample[];
  /** From the death of a thread until the process heard of it, and from then to a loaded thread in its place, 99th percentiles; null where no thread died. */
  readonly refill: { readonly deaths: number; readonly heardP99Ms: number; readonly filledP99Ms: number } | null;
};

export function judge(check: Check, summary: Summary, facts: Facts): Verdict {
  switch (check.kind) {
    case 'only-endings': {
      const others = Object.entries(summary.endings).filter(([ending]) => !check.endings.some((allowed) => allowed === ending));
      const shown = others.map(([ending, count]) => `${count} × ${ending}`).join(', ');
      return verdict('how requests ended', `only ${check.endings.join(', ')}`, others.length === 0 ? 'only so' : shown, others.length === 0);
    }
    case 'goodput':
      return atLeast('goodput in overload, of the capacity', check.atLeast, (summary.overloadGoodputPerSecond ?? 0) / facts.capacity);
    case 'admitted-p99':
      return atMost('p99 of answers, ms', check.ms, summary.answered.p99);
    case 'beyond-budget-p99':
      return atMost('p99 of answers beyond their budget, ms', check.ms, summary.beyondBudgetP99Ms);
    case 'refusals-p99':
      return atMost('p99 of shed requests, ms', check.ms, summary.refused.p99);
    case 'recovered-after':
      return atMost('last shed request after the overload, s', check.seconds, summary.recoverySeconds);
    case 'failed':
      return atMost('failed or lost requests', check.atMost, summary.failed);
    case 'failed-per-death': {
      const deaths = facts.refill?.deaths ?? 0;
      return verdict('failed or lost requests, at most one for each death', `≤ ${deaths}`, String(summary.failed), deaths > 0 && summary.failed <= deaths);
    }
    case 'probes-p99': {
      const { probes } = facts;
      const what = `p99 of health checks and scrapes, all answered 200, ms (${probes.asked} asked, ${probes.others} answered otherwise)`;
      const { p99Ms } = probes;
      return verdict(what, `≤ ${check.ms}`, p99Ms === null ? 'none asked' : p99Ms.toFixed(0), probes.others === 0 && p99Ms !== null && p99Ms <= check.ms);
    }
    case 'served':
      return atLeast(`served in time of client ${check.client}`, check.atLeast, summary.clients[check.client]?.servedShare ?? 0);
    case 'refilled-p99': {
      const { refill } = facts;
      const what = 'p99 from the death of a thread to another in its place, at most, ms';
      if (refill === null) return verdict(what, `≤ ${check.ms}`, 'no thread died', false);
      return atMost(`${what} (${refill.deaths} deaths)`, check.ms, refill.heardP99Ms + refill.filledP99Ms);
    }
    case 'queue-empty': {
      const after = summary.lastLeftMs === null ? null : emptyAfterMs(facts.samples, summary.lastLeftMs);
      return verdict('an empty queue after the last client hung up, ms', `≤ ${check.ms}`, after?.toFixed(0) ?? 'not seen', after !== null && after <= check.ms);
    }
    case 'memory-back': {
      const what = `resident memory after the last poison at most ${percent(check.share)} above what it was, s`;
      const memory = summary.poisonMs === null ? null : memoryOf(facts.samples, summary.poisonMs, check.share);
      if (memory === null || memory.backAfterMs === null) return verdict(what, `≤ ${check.seconds}`, 'not seen', false);
      const seconds = memory.backAfterMs / 1000;
      return verdict(
        `${what} (${megabytes(memory.restBytes)} before, at most ${megabytes(memory.mostBytes)})`,
        `≤ ${check.seconds}`,
        seconds.toFixed(1),
        seconds <= check.seconds,
      );
    }
    case 'shed-costs-nothing': {
      const shed = Math.round(summary.shedShare * summary.requests);
      const { refunded } = facts;
      return verdict(
        'tokens given back',
        refunded === null ? 'not looked at: needs --internal' : `${shed}, one per shed request`,
        String(refunded ?? '–'),
        refunded === null || refunded === shed,
      );
    }
    default:
      throw new TypeError(`unknown check ${JSON.stringify(check satisfies never)}`);
  }
}

function atLeast(what: string, least: number, measured: number): Verdict {
  return verdict(what, `≥ ${percent(least)}`, percent(measured), measured >= least);
}

/** Nothing measured is nothing to complain about. */
function atMost(what: string, most: number, measured: number | null): Verdict {
  return verdict(what, `≤ ${most}`, measured === null ? '–' : measured.toFixed(measured < 10 ? 2 : 0), measured === null || measured <= most);
}

function verdict(what: string, wanted: string, measured: string, ok: boolean): Verdict {
  return { what, wanted, measured, ok };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
