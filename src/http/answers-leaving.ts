import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../config/config.ts';
import { Turnstile } from './turnstile.ts';

/**
 * Reads a connection only as fast as its answers leave. Node parses whatever a read brings, 64 KiB of pipelined requests at once, and starts all of them; a client that sends
 * and never reads would fill memory with answers. So what is read is handed to the parser in pieces, and none while the connection has as many requests open as it may have.
 * With fewer than that reading goes on: it is how a client that hangs up is noticed.
 */
export class AnswersLeaving {
  readonly #open = new WeakMap<Socket, number>();
  /** The request that each connection brought last. */
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  /** Since when each connection has had no request, longest first. */
  readonly #quiet = new Map<Socket, number>();
  /** When each answer that has not left yet was written, oldest first. */
  readonly #leaving = new Map<ServerResponse, number>();
  /** Connections that wait for their turn to be read on: each once. */
  readonly #readingOn = new WeakSet<Socket>();
  readonly #resumptions = new Turnstile(LIMITS.http.resumptionsPerTurn);
  readonly #look: NodeJS.Timeout;

  constructor() {
    this.#look = setInterval(() => this.#closeStuck(), LIMITS.http.connectionsCheckingIntervalMs);
    this.#look.unref();
  }

  connected(socket: Socket): void {
    this.#quiet.set(socket, performance.now());
    socket.once('close', () => this.#quiet.delete(socket));
    // With a listener on 'data' Node hands what it reads to the stream, and the stream to its parser: then pausing the stream holds back what was read already.
    socket.on('data', () => undefined);
    const [push, resume] = [socket.push.bind(socket), socket.resume.bind(socket)];
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (!Buffer.isBuffer(chunk)) return push(chunk, encoding);
      let wantsMore = true;
      for (let at = 0; at < chunk.length; ) {
        const end = endOfPiece(chunk, at);
        wantsMore = push(chunk.subarray(at, end));
        at = end;
      }
      return wantsMore;
    };
    // Whoever reads the body of a request resumes its socket.
    socket.resume = () => (this.#isFull(socket) ? socket : resume());
  }

  started(response: ServerResponse): void {
    const { socket } = response.req;
    this.#quiet.delete(socket);
    this.#latest.set(socket, response);
    this.#open.set(socket, (this.#open.get(socket) ?? 0) + 1);
    if (this.#isFull(socket)) socket.pause();
    response.once('prefinish', () => this.#leaving.set(response, performance.now()));
    response.once('close', () => {
      this.#leaving.delete(response);
      const left = (this.#open.get(socket) ?? 1) - 1;
      this.#open.set(socket, left);
      if (left === 0 && !socket.destroyed) this.#quiet.set(socket, performance.now());
      if (socket.isPaused()) void this.#readOn(socket);
    });
  }

  /** Whether its connection has brought no further request since. */
  isLast(response: ServerResponse): boolean {
    return this.#latest.get(response.req.socket) === response;
  }

  /** Closes connections that have brought no request for so long. */
  closeQuiet(forMs: number): void {
    const latest = performance.now() - forMs;
    for (const [socket, since] of this.#quiet) {
      if (since > latest) return;
      socket.destroySoon();
    }
  }

  close(): void {
    clearInterval(this.#look);
  }

  #isFull(socket: Socket): boolean {
    return (this.#open.get(socket) ?? 0) >= LIMITS.http.requestsPerConnection;
  }

  /** In a later turn of the event loop: requests that wait here and are answered at once would otherwise keep everybody else from a turn. */
  async #readOn(socket: Socket): Promise<void> {
    if (this.#readingOn.has(socket)) return;
    this.#readingOn.add(socket);
    await this.#resumptions.pass();
    this.#readingOn.delete(socket);
    socket.resume();
  }

  /** An answer that the client does not take holds its connection for no longer than this. */
  #closeStuck(): void {
    const latest = performance.now() - LIMITS.http.answerLeavesMs;
    for (const [response, since] of this.#leaving) {
      if (since > latest) return;
      response.req.socket.destroy();
    }
  }
}

const END_OF_HEADERS = '\r\n\r\n';

/** Where a request ends: one that was begun and then held back would count as sent too slowly. Not before some bytes are together, or a flood of line ends would be a flood of pieces. */
function endOfPiece(chunk: Buffer, start: number): number {
  const found = chunk.indexOf(END_OF_HEADERS, start + LIMITS.http.pieceBytes - END_OF_HEADERS.length, 'latin1');
  return found < 0 ? chunk.length : found + END_OF_HEADERS.length;
}
