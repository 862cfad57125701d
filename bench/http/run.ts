// What the HTTP stack costs, and what it bears. See bench/README.md, HTTP.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { recordFigures } from '../history/history.ts';
import { bearMalformed, bearSlowHeaders, bearUnread, type PipelinedFigures, type SlowHeadersFigures } from './bear.ts';
import { type MalformedReport, SUBJECTS, type Subject } from './messages.ts';
import { type CaseFigures, measureOverhead } from './overhead.ts';
import { compile, Part, PLACEMENT, type Server, startServer } from './processes.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    connections: { type: 'string', default: '32' },
    ms: { type: 'string', default: '1000' },
    record: { type: 'boolean', default: false },
    /** Only these of the servers, beside Express; for profiles. */
    only: { type: 'string', default: SUBJECTS.join(',') },
    /** What strains a server, without what requests cost. */
    strains: { type: 'boolean', default: false },
  },
});

const SLOW_ROUNDS = 3;
/** What clients may cost that pipeline and do not read, beyond such that read. */
const UNREAD_BYTES = 64e6;

compile();
const folder = mkdtempSync(path.join(tmpdir(), 'braid-bench-'));
const servers = new Map<Subject, Server>();
const load = new Part('load', 1);
const strain = new Part('strain', 1);
try {
  const wanted = new Set(values.strains ? ['braid-real'] : ['express', ...values.only.split(',')]);
  for (const subject of SUBJECTS.filter((name) => wanted.has(name))) servers.set(subject, await startServer(subject, path.join(folder, subject)));
  console.log(
    `Node ${process.version}; ${PLACEMENT}; ${values.connections} keep-alive connections; median of ${values.rounds} alternating rounds of ${values.ms} ms`,
  );
  const options = {
    rounds: integerOption('--rounds', values.rounds, 1),
    connections: integerOption('--connections', values.connections, 1),
    measureMs: integerOption('--ms', values.ms, 1),
  };
  if (!values.strains) {
    const overhead = await measureOverhead(servers, load, options);
    if (values.record) recordFigures('http', overhead);
    printOverhead(overhead);
  }
  const real = servers.get('braid-real');
  if (real !== undefined) {
    console.log(describeMalformed(await bearMalformed(real, strain)));
    console.log(describeSlowHeaders(await bearSlowHeaders(real, strain, SLOW_ROUNDS)));
    const pipelined = await bearUnread(real, strain);
    console.log(describeUnread(pipelined));
    if (pipelined.unread.residentBytes - pipelined.read.residentBytes > UNREAD_BYTES) process.exitCode = 1;
  }
} finally {
  await Promise.all([load.end(), strain.end(), ...[...servers.values()].map((server) => server.end())]);
  rmSync(folder, { recursive: true, force: true });
}

function printOverhead(cases: readonly CaseFigures[]): void {
  const express = cases.find(({ subject }) => subject === 'express');
  if (express === undefined) throw new Error('nothing to compare with');
  console.log('| case | requests/s | of Express | processor time | of Express | p50 / p99 | load at most |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { title, perSecond, cpuMicros, p50Ms, p99Ms, loadShare } of cases) {
    const cells = [
      title,
      Math.round(perSecond).toLocaleString('en'),
      `${Math.round((100 * perSecond) / express.perSecond)}%`,
      `${cpuMicros.toFixed(0)} µs`,
      `${(cpuMicros / express.cpuMicros).toFixed(2)}×`,
      `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)} ms`,
      `${Math.round(100 * loadShare)}%`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function describeMalformed({ p50Ms, p99Ms, longestMs, statuses }: MalformedReport): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return `malformed requests: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, longest ${longestMs.toFixed(0)} ms (${counts.join(', ')})`;
}

function describeSlowHeaders({ closed, longestMs, rounds }: SlowHeadersFigures): string {
  const moves = rounds.map(({ p99Before, p99During }) => p99During - p99Before).sort((a, b) => a - b);
  const shown = rounds.map(({ p99Before, p99During }) => `${p99Before.toFixed(1)} → ${p99During.toFixed(1)}`).join(', ');
  const moved = `p99 of a good client ${shown} ms, moved by ${moves[Math.floor(moves.length / 2)]?.toFixed(1)} ms in the median`;
  return `slow headers: ${closed} connections closed by the server, none lived longer than ${(longestMs / 1000).toFixed(2)} s; ${moved}`;
}

function describeUnread({ read, unread }: { readonly read: PipelinedFigures; readonly unread: PipelinedFigures }): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  const shown = ({ closed, longestMs, residentBytes, healthP99Ms }: PipelinedFigures) =>
    `${closed} connections ended, the longest after ${(longestMs / 1000).toFixed(1)} s, ${megabytes(residentBytes)} MB resident at most, /healthz p99 ${healthP99Ms.toFixed(0)} ms`;
  return `500 clients that pipeline 300 requests each: where they read ${shown(read)}; where they do not ${shown(unread)}, so ${megabytes(unread.residentBytes - read.residentBytes)} MB more (at most ${megabytes(UNREAD_BYTES)})`;
}
