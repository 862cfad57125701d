import { sendRaw } from '../../test/http/support/raw.ts';
import type { MalformedReport, SlowReport } from './messages.ts';
import { QUOTE } from './overhead.ts';
import type { Part, Server } from './processes.ts';

const SLOW_SOCKETS = 1500;
const MALFORMED = 10_000;
const SEED = 1;
/** A good client asks so often, each time on a new connection, for as long as the slow ones may live. */
const GOOD_EVERY_MS = 20;
const GOOD_MS = 8000;

/** Ten thousand malformed requests, eight at a time. */
export function bearMalformed({ serving }: Server, strain: Part): Promise<MalformedReport> {
  return strain.ask({ kind: 'malformed', port: serving.port, apiKey: serving.apiKey, count: MALFORMED, atOnce: 8, seed: SEED });
}

export type SlowHeadersFigures = SlowReport & {
  /** Of each round, the 99th percentile of a good client's answers alone and beside the slow connections. */
  readonly rounds: readonly { readonly p99Before: number; readonly p99During: number }[];
};

/** A good client alone, and again while 1,500 connections hold back their headers; several times, since the worst hundredth is also the machine's. */
export async function bearSlowHeaders(server: Server, strain: Part, rounds: number): Promise<SlowHeadersFigures> {
  const figures: { p99Before: number; p99During: number }[] = [];
  let closed = 0;
  let longestMs = 0;
  // Code that is still cold is slow by itself.
  await goodClient(server, 2000);
  for (let round = 0; round < rounds; round++) {
    const p99Before = await goodClient(server, GOOD_MS);
    const slow = strain.ask<SlowReport>({ kind: 'slow-headers', port: server.serving.port, sockets: SLOW_SOCKETS, patienceMs: 3 * GOOD_MS });
    figures.push({ p99Before, p99During: await goodClient(server, GOOD_MS) });
    const report = await slow;
    closed += report.closed;
    longestMs = Math.max(longestMs, report.longestMs);
  }
  return { closed, longestMs, rounds: figures };
}

async function goodClient({ serving: { port, apiKey } }: Server, forMs: number): Promise<number> {
  const request = `GET ${QUOTE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${apiKey}\r\n\r\n`;
  const asked: Promise<number>[] = [];
  for (const until = performance.now() + forMs; performance.now() < until; ) {
    asked.push(
      sendRaw(port, request).then(({ status, ms }) => {
        if (status !== 200) throw new Error(`a good client got ${status}`);
        return ms;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, GOOD_EVERY_MS));
  }
  const times = (await Promise.all(asked)).sort((a, b) => a - b);
  return times[Math.floor(0.99 * times.length)] ?? Number.NaN;
}

const PIPELINED_SOCKETS = 500;
const PIPELINED_REQUESTS = 300;
const LOOK_EVERY_MS = 100;

export type PipelinedFigures = SlowReport & {
  /** Most that was resident, in bytes. */
  readonly residentBytes: number;
  /** Of `/healthz`, asked ten times a second meanwhile. */
  readonly healthP99Ms: number;
};

/** 500 connections pipeline 300 requests each, the last of which ends the connection: first with clients that read the answers, then with such that read nothing, for as long as the server lets them. */
export async function bearUnread(server: Server, strain: Part): Promise<{ readonly read: PipelinedFigures; readonly unread: PipelinedFigures }> {
  return { read: await bearPipelined(server, strain, true), unread: await bearPipelined(server, strain, false) };
}

async function bearPipelined({ serving: { port, apiKey }, cost }: Server, strain: Part, reads: boolean): Promise<PipelinedFigures> {
  const request = (connection: string) => `GET ${QUOTE} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nx-api-key: ${apiKey}\r\n\r\n`;
  const payload = request('keep-alive').repeat(PIPELINED_REQUESTS - 1) + request('close');
  let ended = false;
  const report = strain.ask<SlowReport>({ kind: 'pipelined', port, sockets: PIPELINED_SOCKETS, payload, reads, patienceMs: 120_000 });
  void report.finally(() => {
    ended = true;
  });
  let residentBytes = 0;
  const times: number[] = [];
  while (!ended) {
    const { status, ms } = await sendRaw(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    if (status !== 200) throw new Error(`/healthz said ${status}`);
    times.push(ms);
    residentBytes = Math.max(residentBytes, (await cost()).residentBytes);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  times.sort((a, b) => a - b);
  return { ...(await report), residentBytes, healthP99Ms: times[Math.floor(0.99 * times.length)] ?? Number.NaN };
}
