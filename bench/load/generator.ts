// Sends an open model's arrivals and notes what becomes of each. Latency counts from when a request was due, so that a generator that is late hides nothing.
import http from 'node:http';
import https from 'node:https';
import type { Arrival } from './arrivals.ts';

/** 'shed': 503 overloaded. 'lost': no answer, or the connection broke. */
export type Ending = 'answered' | 'shed' | 'stale' | 'limited' | 'refused' | 'failed' | 'lost';

export type Result = {
  readonly atMs: number;
  readonly client: number;
  readonly budgetMs: number;
  readonly status: number;
  readonly ending: Ending;
  readonly ms: number;
  /** Why there was no answer. */
  readonly fault: string | null;
};

export type LoadTarget = {
  readonly baseUrl: string;
  /** By client of the scenario. */
  readonly keys: readonly (string | null)[];
};

/** Connections at most. A request that finds none free waits for one, and the wait counts. */
const CONNECTIONS = 2000;
/** Requests under way at most: what is above is counted as lost. */
const UNDERWAY = 100_000;
/** How long beyond its budget an answer is waited for. */
const PATIENCE_MS = 10_000;
const IDLE_MS = 1;
const SENT_IN_A_ROW = 32;

/** Resolves when the last request has ended. `onSecond` is told the seconds since the start. */
export async function generate(target: LoadTarget, arrivals: Iterable<Arrival>, onSecond: (second: number) => void): Promise<readonly Result[]> {
  const secure = target.baseUrl.startsWith('https:');
  const agent = new (secure ? https : http).Agent({ keepAlive: true, noDelay: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS });
  const results: Result[] = [];
  const underway = new Set<Promise<void>>();
  const startedAt = performance.now();
  let second = -1;
  let inARow = 0;
  for (const arrival of arrivals) {
    for (let now = performance.now() - startedAt; now < arrival.atMs; now = performance.now() - startedAt) {
      if (Math.floor(now / 1000) > second) onSecond(++second);
      await pause(arrival.atMs - now);
      inARow = 0;
    }
    // Late: answers have to be read all the same.
    if (++inARow % SENT_IN_A_ROW === 0) await pause(0);
    if (underway.size >= UNDERWAY) {
      results.push({ ...resultOf(arrival, 0, 'lost', 'not sent: too many under way'), ms: 0 });
      continue;
    }
    const sent = send(secure, agent, target, arrival).then(([status, ending, fault]) => {
      results.push({ ...resultOf(arrival, status, ending, fault), ms: performance.now() - startedAt - arrival.atMs });
      underway.delete(sent);
    });
    underway.add(sent);
  }
  await Promise.all(underway);
  agent.destroy();
  return results;
}

function resultOf({ atMs, client, budgetMs }: Arrival, status: number, ending: Ending, fault: string | null): Omit<Result, 'ms'> {
  return { atMs, client, budgetMs, status, ending, fault };
}

function send(
  secure: boolean,
  agent: http.Agent,
  { baseUrl, keys }: LoadTarget,
  { client, path, budgetMs }: Arrival,
): Promise<readonly [number, Ending, string | null]> {
  return new Promise((resolve) => {
    const key = keys[client] ?? null;
    const options = { agent, headers: key === null ? {} : { 'x-api-key': key }, timeout: budgetMs + PATIENCE_MS };
    const request = (secure ? https : http).get(`${baseUrl}${path}`, options, (response) => {
      const status = response.statusCode ?? 0;
      const ending = endingOf(status, response.headers['retry-after'] !== undefined);
      response.on('end', () => resolve([status, ending, null]));
      response.on('error', (error) => resolve([0, 'lost', faultOf(error)]));
      response.resume();
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => resolve([0, 'lost', faultOf(error)]));
  });
}

function faultOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

/** Only a shed 503 says when to come again. A 404 of a trade is an answer: there is no route. */
function endingOf(status: number, hasRetryAfter: boolean): Ending {
  if (status === 200 || status === 404) return 'answered';
  if (status === 503) return hasRetryAfter ? 'shed' : 'stale';
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : 'refused';
}

/** Timers are a millisecond coarse: a shorter wait is a turn of the event loop. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > IDLE_MS ? setTimeout(resolve, ms - IDLE_MS) : setImmediate(resolve)));
}
