import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerCall, type Maker } from './answer-call.ts';
import { isTransportFault, type MakerFault, type OrderFault, readFault } from './faults.ts';
import { goWrong, readBody, sendJson, sendText } from './go-wrong.ts';
import { listen } from './listen.ts';

/** A maker that answers. */
export type MakerServer = {
  readonly origin: string;
  /** Has something go wrong with orders, or with every answer; null: nothing. Over its port: POST /faults with the fault, or {"kind": "none"}. */
  setFault(fault: MakerFault | null, on?: 'orders' | 'all'): void;
  /** The calls that came, in their order. Over its port: GET /calls. */
  calls(): readonly MakerCall[];
  stop(): Promise<void>;
};

/** `at`: when it came, ms by a clock that only goes on. */
export type MakerCall = { readonly method: string; readonly params: Readonly<Record<string, unknown>>; readonly at: number };

const KEPT_CALLS = 1_000;
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
    calls.push({ method: call.method, params: call.params, at: performance.now() });
    if (calls.length > KEPT_CALLS) calls.shift();
    const now = faulty === 'all' || call.method.endsWith('OrderERC20') ? fault : null;
    if (now !== null && isTransportFault(now.kind) && (await goWrong(now.kind, now, response))) return;
    const orderFault: OrderFault | null = now === null || isTransportFault(now.kind) ? null : now.kind;
    const body = { jsonrpc: '2.0', id: call.id, ...(await answerCall(maker, call.method, call.params, orderFault, remembered)) };
    if (orderFault === 'name-twice') sendText(response, 200, JSON.stringify(body).replace('"result":{', '"result":{"signerAmount":"1",'));
    else sendJson(response, 200, body);
  };
  const { origin, stop } = await listen(answer, host, port);
  return {
    origin,
    setFault,
    calls: () => [...calls],
    stop,
  };
}

type Call = Omit<MakerCall, 'at'> & { readonly id: unknown };

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
