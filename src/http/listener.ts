import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { LIMITS } from '../config/config.ts';
import { AnswersLeaving } from './answers-leaving.ts';
import type { MessageClasses } from './born-for-express.ts';
import { EachTurn } from './each-turn.ts';
import { inQuietTurn } from './quiet-turn.ts';

export type Listening = { readonly ok: true; readonly host: string; readonly port: number } | ({ readonly ok: false } & NotListening);

/** `wrong`: what of the address would have to be another. */
export type NotListening = { readonly wrong: 'host' | 'port'; readonly message: string };

/** A server with its life: it listens once, and stops once. */
export type Listener = {
  readonly server: Server;
  /** Whether the connection of an answer has brought no further request since. */
  isLast(response: ServerResponse): boolean;
  /** Port 0: a free one. Refuses when the port is taken or the host is not ours. */
  start(address: { readonly host: string; readonly port: number }): Promise<Listening>;
  /** Accepts nothing more, lets requests in flight finish for as long as the drain limit says, then closes what is left. */
  stop(): Promise<void>;
};

/**
 * An HTTP server with the limits of the edge spelled out: Node's defaults let a slow client hold a connection for minutes. `onFailure` hears of what the
 * server can not accept (no file descriptor left, for example): unheard, that would end the process.
 */
export function createListener(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  onFailure: (error: unknown) => void,
  messages: MessageClasses | null = null,
): Listener {
  const { http } = LIMITS;
  const answers = new AnswersLeaving();
  const turns = new EachTurn(http.requestsPerTurn);
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: http.headersTimeoutMs,
      requestTimeout: http.requestTimeoutMs,
      connectionsCheckingInterval: http.connectionsCheckingIntervalMs,
      keepAliveTimeout: http.keepAliveTimeoutMs,
      // Ours answers with a body.
      requireHostHeader: false,
      ...messages,
    },
    (request, response) => begin(request, response),
  );
  /** Requests that wait until listening has ended; null at all other times. */
  let held: (() => void)[] | null = null;
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    answers.started(response);
    if (held === null) turns.begin(() => handle(request, response));
    else held.push(() => handle(request, response));
  };
  const stop = () => {
    held = [];
    return close(server, answers, () => {
      for (const go of held ?? []) go();
      held = null;
    });
  };
  server.on('connection', (socket) => answers.connected(socket));
  server.on('close', () => answers.close());
  // Longer than anything a good connection waits for: only one that reads nothing of its answers gets there.
  server.timeout = http.keepAliveTimeoutMs + http.requestTimeoutMs;
  server.maxConnections = http.connections;
  // Counted by our own check, since Node drops what is above its limit silently.
  server.maxHeadersCount = 0;
  // A GET has no use for a body, so nobody is told to go on sending one, and an expectation that can not be met is ignored.
  server.on('checkContinue', begin);
  server.on('checkExpectation', begin);
  return { server, isLast: (response) => answers.isLast(response), start: (address) => listen(server, address, onFailure), stop };
}

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }, onFailure: (error: unknown) => void): Promise<Listening> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => resolve({ ok: false, ...whyNotListening(error, host, port) });
    server.once('error', onError);
    server.listen({ host, port, backlog: LIMITS.http.backlog }, () => {
      server.off('error', onError);
      server.on('error', onFailure);
      resolve({ ok: true, host, port: (server.address() as AddressInfo).port });
    });
  });
}

/** For operators. */
export function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): NotListening {
  if (code === 'EADDRINUSE') return { wrong: 'port', message: `port ${port} on ${host} is taken by another program` };
  if (code === 'EACCES') return { wrong: 'port', message: `port ${port} on ${host} may not be opened by this user` };
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return { wrong: 'host', message: `host ${host} is not an address of this machine` };
  return { wrong: 'port', message: `can not listen on ${host}, port ${port}: ${message}` };
}

function close(server: Server, answers: AnswersLeaving, onListeningEnded: () => void): Promise<void> {
  const { drainMs, lastConnectionsMs, lastConnectionsQuietMs, lastRequestMs, connectionsCheckingIntervalMs } = LIMITS.http;
  const lookEveryMs = connectionsCheckingIntervalMs / 20;
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), drainMs);
    // A connection that is idle here may have a request on its way, which would be lost: it is answered, and told to close. Only what stays silent is closed.
    let again: NodeJS.Timeout;
    const closeIdle = () => {
      // After what has come in was read: where this process was held up, everybody looks quiet.
      inQuietTurn(lookEveryMs, () => answers.closeQuiet(lastRequestMs));
      again = setTimeout(closeIdle, lookEveryMs);
    };
    again = setTimeout(closeIdle, lastRequestMs);
    server.once('close', () => {
      clearTimeout(late);
      clearTimeout(again);
      resolve();
    });
    // A first call compiles what it runs: not in the moment that has to be short.
    NetServer.prototype.close.call(new NetServer());
    // Connections that the kernel has accepted and Node has not are reset when listening ends. Node accepts one a turn: until then requests wait, so that turns are short and clients that get no answer open
    // no new connection; those whose answer has just left do, and are waited for.
    const endListening = () => {
      // Not the HTTP server's own, which closes idle connections first.
      NetServer.prototype.close.call(server);
      onListeningEnded();
    };
    inQuietTurn(lastConnectionsMs, endListening, lastConnectionsQuietMs);
  });
}
