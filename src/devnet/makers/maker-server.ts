import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { answerCall, type Maker } from './answer-call.ts';
import { isTransportFault, type MakerFault, type OrderFault, readFault, type TransportFault } from './faults.ts';

/** A maker that answers. */
export type MakerServer = {
  readonly origin: string;
  /** Has something go wrong with orders, or with every answer; null: nothing. Over its port: POST /faults with the fault, or {"kind": "none"}. */
  setFault(fault: MakerFault | null, on?: 'orders' | 'all'): void;
  /** The calls that came, in their order. Over its port: GET /calls. */
  calls(): readonly MakerCall[];
  stop(): Promise<void>;
};

export type MakerCall = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };

const BODY_BYTES = 64 * 1024;
const KEPT_CALLS = 1_000;
const RETRY_SECONDS = 2;
const HUGE_BYTES = 50 * 2 ** 20;
const NESTED = 100_000;
const DRIP_MS = 50;
const NO_PARAMS: MakerCall['params'] = {};

export async function startMakerServer(maker: Maker, host = '127.0.0.1', port = 0): Promise<MakerServer> {
  let fault: MakerFault | null = null;
  let faulty: 'orders' | 'all' = 'orders';
  const calls: MakerCall[] = [];
  const remembered = { order: null as unknown };
  const setFault: MakerServer['setFault'] = (next, on = 'orders') => {
    fault = next;
    faulty = on;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET' && request.url === '/calls') return sendJson(response, 200, calls);
    const text = await readBody(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://maker');
    if (pathname === '/faults') {
      const next = readFault(text);
      if (next === null) return sendJson(response, 400, { error: 'no fault is called that' });
      setFault(next === 'none' ? null : next, searchParams.get('on') === 'all' ? 'all' : 'orders');
      return sendJson(response, 200, { fault });
    }
    const call = readCall(text);
    if (call === null) return sendJson(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
    calls.push({ method: call.method, params: call.params });
    if (calls.length > KEPT_CALLS) calls.shift();
    const now = faulty === 'all' || call.method.endsWith('OrderERC20') ? fault : null;
    if (now !== null && isTransportFault(now.kind) && (await goWrong(now.kind, now, response))) return;
    const orderFault: OrderFault | null = now === null || isTransportFault(now.kind) ? null : now.kind;
    sendJson(response, 200, { jsonrpc: '2.0', id: call.id, ...(await answerCall(maker, call.method, call.params, orderFault, remembered)) });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve());
  });
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    setFault,
    calls: () => [...calls],
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether that was the answer: a delay alone is none. */
async function goWrong(kind: TransportFault, { ms = 3_000, location = '/' }: MakerFault, response: ServerResponse): Promise<boolean> {
  const json = { 'content-type': 'application/json' };
  switch (kind) {
    case 'delay':
      await pause(ms, response);
      return response.destroyed;
    case 'silent':
      return true;
    case 'error':
      sendJson(response, 500, { error: 'out of order' });
      return true;
    case 'reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'busy':
      response.writeHead(429, { ...json, 'retry-after': String(RETRY_SECONDS) }).end('{}');
      return true;
    case 'garbage':
      response.writeHead(200, json).end('<html>\u0000\u001b[31m{"jsonrpc":');
      return true;
    case 'huge':
      response.writeHead(200, json).end(Buffer.alloc(HUGE_BYTES, 0x20));
      return true;
    case 'nested':
      response.writeHead(200, json).end('['.repeat(NESTED) + ']'.repeat(NESTED));
      return true;
    case 'bomb':
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(HUGE_BYTES)));
      return true;
    case 'drip':
      response.writeHead(200, json);
      while (!response.destroyed) {
        response.write(' ');
        await pause(DRIP_MS, response);
      }
      return true;
    case 'redirect':
      response.writeHead(302, { location }).end();
      return true;
    case 'half-closed':
      response.writeHead(200, { ...json, 'content-length': '1000' });
      response.write('{"jsonrpc":"2.0",');
      response.socket?.end();
      return true;
    default:
      throw new TypeError(`unknown fault ${JSON.stringify(kind satisfies never)}`);
  }
}

/** Over at once where nobody waits for the answer any more. */
async function pause(ms: number, response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      response.off('close', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    response.once('close', over);
  });
}

type Call = MakerCall & { readonly id: unknown };

function readCall(text: string): Call | null {
  try {
    const { id, method, params } = JSON.parse(text) as { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };
    if (typeof method !== 'string') return null;
    return {
      id: id ?? null,
      method,
      params: typeof params === 'object' && params !== null && !Array.isArray(params) ? (params as MakerCall['params']) : NO_PARAMS,
    };
  } catch {
    return null;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES) throw new RangeError('too long a request');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }).end(text);
}
