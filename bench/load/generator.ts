// Sends an open model's arrivals and notes what becomes of each. Latency counts from when a request was due, so that a generator that is late hides nothing.
// It shares the machine with what it measures: undici's own dispatch is the cheapest client there is, and between arrivals it sleeps.
import { type Dispatcher, Pool } from 'undici';
import type { Arrival } from './arrivals.ts';
import type { Ending } from './scenario.ts';

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
/** Timers are a millisecond coarse: what is due within the next one goes out with what is due now or waits for the timer, which its latency then shows. Waiting in turns of the event loop would keep a processor busy. */
const LEAST_SLEEP_MS = 1;
/** Where so many were due at once, as in a flood, the next ones are sent together too: to wake up for each costs the machine half as much again, here and in the service. */
const CROWD = 4;
const CROWD_SLEEP_MS = 4;
const SENT_IN_A_ROW = 32;
/** Less by far than a service keeps an idle connection, whatever it offers: who sends as late as it closes loses the request where a machine stood still in between. */
const IDLE_CONNECTION_MS = 30_000;

/** Resolves when the last request has ended. `onSecond` is told the seconds since the start. */
export async function generate({ baseUrl, keys }: LoadTarget, arrivals: Iterable<Arrival>, onSecond: (second: number) => void): Promise<readonly Result[]> {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: IDLE_CONNECTION_MS, keepAliveMaxTimeout: IDLE_CONNECTION_MS });
  const headers = keys.map((key) => (key === null ? {} : { 'x-api-key': key }));
  const results: Result[] = [];
  let underway = 0;
  let onLast: (() => void) | null = null;
  const startedAt = performance.now();
  let second = -1;
  let inARow = 0;
  let sinceSleep = 0;
  for (const arrival of arrivals) {
    for (let now = performance.now() - startedAt; now < arrival.atMs; now = performance.now() - startedAt) {
      if (Math.floor(now / 1000) > second) onSecond(++second);
      await sleep(Math.max(sinceSleep >= CROWD ? CROWD_SLEEP_MS : LEAST_SLEEP_MS, arrival.atMs - now));
      inARow = 0;
      sinceSleep = 0;
    }
    sinceSleep++;
    // Late: answers have to be read all the same.
    if (++inARow % SENT_IN_A_ROW === 0) await turn();
    if (underway >= UNDERWAY) {
      results.push({ ...resultOf(arrival, 0, 'lost', 'not sent: too many under way'), ms: 0 });
      continue;
    }
    underway++;
    const request = { path: `${prefix}${arrival.path}`, headers: headers[arrival.client] ?? {}, patienceMs: arrival.budgetMs + PATIENCE_MS };
    send(pool, { ...request, hangsUpAfterMs: arrival.hangsUpAfterMs }, (status, ending, fault) => {
      results.push({ ...resultOf(arrival, status, ending, fault), ms: performance.now() - startedAt - arrival.atMs });
      underway--;
      if (underway === 0) onLast?.();
    });
  }
  if (underway > 0) await new Promise<void>((resolve) => (onLast = resolve));
  await pool.destroy();
  return results;
}

function resultOf({ atMs, client, budgetMs }: Arrival, status: number, ending: Ending, fault: string | null): Omit<Result, 'ms'> {
  return { atMs, client, budgetMs, status, ending, fault };
}

type OnEnding = (status: number, ending: Ending, fault: string | null) => void;

type Sent = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For the headers, and for each pause in the body. */
  readonly patienceMs: number;
  /** From when it was sent on; null: never. */
  readonly hangsUpAfterMs: number | null;
};

/** `onEnding` is called once. */
function send(pool: Pool, { path, headers, patienceMs, hangsUpAfterMs }: Sent, onEnding: OnEnding): void {
  let [status, ending]: [number, Ending] = [0, 'lost'];
  let leaving: NodeJS.Timeout | undefined;
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      if (hangsUpAfterMs === null) return;
      leaving = setTimeout(() => {
        ending = 'left';
        controller.abort(new Error('hung up'));
      }, hangsUpAfterMs);
    },
    onResponseStart(_controller, statusCode, answered) {
      clearTimeout(leaving);
      status = statusCode;
      ending = endingOf(statusCode, answered['retry-after'] !== undefined);
    },
    onResponseData: () => undefined,
    onResponseEnd: () => onEnding(status, ending, null),
    onResponseError(_controller, error) {
      clearTimeout(leaving);
      onEnding(0, ending === 'left' ? ending : 'lost', faultOf(error));
    },
  };
  pool.dispatch({ method: 'GET', path, headers, headersTimeout: patienceMs, bodyTimeout: patienceMs }, handler);
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

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** One of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
