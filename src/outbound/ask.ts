import { LIMITS } from '../config/limits.ts';
import { parseSafeInteger } from '../units/units.ts';
import type { AskOutside, OutsideAnswer, OutsideSource } from '../venues/venues.ts';
import { within } from '../within.ts';

/** What came of one request, for metrics. */
export type Asked = { readonly source: string; readonly outcome: 'ok' | 'busy' | 'refused' | 'garbled' | 'crowded' | 'unreachable'; readonly millis: number };

export type AskOptions = {
  /** Whom the configuration names, and where: nobody else is asked, and nobody elsewhere. */
  readonly sources: readonly Pick<OutsideSource, 'name' | 'origin' | 'apiKey'>[];
  readonly onAsked?: (asked: Asked) => void;
  /** Absent: LIMITS.outbound. */
  readonly limits?: { readonly deadlineMs: number; readonly bodyBytes: number; readonly perSource: number };
};

const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;
const BAD_REQUEST = 400;
/** From here on the failure is the server's own. */
const BROKEN = 500;
/** Longer pauses are somebody's mistake, or a way to be left alone for good. */
const LONGEST_RETRY_SECONDS = 3_600;

/**
 * Asks others by HTTP: POST of JSON to the origin that the configuration gives, and to no other, whatever is answered and whatever path a registry lists. Bounded in time from the first byte sent to the last one received, in bytes, and in requests
 * under way. Nothing that comes back is decompressed: none is asked for, and what is compressed all the same is refused. Throws RangeError where a source is asked that is not named, or that is elsewhere: a bug of the caller.
 */
export function createAsk({ sources, onAsked = () => undefined, limits = LIMITS.outbound }: AskOptions): AskOutside {
  const origins = new Map(sources.map(({ name, origin }) => [name, origin]));
  const keys = new Map(sources.map(({ name, apiKey }) => [name, apiKey]));
  const underWay = new Map<string, number>();
  return async ({ name, origin, path }, body, signal, under) => {
    if (!origins.has(name)) throw new RangeError(`nobody is named ${name}`);
    const url = origin === origins.get(name) ? urlOf(origin, path, under) : null;
    if (url === null || url.origin !== new URL(origin).origin) throw new RangeError(`${name} is not to be asked there`);
    const started = performance.now();
    const told = (answer: OutsideAnswer): OutsideAnswer => {
      onAsked({ source: name, outcome: answer.ok ? 'ok' : answer.reason, millis: performance.now() - started });
      return answer;
    };
    const before = underWay.get(name) ?? 0;
    if (before >= limits.perSource) return told({ ok: false, reason: 'crowded' });
    underWay.set(name, before + 1);
    try {
      return told(await withDeadline(limits.deadlineMs, signal, (ending) => post(url, keys.get(name), body, limits.bodyBytes, ending)));
    } finally {
      underWay.set(name, (underWay.get(name) ?? 1) - 1);
    }
  };
}

/** Not as a path is resolved: one that begins with two slashes would name another host. */
function urlOf(origin: string, path = '/', under = ''): URL {
  const url = new URL(`${origin}${path}`);
  // A path of a protocol's own, which is ours and no answer's.
  if (under !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}${under}`;
  return url;
}

async function withDeadline(ms: number, signal: AbortSignal, work: (ending: AbortSignal) => Promise<OutsideAnswer>): Promise<OutsideAnswer> {
  if (signal.aborted) return { ok: false, reason: 'unreachable' };
  try {
    return await within(ms, signal, work);
  } catch {
    // What the other side sent may be in the error: it goes no further.
    return { ok: false, reason: 'unreachable' };
  }
}

async function post(url: URL, apiKey: string | undefined, body: string, mostBytes: number, signal: AbortSignal): Promise<OutsideAnswer> {
  const plain = { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'identity' };
  const headers = apiKey === undefined ? plain : { ...plain, 'x-api-key': apiKey };
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', credentials: 'omit', signal });
  const { status } = response;
  if (status === TOO_MANY_REQUESTS || status === UNAVAILABLE)
    return { ok: false, reason: 'busy', retryAfterMs: retryAfterMs(response.headers.get('retry-after')) };
  if (!response.ok) return { ok: false, reason: reasonOf(status) };
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity' || response.body === null) return { ok: false, reason: 'garbled' };
  const bytes = await readAtMost(response.body, mostBytes);
  if (bytes === null) return { ok: false, reason: 'garbled' };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, reason: 'garbled' };
  }
}

/** Only an answer to what was asked is a refusal of it: a server that is broken has not judged it, and one that points elsewhere has not answered. */
function reasonOf(status: number): 'refused' | 'unreachable' | 'garbled' {
  if (status >= BROKEN) return 'unreachable';
  return status < BAD_REQUEST ? 'garbled' : 'refused';
}

/** null: there is more. */
async function readAtMost(body: ReadableStream<Uint8Array>, mostBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Seconds alone: a date would be read by a clock that is not ours. null: not said, or not so. */
function retryAfterMs(header: string | null): number | null {
  const seconds = parseSafeInteger(header ?? '', 0, 999_999);
  return seconds === null ? null : 1000 * Math.min(seconds, LONGEST_RETRY_SECONDS);
}
