import type { Outcome } from './run-scenario.ts';

/** A Markdown table, one row a scenario, and one a check below. */
export function reportTable(outcomes: readonly Outcome[]): string {
  const head = ['scenario', 'offered/s', 'goodput/s', 'in overload/s', 'shed', 'p50 / p99 ms', 'p99 of shed ms', 'recovery s', 'failed', 'checks'];
  const rows = outcomes.map(({ scenario, summary, verdicts }) => [
    scenario.name,
    shown(summary.offeredPerSecond),
    shown(summary.goodputPerSecond),
    shown(summary.overloadGoodputPerSecond),
    `${(100 * summary.shedShare).toFixed(1)}%`,
    `${shown(summary.answered.p50)} / ${shown(summary.answered.p99)}`,
    shown(summary.refused.p99),
    shown(summary.recoverySeconds),
    String(summary.failed),
    verdicts.every(({ ok }) => ok) ? 'all hold' : `${verdicts.filter(({ ok }) => !ok).length} of ${verdicts.length} fail`,
  ]);
  const checks = outcomes.flatMap(({ scenario, verdicts }) =>
    verdicts.map(({ what, wanted, measured, ok }) => [scenario.name, what, wanted, measured, ok ? 'yes' : 'NO']),
  );
  return `${markdown(head, rows)}\n\n${markdown(['scenario', 'what', 'wanted', 'measured', 'holds'], checks)}\n`;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export function shown(value: number | null): string {
  if (value === null) return '–';
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2);
}
