import type { Clock } from '../clock.ts';
import { retryAfterMs } from './retry-after.ts';
import { errorIn, garbage, RpcError } from './rpc-error.ts';
import type { RpcTransport } from './transport.ts';

/** What is looked at of a Response of fetch. */
export type FetchAnswer = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
};

/** As fetch, which is one. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<FetchAnswer>;

/**
 * JSON-RPC over HTTP POST. Stricter than viem's transport, which takes an answer with any id: here the id has to match, the body is capped while it streams,
 * redirects are refused, and a timeout aborts the socket.
 */
export function httpTransport(url: string, fetchFunction: FetchFunction, bodyBytes: number, clock: Clock): RpcTransport {
  const target = withoutCredentials(url);
  let nextId = 1;
  const ask = async (method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> => {
    const id = nextId++;
    // As bytes: of a text, fetch first looks at each character whether it can be encoded. The same goes over the wire.
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const response = await fetchFunction(target.url, { method: 'POST', headers: target.headers, body, redirect: 'error', signal });
    if (response.status === 429) {
      await response.body?.cancel();
      throw new RpcError('limited', `${method}: HTTP 429`, retryAfterMs(response.headers.get('retry-after')));
    }
    const text = await readCapped(response, bodyBytes);
    return resultOf(method, id, text, response.status);
  };
  return {
    async request(method, params, timeoutMs) {
      const limit = new AbortController();
      const { signal } = limit;
      // AbortSignal.timeout would go on counting when the answer is there: some thousand calls a minute, each with an exception at its end.
      const inTime = clock.after(timeoutMs, () => limit.abort());
      const failure = (error: unknown): RpcError => {
        if (error instanceof RpcError) return error;
        if (signal.aborted) return new RpcError('timeout', `${method}: no answer within ${timeoutMs} ms`);
        const message = `${method}: ${error instanceof Error ? error.message : 'failed'}`;
        return new RpcError(OWN.has(causeOf(error)) ? 'starved' : 'unavailable', message);
      };
      try {
        return await ask(method, params, signal).catch(async (error: unknown) => {
          if (error instanceof RpcError || signal.aborted || !CUT.has(causeOf(error))) throw error;
          // A connection that was kept open may close at the moment it is used again: that is nobody's fault, and asking twice changes nothing on a chain.
          return await ask(method, params, signal);
        });
      } catch (error) {
        throw failure(error);
      } finally {
        inTime();
      }
    },
    open: async () => undefined,
    subscribe: async () => false,
    close() {},
  };
}

/** What a socket says that the other side closed. */
const CUT: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** What is said where this machine has no socket, port or memory left: no endpoint is to blame. */
const OWN: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);

/** fetch says "fetch failed" and keeps why in the cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
}

function withoutCredentials(text: string): { url: string; headers: Record<string, string> } {
  const url = new URL(text);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (url.username !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  return { url: url.toString(), headers };
}

async function readCapped({ body }: FetchAnswer, bodyBytes: number): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > bodyBytes) throw garbage(`body above ${bodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

/** Statuses of whoever stands before a node: not known to it, not paid for, or nobody there. */
const GATEWAY: ReadonlySet<number> = new Set([401, 402, 403, 407, 502, 503, 504]);

function resultOf(method: string, id: number, text: string, status: number): unknown {
  const answer = parse(text);
  if (answer === undefined) {
    if (status >= 400) throw new RpcError('unavailable', `${method}: HTTP ${status}`);
    throw garbage(`${method}: not a JSON object`);
  }
  const said = errorIn(method, answer);
  if (said !== null) {
    // A gateway says the same whatever it is asked: words about the request count only where the status is the request's.
    if (GATEWAY.has(status) || (status >= 400 && said.reason === 'refused')) throw new RpcError('unavailable', `${method}: HTTP ${status}, ${said.message}`);
    throw said;
  }
  if (status >= 400) throw new RpcError('unavailable', `${method}: HTTP ${status}`);
  if (answer.id !== id) throw garbage(`${method}: the answer carries another id`);
  if (!('result' in answer)) throw garbage(`${method}: the answer carries no result`);
  return answer.result;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
