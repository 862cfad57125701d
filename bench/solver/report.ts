import type { BenchSet } from './bench-set.ts';
import { bySize, SOLVERS, solverFigures } from './figures.ts';
import { BRAID_AWARE, BRAID_FREE, type Measured, REFERENCE, type Row, type RowDetail, SINGLE, SINGLE_NET, TINES_AWARE, TINES_FREE } from './measure.ts';
import type { MeasuredSet } from './measure-set.ts';
import type { ProfileLine } from './profile.ts';
import { medianP95, medianP95Max, short, spread } from './statistics.ts';

export type Report = MeasuredSet & {
  readonly worst: number;
  readonly profiles: { readonly time: readonly ProfileLine[]; readonly allocations: readonly ProfileLine[] } | null;
};

/** The tables of design/goals for one set. */
export function printReport(report: Report): void {
  const { set, selection, options, measured, openedMillis } = report;
  const { pools, leftOut } = set.loaded.tally.summary();
  const out = (line = ''): void => console.log(line);
  out(`set ${set.name}: ${set.pools.size} pools in use of ${pools} read, ${set.tokens.length} tokens, ready in ${(openedMillis / 1000).toFixed(1)} s`);
  for (const { kind, reason, count } of leftOut) out(`  left out: ${count} ${kind}, ${reason}`);
  if (set.cleared !== null) {
    const { trades, poolsChanged, poolsLeftOut } = set.cleared;
    out(`  arbitrage cleared: ${trades} trades over ${poolsChanged} pools, ${poolsLeftOut} dust pools left out, about $${short(takenOutUsd(set))} taken out`);
  }
  out(
    `requests: ${selection.requests.length}, every ${selection.every}. of ${selection.routable} routable within ${options.maxHops} hops (of ${selection.of})`,
  );
  out(
    `maxHops ${options.maxHops}, ${Number(options.gasPriceWei) / 1e9} gwei; times in ms are the better of ${options.repeat} runs; losses in bps, median / p95 / max`,
  );
  const stages = measured.details.flatMap(({ free, request }, index) =>
    request.mode === 'sell' ? (stageLosses(measured.rows[index]?.bound ?? Number.NaN, free) ?? []) : [],
  );
  const [search, exact] = [stages.map((stage) => stage.search), stages.map((stage) => stage.exact)];
  out(`stages, gas 0: lost in the search ${medianP95Max(search)} bps, between model and exact plan ${medianP95Max(exact)} bps`);
  out();
  printSolvers(measured, out);
  printBuckets(measured.rows, out);
  printDuels(measured.rows, out);
  printEffort(measured, out);
  out(
    `bound: ms ${medianP95Max(measured.rows.map(({ boundMillis }) => boundMillis))}; slack bps ${medianP95Max(measured.rows.map(({ boundSlackBps }) => boundSlackBps))}`,
  );
  out();
  for (const text of worstRequests(set, measured, report.worst)) out(text);
  for (const [title, lines] of Object.entries(report.profiles ?? {})) {
    out(`${title} by function`);
    for (const { where, share } of lines) out(`  ${(share * 100).toFixed(1).padStart(5)}%  ${where}`);
  }
}

function printSolvers({ rows }: Measured, out: (line?: string) => void): void {
  out(`${'solver'.padEnd(32)} ${'answered'.padEnd(10)} ${'lost'.padEnd(22)} ${'net lost'.padEnd(22)} ms`);
  for (const name of SOLVERS) {
    const figures = solverFigures(rows, name);
    if (figures === null) continue;
    const { answered, asked, lost, netLost, millis } = figures;
    const cell = (sample: readonly number[]) => medianP95Max(sample).padEnd(22);
    out(`${name.padEnd(32)} ${`${answered}/${asked}`.padEnd(10)} ${cell(lost)} ${cell(netLost)} ${medianP95Max(millis)}`);
  }
  out();
}

function printBuckets(rows: readonly Row[], out: (line?: string) => void): void {
  out(
    `${'by size'.padEnd(14)} ${'n'.padEnd(5)} ${'lost, gas 0'.padEnd(22)} ${'net lost, gas-aware'.padEnd(22)} ${'tines lost'.padEnd(18)} ${'ms gas 0'.padEnd(16)} ms gas-aware`,
  );
  const fillable = rows.filter((row) => row.fillable);
  for (const { name, inside } of bySize(fillable)) {
    const of = (pick: (row: Row) => number | undefined) => inside.flatMap((row) => pick(row) ?? []);
    const cells = [
      medianP95Max(of((row) => row.lost[BRAID_FREE])).padEnd(22),
      medianP95Max(of((row) => row.netLost[BRAID_AWARE])).padEnd(22),
      medianP95(of((row) => row.lost[TINES_FREE])).padEnd(18),
      medianP95(of((row) => row.millis[BRAID_FREE])).padEnd(16),
      medianP95(of((row) => row.millis[BRAID_AWARE])),
    ];
    out(`${name.padEnd(14)} ${String(inside.length).padEnd(5)} ${cells.join(' ')}`);
  }
  out();
}

/** A difference below this many basis points is a draw. */
const DRAW_BPS = 0.001;

function printDuels(rows: readonly Row[], out: (line?: string) => void): void {
  const duel = (title: string, of: (row: Row) => Readonly<Record<string, number>>, ours: string, theirs: string): void => {
    const gaps = rows.flatMap((row) => {
      const [mine, other] = [of(row)[ours], of(row)[theirs]];
      if (Number.isNaN(mine) || Number.isNaN(other)) return [];
      return mine === undefined || other === undefined ? [] : [other - mine];
    });
    const [wins, losses] = [gaps.filter((gap) => gap > DRAW_BPS), gaps.filter((gap) => gap < -DRAW_BPS)];
    const mean = spread(gaps)?.mean ?? Number.NaN;
    const worst = losses.length === 0 ? '' : `, lost at most ${short(-Math.min(...losses))} bps`;
    if (gaps.length > 0)
      out(`${title}: ${wins.length} wins, ${losses.length} losses, ${gaps.length - wins.length - losses.length} draws; mean ${short(mean)} bps${worst}`);
  };
  duel('gross against the single best path', (row) => row.lost, BRAID_FREE, SINGLE);
  duel('net against the single best path net of gas', (row) => row.netLost, BRAID_AWARE, SINGLE_NET);
  const cutOff = rows.filter(({ singleComplete }) => !singleComplete).length;
  if (cutOff > 0) out(`  the search for the best single path was cut off in ${cutOff} of ${rows.length}`);
  duel('net against the reference', (row) => row.netLost, BRAID_AWARE, REFERENCE);
  const referred = rows.flatMap(({ reference }) => reference ?? []);
  if (referred.length > 0) {
    const cut = referred.filter(({ cutOff }) => cutOff).length;
    out(
      `  the reference was asked for ${referred.length} of ${rows.length}, and cut off in ${cut}; the limit on hops costs it bps ${medianP95Max(referred.map(({ limitBps }) => limitBps))}`,
    );
  }
  duel('gross against tines without gas', (row) => row.lost, BRAID_FREE, TINES_FREE);
  duel('net against tines gas-aware', (row) => row.netLost, BRAID_AWARE, TINES_AWARE);
  out();
}

function printEffort({ details, phases }: Measured, out: (line?: string) => void): void {
  for (const [name, of] of [
    ['free', (detail: RowDetail) => detail.free],
    ['aware', (detail: RowDetail) => detail.aware],
  ] as const) {
    const names = ['subgraph', 'path', 'columns', 'gas', 'exact'] as const;
    const sample = phases[name];
    out(
      `phases, ${name === 'free' ? 'gas 0' : 'gas-aware'} (ms): ${names.map((phase) => `${phase} ${medianP95Max(sample.map((each) => each[phase]))}`).join('; ')}`,
    );
    const outcomes = details.map(of);
    const ratio = outcomes.flatMap(({ millis, resimulationMillis }) => (resimulationMillis > 0 ? [millis / resimulationMillis] : []));
    const hops = outcomes.flatMap(({ plan }) => (plan === null ? [] : [plan.hops.length]));
    const stops = new Map<string, number>();
    for (const { plan } of outcomes) if (plan !== null) stops.set(plan.facts.stopped, (stops.get(plan.facts.stopped) ?? 0) + 1);
    out(
      `  hops ${medianP95Max(hops)}; solve ÷ re-simulation ${medianP95(ratio)}; KB allocated a solve ${medianP95Max(outcomes.map(({ allocated }) => allocated / 1024))}; stopped: ${[...stops].map(([why, count]) => `${why} ${count}`).join(', ')}`,
    );
  }
}

/** The requests that lose most, with what was planned and where the bound would send the trade. */
export function worstRequests(set: BenchSet, { rows, details }: Measured, count: number): readonly string[] {
  const lines: string[] = [];
  const show = (title: string, value: (row: Row) => number | undefined, of: (detail: RowDetail) => RowDetail['free']): void => {
    const ranked = rows
      .map((row, index) => ({ row, detail: details[index] as RowDetail, value: value(row) ?? Number.NaN }))
      .filter((each) => each.value > 0.01);
    ranked.sort((a, b) => b.value - a.value);
    if (ranked.length > 0) lines.push(title);
    for (const { row, detail, value: lost } of ranked.slice(0, count)) {
      const { request } = detail;
      const amounts = Object.entries(row.netUsd).map(([name, net]) => `${name} ${net.toPrecision(9)}`);
      lines.push(
        `  ${row.id} ${row.pair} ${row.mode} ${request.amount} (${request.sellToken} → ${request.buyToken}), $${short(row.usd)}: ${short(lost)} bps; slack of the bound ${short(row.boundSlackBps)}`,
      );
      lines.push(`    net $: ${amounts.join('; ')}`);
      lines.push(`    plan (${of(detail).plan?.facts.stopped ?? 'none'}): ${planText(set, of(detail))}`);
      if (request.mode === 'sell') lines.push(`    ${stagesText(row.bound, of(detail))}`);
      if (detail.flows.length > 0) lines.push(`    bound: ${flowText(set, detail)}`);
    }
  };
  show(
    'largest losses, gas 0',
    (row) => row.lost[BRAID_FREE],
    ({ free }) => free,
  );
  show(
    'largest net losses, gas-aware',
    (row) => row.netLost[BRAID_AWARE],
    ({ aware }) => aware,
  );
  return lines;
}

/** Where the output is lost: in the float model of the split (search), or between the model and the exact plan (rounding, finalists). Basis points. */
function stageLosses(bound: number, { plan, output }: RowDetail['free']): { readonly search: number; readonly exact: number } | null {
  if (plan === null || output === null || !(plan.facts.approxOutput > 0)) return null;
  const model = plan.facts.approxOutput;
  return { search: ((bound - model) / bound) * 1e4, exact: ((model - Number(output)) / bound) * 1e4 };
}

function stagesText(bound: number, outcome: RowDetail['free']): string {
  const stages = stageLosses(bound, outcome);
  if (stages === null) return 'no split was modelled';
  const { columnsGenerated, steps } = outcome.plan?.facts ?? { columnsGenerated: 0, steps: 0 };
  return `lost in the search ${short(stages.search)} bps, between model and exact plan ${short(stages.exact)} bps; ${columnsGenerated} columns, ${steps} steps`;
}

const FLOWS_SHOWN = 12;

function planText({ tokens }: BenchSet, { plan }: RowDetail['free']): string {
  if (plan === null) return 'no route';
  const symbols = new Map(tokens.map(({ address, symbol }) => [address, symbol]));
  const hops = plan.hops.map(({ poolKey, tokenIn, tokenOut, bps }) => `${symbols.get(tokenIn)}→${symbols.get(tokenOut)} ${poolKey.slice(0, 8)} ${bps / 100}%`);
  return `${hops.length} hops: ${hops.slice(0, FLOWS_SHOWN).join(', ')}${hops.length > FLOWS_SHOWN ? ', …' : ''}`;
}

function flowText({ market, tokens }: BenchSet, { flows }: RowDetail): string {
  const texts = flows.slice(0, FLOWS_SHOWN).map(({ edge, share }) => {
    const pair = `${tokens[market.from[edge] as number]?.symbol}→${tokens[market.to[edge] as number]?.symbol}`;
    return `${pair} ${market.poolKeys[market.pool[edge] as number]?.slice(0, 8)} ${(share * 100).toFixed(1)}%`;
  });
  return `${flows.length} edges: ${texts.join(', ')}${flows.length > FLOWS_SHOWN ? ', …' : ''}`;
}

function takenOutUsd({ cleared, tokens }: BenchSet): number {
  const byAddress = new Map(tokens.map((token) => [token.address, token]));
  return [...(cleared?.takenOut ?? [])].reduce((sum, [address, amount]) => {
    const token = byAddress.get(address);
    return token === undefined || !(token.usd > 0) ? sum : sum + (Number(amount) / 10 ** token.decimals) * token.usd;
  }, 0);
}
