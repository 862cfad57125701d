import { type Band, chart, escapeHtml } from './chart.ts';
import { shown } from './report-table.ts';
import type { Outcome } from './run-scenario.ts';
import type { Fault, Step } from './scenario.ts';
import { plannedRate } from './summary.ts';

const STYLE = `
  :root { color-scheme: light dark; --line: #8884; --faint: #8882; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 1360px; margin: 2rem auto; padding: 0 1.5rem; }
  h2 { margin: 2.5rem 0 0.25rem; } p { margin: 0.25rem 0 0.75rem; opacity: 0.8; }
  table { display: block; max-width: 100%; overflow-x: auto; border-collapse: collapse; font-variant-numeric: tabular-nums; } td, th { padding: 0.2rem 0.9rem 0.2rem 0; text-align: left; border-bottom: 1px solid var(--line); }
  .yes { color: #1a7f37; } .no { color: #cf222e; font-weight: 600; }
  .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(520px, 100%), 1fr)); gap: 1rem 2rem; }
  figure { margin: 0.75rem 0; } figcaption { font-weight: 600; margin-bottom: 0.25rem; } svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: currentColor; opacity: 0.75; }
  .grid { stroke: var(--line); stroke-width: 1; } .band { fill: var(--faint); } .legend span { margin-right: 1.25rem; font-size: 13px; } .legend i { display: inline-block; width: 1.4rem; margin-right: 0.4rem; vertical-align: middle; }`;

/** One file without anything to fetch: a summary, and of each scenario its checks and its charts over time. */
export function reportHtml(title: string, facts: readonly string[], outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ scenario, summary, verdicts }) => {
    const ok = verdicts.every((verdict) => verdict.ok);
    const cells = [
      shown(summary.offeredPerSecond),
      shown(summary.goodputPerSecond),
      `${(100 * summary.shedShare).toFixed(1)}%`,
      shown(summary.answered.p50),
      shown(summary.answered.p99),
      shown(summary.refused.p99),
      shown(summary.recoverySeconds),
      String(summary.failed),
    ];
    return `<tr><td><a href="#${scenario.name}">${scenario.name}</a></td>${cells.map((cell) => `<td>${cell}</td>`).join('')}<td class="${ok ? 'yes' : 'no'}">${ok ? 'all hold' : `${verdicts.filter((verdict) => !verdict.ok).length} of ${verdicts.length} fail`}</td></tr>`;
  });
  const head = ['scenario', 'offered/s', 'goodput/s', 'shed', 'p50 ms', 'p99 ms', 'p99 of shed ms', 'recovery s', 'failed', 'checks'];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1>
${facts.map((fact) => `<p>${escapeHtml(fact)}</p>`).join('\n')}
<table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>
${outcomes.map(section).join('\n')}
</body></html>
`;
}

function section({ scenario, capacity, summary, verdicts }: Outcome): string {
  const { seconds } = summary;
  const bands = [...overloads(scenario.steps), ...scenario.faults.map(bandOf)];
  const latency = chart(
    'Latency by when a request was due',
    'ms (logarithmic)',
    [
      { name: 'p50 of answers', color: '#2f81f7', values: seconds.map(({ p50 }) => p50) },
      { name: 'p99 of answers', color: '#d29922', values: seconds.map(({ p99 }) => p99) },
    ],
    bands,
    true,
  );
  const goodput = chart(
    'Goodput',
    'requests per second',
    [
      { name: 'planned', color: '#8b949e', dashed: true, values: seconds.map(({ second }) => plannedRate(scenario.steps, second, capacity)) },
      { name: 'answered in time', color: '#1a7f37', values: seconds.map(({ good }) => good) },
      { name: 'shed', color: '#d29922', values: seconds.map(({ shed }) => shed) },
      { name: 'failed or lost', color: '#cf222e', values: seconds.map(({ failed }) => failed) },
    ],
    bands,
    false,
  );
  const checks = verdicts.map(
    ({ what, wanted, measured, ok }) =>
      `<tr><td>${escapeHtml(what)}</td><td>${escapeHtml(wanted)}</td><td>${escapeHtml(measured)}</td><td class="${ok ? 'yes' : 'no'}">${ok ? 'holds' : 'fails'}</td></tr>`,
  );
  return `<h2 id="${scenario.name}">${scenario.name}</h2><p>${escapeHtml(scenario.title)}; capacity ${shown(capacity)} requests per second. Shaded: overload and faults.</p>
<table><tbody>${checks.join('')}</tbody></table><div class="charts">${latency}${goodput}</div>`;
}

function overloads(steps: readonly Step[]): readonly Band[] {
  let start = 0;
  return steps.flatMap(({ seconds, overload = false }) => {
    const from = start;
    start += seconds;
    return overload ? [{ from, to: start, name: 'overload' }] : [];
  });
}

function bandOf(fault: Fault): Band {
  const seconds = fault.kind === 'kill-thread' ? fault.everySeconds * fault.count : fault.seconds;
  return { from: fault.atSecond, to: fault.atSecond + seconds, name: fault.kind };
}
