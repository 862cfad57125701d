import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LIMITS } from '../config/config.ts';
import { type BudgetState, clientAddress, clientOf } from '../metering/metering.ts';
import type { Answer } from './answer.ts';
import { refuse, refuseForNow } from './errors.ts';
import { requestIdOf } from './exchange.ts';
import { COMMON_HEADERS, rateHeaders } from './headers.ts';
import type { PublicParts } from './public-parts.ts';
import { Turnstile } from './turnstile.ts';

/** How long a refused connection is still drained: closed at once, the answer would be lost to a reset while the client is sending. */
const LINGER_MS = 500;

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Answers what never became a request: bytes that are not HTTP, headers that are too large or too slow. Express is not involved, and Node's own answer
 * would have no body. The connection ends afterwards.
 */
export class ConnectionRefuser {
  readonly #parts: PublicParts;
  /** Responses not yet ended, by socket. */
  readonly #active = new WeakMap<Duplex, number>();
  readonly #refused = new WeakSet<Duplex>();
  /** Sockets whose last request was answered before its body had arrived. */
  readonly #midway = new WeakSet<Duplex>();
  /** Node looks for slow connections once in a while and finds all of them at once: bounded by the connections that it takes. */
  readonly #slow = new Turnstile(LIMITS.http.slowRefusalsPerTurn);

  constructor(parts: PublicParts) {
    this.#parts = parts;
  }

  /** Notes a request of HTTP that reached the app. */
  track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.#refused.delete(socket);
    this.#active.set(socket, (this.#active.get(socket) ?? 0) + 1);
    this.#midway.delete(socket);
    response.once('close', () => {
      const left = (this.#active.get(socket) ?? 1) - 1;
      this.#active.set(socket, left);
      if (!request.complete) this.#midway.add(socket);
      if (left === 0 && this.#refused.has(socket)) closeAfterLinger(socket);
    });
  }

  async refuse(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
    // The parser reports every further piece of a bad stream again.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    // A fault in the body of a request that has its answer needs no second one.
    if (error.code === 'ECONNRESET' || !socket.writable || this.#midway.has(socket)) {
      socket.destroy();
      return;
    }
    // An earlier request on this connection is still being answered. A second answer could be taken for that of another request by a proxy in between.
    if ((this.#active.get(socket) ?? 0) > 0) return;
    if (error.code === TOO_SLOW) {
      await this.#slow.pass();
      // It got through in the meantime.
      if (!this.#refused.has(socket)) return;
    }
    const { answer, headers } = await this.#answer(error, socket);
    this.#parts.observer.connectionRefused(answer.status);
    if (socket.writable) socket.end(responseText(answer, headers));
    closeAfterLinger(socket);
  }

  /** Garbage is charged like any request, and refused like any when the budget is used up: it must not be a free flood (decisions R1, R2). */
  async #answer(error: NodeJS.ErrnoException, socket: Duplex): Promise<{ answer: Answer; headers: Record<string, string> }> {
    const { budgets, trust, budgetClock, observer } = this.#parts;
    // Proxy headers were not read: the peer itself is charged, except for slowness, which may be the network's.
    const { budget } = clientOf(clientAddress((socket as Partial<Socket>).remoteAddress, undefined, trust), null, LIMITS.anonymousRps);
    const known = answerTo(error);
    const headersFor = (state: BudgetState, more: Answer['headers']) => ({
      ...COMMON_HEADERS,
      'X-Request-Id': requestIdOf(undefined),
      ...rateHeaders(state),
      ...more,
    });
    if (known.outcome === 'too-slow') return { answer: known, headers: headersFor(await budgets.peek(budget, budgetClock()), known.headers) };
    const decision = await budgets.take(budget, budgetClock());
    observer.budgetDecided(budget.kind, decision.allowed ? 'allowed' : 'refused');
    const answer = decision.allowed ? known : refuseForNow('rate-limited', decision.retryAfterSeconds);
    return { answer, headers: headersFor(decision, answer.headers) };
  }
}

function answerTo(error: NodeJS.ErrnoException): Answer {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('headers-too-large', `the request line and headers exceed ${LIMITS.headerBytes} bytes`);
    case TOO_SLOW:
      return refuse('too-slow');
    default:
      return refuse('malformed-http');
  }
}

function responseText(answer: Answer, headers: Readonly<Record<string, string>>): string {
  const body = answer.body ?? '';
  const lines = Object.entries({
    ...headers,
    'Content-Type': answer.contentType,
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${REASONS.get(answer.status) ?? 'Error'}\r\n${lines.join('')}\r\n${body}`;
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [408, 'Request Timeout'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
]);

function closeAfterLinger(socket: Duplex): void {
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.once('error', () => socket.destroy());
}
