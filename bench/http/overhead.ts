import type { Cost, LoadReport, Subject } from './messages.ts';
import type { Part, Server } from './processes.ts';

export const QUOTE =
  '/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000000000000000000';

type Case = { readonly title: string; readonly subject: Subject; readonly path: string; readonly status: number };

export const CASES: readonly Case[] = [
  { title: 'bare node:http, 30 bytes of JSON', subject: 'node', path: QUOTE, status: 200 },
  { title: 'bare Express 5, the same', subject: 'express', path: QUOTE, status: 200 },
  { title: 'Braid, a quote (canned solve)', subject: 'braid-canned', path: QUOTE, status: 200 },
  { title: 'Braid, 404 of an unknown chain', subject: 'braid-canned', path: QUOTE.replace('chainId=1&', 'chainId=5&'), status: 404 },
  { title: 'Braid, 400 of a missing parameter', subject: 'braid-canned', path: QUOTE.replace('mode=sell&', ''), status: 400 },
  { title: 'Braid, 503 of a full queue', subject: 'braid-shed', path: QUOTE, status: 503 },
  { title: 'Braid, a quote solved by one thread', subject: 'braid-real', path: QUOTE, status: 200 },
];

export type CaseFigures = {
  readonly title: string;
  readonly subject: Subject;
  readonly perSecond: number;
  /** Processor time of the server process, all threads, for one request. */
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The largest share of its processor that the load took. */
  readonly loadShare: number;
};

export type OverheadOptions = { readonly rounds: number; readonly connections: number; readonly measureMs: number };

/** Every case once in each round, so that what the machine does meanwhile hits all of them; medians over the rounds. */
export async function measureOverhead(servers: ReadonlyMap<Subject, Server>, load: Part, options: OverheadOptions): Promise<readonly CaseFigures[]> {
  const cases = CASES.filter(({ subject }) => servers.has(subject));
  const rounds = cases.map((): Round[] => []);
  for (let round = 0; round <= options.rounds; round++) {
    for (const [at, entry] of cases.entries()) {
      const server = servers.get(entry.subject);
      if (server === undefined) throw new Error(`no server for ${entry.subject}`);
      const figures = await measureOnce(entry, server, load, options);
      // The first round warms the compiler up.
      if (round > 0) rounds[at]?.push(figures);
    }
  }
  return cases.map(({ title, subject }, at) => {
    const of = (name: keyof Round) => median((rounds[at] ?? []).map((round) => round[name]));
    const loadShare = Math.max(...(rounds[at] ?? []).map((round) => round.loadShare));
    return { title, subject, perSecond: of('perSecond'), cpuMicros: of('cpuMicros'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), loadShare };
  });
}

type Round = Omit<CaseFigures, 'title' | 'subject'>;

async function measureOnce(entry: Case, server: Server, load: Part, { connections, measureMs }: OverheadOptions): Promise<Round> {
  const { port, apiKey } = server.serving;
  const key = apiKey === null ? '' : `x-api-key: ${apiKey}\r\n`;
  // What a client sends anyway.
  const payload = `GET ${entry.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: bench\r\nAccept: application/json\r\n${key}\r\n`;
  const before = await server.cost();
  const report = await load.ask<LoadReport>({ port, payload, connections, warmUpMs: 0, measureMs });
  const after = await server.cost();
  const [[status, count] = ['none', 0], ...others] = Object.entries(report.statuses);
  if (others.length > 0 || Number(status) !== entry.status) throw new Error(`${entry.title}: got ${JSON.stringify(report.statuses)}`);
  return {
    perSecond: count / report.seconds,
    cpuMicros: costOf(before, after) / count,
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
    loadShare: report.ownShare,
  };
}

function costOf(before: Cost, after: Cost): number {
  return after.cpuMicros - before.cpuMicros;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN)) / 2;
}
