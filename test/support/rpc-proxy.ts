import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ProxiedCall = { readonly method: string; readonly params: readonly unknown[] };

/** What the proxy sends back: a JSON value, a body of any kind with a status, or nothing ever. */
export type ProxyAnswer =
  | { readonly json: unknown }
  | { readonly body: string | Buffer; readonly status: number; readonly headers?: Record<string, string> }
  | 'never';

/** Decides what becomes of a call. `forward` asks the node and gives its whole JSON-RPC answer. */
export type ProxyRule = (call: ProxiedCall, forward: () => Promise<Record<string, unknown>>) => Promise<ProxyAnswer>;

export type RpcProxy = {
  readonly url: string;
  /** null: everything goes through. */
  setRule(rule: ProxyRule | null): void;
  /** Refuses connections, as a node that is down does, until told otherwise. */
  refuse(on: boolean): Promise<void>;
  /** Calls that came in, by method. */
  readonly calls: ReadonlyMap<string, number>;
  /** Calls that wait for an answer now, and the most that ever did at once. */
  readonly inFlight: { readonly now: number; readonly most: number };
  /** The same of connections. */
  readonly sockets: { readonly now: number; readonly most: number };
  stop(): Promise<void>;
};

/** A JSON-RPC proxy on a free loopback port that can be told to misbehave. */
export async function startRpcProxy(target: () => string): Promise<RpcProxy> {
  const calls = new Map<string, number>();
  const inFlight = { now: 0, most: 0 };
  const sockets = { now: 0, most: 0 };
  let rule: ProxyRule | null = null;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    inFlight.now++;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    response.on('close', () => {
      inFlight.now--;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const call = JSON.parse(text) as ProxiedCall;
    calls.set(call.method, (calls.get(call.method) ?? 0) + 1);
    const forward = async (): Promise<Record<string, unknown>> => {
      const answer = await fetch(target(), { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
      return (await answer.json()) as Record<string, unknown>;
    };
    const answer = rule === null ? { json: await forward() } : await rule(call, forward);
    if (answer === 'never') return;
    if ('json' in answer) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
    else response.writeHead(answer.status, answer.headers ?? {}).end(answer.body);
  };

  const open = (): Server =>
    createServer((request, response) => {
      handle(request, response).catch(() => response.destroy());
    }).on('connection', (socket) => {
      sockets.now++;
      sockets.most = Math.max(sockets.most, sockets.now);
      socket.once('close', () => {
        sockets.now--;
      });
    });
  let server = open();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setRule(next) {
      rule = next;
    },
    async refuse(on) {
      if (on) await close(server);
      else {
        server = open();
        await listen(server, port);
      }
    },
    calls,
    inFlight,
    sockets,
    stop: () => close(server),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
