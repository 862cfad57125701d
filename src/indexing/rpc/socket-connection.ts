import type { IncomingMessage } from 'node:http';
import { type RawData, WebSocket } from 'ws';
import { retryAfterMs } from './retry-after.ts';
import { errorIn, garbage, RpcError } from './rpc-error.ts';

/** One connection, from its opening to its end. It is not used again after that. */
export type SocketConnection = {
  request(method: string, params: readonly unknown[], timeoutMs: number): Promise<unknown>;
  /** Calls `hear` with whatever is announced. Throws RpcError where the node has no such subscription. */
  subscribe(what: string, hear: (announced: unknown) => void, timeoutMs: number): Promise<void>;
  /** Ends it at once, whatever the other side does; what is under way fails with that error. */
  end(why: RpcError): void;
};

export type SocketOptions = {
  /** The largest message that is taken. */
  readonly bodyBytes: number;
  /** How long opening may take. */
  readonly timeoutMs: number;
  /** Called once it ended, by whoever's doing. */
  readonly onEnd: (connection: SocketConnection) => void;
};

type Pending = { resolve(result: unknown): void; reject(error: RpcError): void; readonly method: string };

/** Opens a connection. Throws RpcError when nobody answers in time, or not as a WebSocket does. */
export function openSocket(url: string, { bodyBytes, timeoutMs, onEnd }: SocketOptions): Promise<SocketConnection> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { handshakeTimeout: timeoutMs, maxPayload: bodyBytes, perMessageDeflate: false, followRedirects: false });
    const connection = connectionOver(socket, onEnd);
    const fail = (error: RpcError): void => {
      connection.end(error);
      reject(error);
    };
    socket.once('open', () => resolve(connection));
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      response.destroy();
      const pause = retryAfterMs(response.headers['retry-after'] ?? null);
      fail(status === 429 ? new RpcError('limited', 'HTTP 429', pause) : new RpcError('unavailable', `HTTP ${status} in the place of a socket`));
    });
    // Before it is open; later ones find nobody to tell.
    socket.on('error', (error) => reject(errorOf(error)));
    socket.once('close', () => reject(new RpcError('unavailable', 'the socket closed')));
  });
}

function connectionOver(socket: WebSocket, onEnd: SocketOptions['onEnd']): SocketConnection {
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, (announced: unknown) => void>();
  let lastId = 0;
  let over = false;

  const end = (why: RpcError): void => {
    if (over) return;
    over = true;
    // Not by closing: a peer that is gone answers no close either.
    socket.terminate();
    for (const { reject } of pending.values()) reject(why);
    pending.clear();
    listeners.clear();
    onEnd(connection);
  };
  socket.on('error', (error) => end(errorOf(error)));
  socket.on('close', () => end(new RpcError('unavailable', 'the socket closed')));
  socket.on('message', (data) => {
    try {
      take(messageOf(data));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      end(error);
    }
  });

  const take = (message: Readonly<Record<string, unknown>>): void => {
    if (message.method === 'eth_subscription') {
      const { params } = message;
      if (typeof params !== 'object' || params === null || !('subscription' in params) || !('result' in params))
        throw garbage('an announcement without contents');
      if (typeof params.subscription !== 'string') throw garbage('an announcement of a subscription without an id');
      listeners.get(params.subscription)?.(params.result);
      return;
    }
    const { id } = message;
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1 || id > lastId) throw garbage('an answer that nobody asked for');
    const waiting = pending.get(id);
    // Given up meanwhile.
    if (waiting === undefined) return;
    pending.delete(id);
    const said = errorIn(waiting.method, message);
    if (said !== null) waiting.reject(said);
    else if ('result' in message) waiting.resolve(message.result);
    else waiting.reject(garbage(`${waiting.method}: the answer carries no result`));
  };

  const request: SocketConnection['request'] = (method, params, timeoutMs) =>
    new Promise((resolve, reject) => {
      if (over) {
        reject(new RpcError('unavailable', 'the connection is lost'));
        return;
      }
      const id = ++lastId;
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new RpcError('timeout', `${method}: no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      pending.set(id, {
        method,
        resolve(result) {
          clearTimeout(timer);
          resolve(result);
        },
        reject(error) {
          clearTimeout(timer);
          reject(error);
        },
      });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), (error) => {
        if (error) end(errorOf(error));
      });
    });

  const connection: SocketConnection = {
    request,
    async subscribe(what, hear, timeoutMs) {
      const id = await request('eth_subscribe', [what], timeoutMs);
      if (typeof id !== 'string') throw garbage('a subscription without an id');
      listeners.set(id, hear);
    },
    end,
  };
  return connection;
}

function messageOf(data: RawData): Readonly<Record<string, unknown>> {
  let message: unknown;
  try {
    message = JSON.parse(String(data));
  } catch {
    throw garbage('not JSON');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw garbage('not a JSON object');
  return message as Readonly<Record<string, unknown>>;
}

/** Faults of the protocol, too large a message among them, are what ws names by such a code; the others are the network's. */
function errorOf(error: Error): RpcError {
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('WS_ERR_') ? garbage(error.message) : new RpcError('unavailable', error.message);
}
