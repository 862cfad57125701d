import { setMaxListeners } from 'node:events';
import { LIMITS } from '../../config/limits.ts';
import { type Clock, SYSTEM_CLOCK } from '../clock.ts';
import { createCallCounts, type RpcCalls } from './call-counts.ts';
import { type Anchor, createEndpoint, type Endpoint, type Question } from './endpoint.ts';
import { createEndpointBoard, type EndpointBoard, type EndpointStanding, type LeftFor, type ShownHead, type Witness } from './endpoint-board.ts';
import { createGate } from './gate.ts';
import { type FetchFunction, httpTransport } from './http-transport.ts';
import { isEndpointFault, RpcError } from './rpc-error.ts';
import { socketTransport } from './socket-transport.ts';
import type { RpcTransport } from './transport.ts';

type Decode<T> = (result: unknown) => T;

/** The node of one chain, behind one or more endpoints. */
export type Rpc = {
  /**
   * Calls a method and decodes what it answers. Retries faults of an endpoint with growing, jittered pauses, on the next endpoint where there is one. Throws
   * RpcError. `timeoutMs`: null for what is small. `decode` throws garbage() on an answer that can not be what was asked for.
   */
  call<T>(method: string, params: readonly unknown[], decode: Decode<T>, timeoutMs?: number | null): Promise<T>;
  /** As `call`, once, of the endpoint that is followed, and not to its harm where it fails: for what may as well be asked later. */
  callOnce<T>(method: string, params: readonly unknown[], decode: Decode<T>): Promise<T>;
  /** As `call`, for a head; and looks at the heads of the endpoints that are not followed, whose answers are not waited for. */
  callForHead<Head extends ShownHead>(method: string, params: readonly unknown[], decode: Decode<Head>): Promise<GivenHead<Head>>;
  /** Which chain this is, by one of its blocks: asked for beside the chain id from now on. */
  anchorAt(anchor: Anchor): void;
  /** That endpoint, else whoever gave the head that was taken last, is asked again which chain it serves. */
  recheck(endpoint?: number): void;
  /** The head that was taken last leads nowhere, or is denied: whoever gave it is left, for longer each time. */
  disown(): void;
  /** Who gave the head that was taken last. */
  headFrom(): number;
  /** The heads that endpoints showed lately, where they are not left. */
  witnesses(): readonly Witness[];
  standing(): EndpointStanding;
  /** The calls since the last call of this function. */
  drainCalls(): readonly RpcCalls[];
  /** By endpoint, the heads that it announced since the last call of this function; null: it announces none. */
  drainAnnounced(): readonly (number | null)[];
  close(): void;
};

/** A head that an endpoint gave. Several may be asked for at once: whoever gave one counts as who gave the last head only once it is taken. */
export type GivenHead<Head extends ShownHead> = { readonly head: Head; readonly take: () => void };

export type RpcOptions = {
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly fetch: FetchFunction;
  /** 0 … 1, for jitter. */
  readonly random: () => number;
  /** Called when an endpoint announces a new head. */
  readonly onHead: () => void;
  readonly clock?: Clock;
};

const BOUNDS = LIMITS.indexing.rpc;

/** Opens the node's endpoints lazily: nothing is connected before the first call. */
export function createRpc(options: RpcOptions): Rpc {
  const { urls, chainId, onHead, clock = SYSTEM_CLOCK } = options;
  if (urls.length === 0) throw new TypeError('a chain needs at least one RPC URL');
  let anchor: Anchor | null = null;
  const calls = createCallCounts(clock);
  const board = createEndpointBoard(urls.length, clock, options.random);
  const endpoints = urls.map((url, index) =>
    createEndpoint({
      index,
      connect: (onLost) => transportOf(url, options.fetch, clock, onLost),
      chainId,
      anchor: () => anchor,
      calls,
      clock,
      patience: () => board.patienceOf(index),
      onTook: (ms) => board.took(index, ms),
      onHead,
    }),
  );
  const caller = createCaller(options, endpoints, board, clock);
  const watch = createWatch(endpoints, board, caller, clock);
  let headFrom = 0;
  return {
    call: async (method, params, decode, timeoutMs = BOUNDS.timeoutMs) => (await caller.call({ method, params, decode, timeoutMs })).value,
    callOnce: (method, params, decode) => caller.ask(endpoints[board.followed()] as Endpoint, { method, params, decode, timeoutMs: BOUNDS.timeoutMs }),
    async callForHead(method, params, decode) {
      const question = { method, params, decode, timeoutMs: null, isHead: true };
      watch(question);
      const askedAt = clock.now();
      const { value: head, endpoint } = await caller.call(question);
      board.sawHead(endpoint.index, head, askedAt);
      return {
        head,
        take() {
          headFrom = endpoint.index;
        },
      };
    },
    anchorAt(next) {
      anchor = next;
    },
    recheck: (endpoint = headFrom) => endpoints[endpoint]?.drop(),
    disown: () => caller.leave(endpoints[headFrom] as Endpoint, 'doubted'),
    headFrom: () => headFrom,
    witnesses: () => board.witnesses(),
    standing: () => board.standing(),
    drainCalls: () => calls.drain(),
    drainAnnounced: () => endpoints.map((endpoint) => endpoint.drainAnnounced()),
    close: caller.close,
  };
}

type Caller = {
  /** Asks the followed endpoint, then the others, then again. */
  call<T>(question: Question<T>): Promise<{ readonly value: T; readonly endpoint: Endpoint }>;
  /** Asks that one, once. */
  ask<T>(endpoint: Endpoint, question: Question<T>): Promise<T>;
  blame(endpoint: Endpoint, fault: RpcError): void;
  leave(endpoint: Endpoint, why: LeftFor, retryAfterMs?: number): void;
  close(): void;
};

function createCaller({ random }: RpcOptions, endpoints: readonly Endpoint[], board: EndpointBoard, clock: Clock): Caller {
  const gate = createGate(BOUNDS.inFlight, BOUNDS.waiting);
  const closing = new AbortController();
  // Every call that pauses listens to it.
  setMaxListeners(BOUNDS.inFlight + BOUNDS.waiting, closing.signal);
  const ask: Caller['ask'] = (endpoint, question) =>
    gate.run(async () => {
      const pause = board.pauseOf(endpoint.index);
      if (pause > 0) await clock.sleep(pause, closing.signal);
      if (closing.signal.aborted) throw new RpcError('closed', 'the indexer is stopping');
      const value = await endpoint.ask(question);
      gate.setWidth(BOUNDS.inFlight);
      board.answered(endpoint.index);
      return value;
    });
  const blame: Caller['blame'] = (endpoint, fault) => {
    if (fault.reason === 'starved') return;
    leave(endpoint, fault.reason === 'limited' ? 'limited' : fault.reason === 'foreign-chain' ? 'foreign' : 'fault', fault.retryAfterMs);
  };
  const leave: Caller['leave'] = (endpoint, why, retryAfterMs) => {
    endpoint.drop();
    board.failed(endpoint.index, why, retryAfterMs);
    // One call at a time until a node answers again.
    if (board.allLimited) gate.setWidth(1);
  };
  return {
    ask,
    blame,
    leave,
    async call(question) {
      const tried = new Set<number>();
      const refusedBy = new Map<Endpoint, RpcError>();
      for (let round = 1; ; round++) {
        if (closing.signal.aborted) throw new RpcError('closed', 'the indexer is stopping');
        const endpoint = endpoints[board.next(tried)] as Endpoint;
        tried.add(endpoint.index);
        try {
          const value = await ask(endpoint, question);
          // What one refuses and another answers is the fault of the one.
          for (const [other, fault] of refusedBy) if (other !== endpoint) blame(other, fault);
          return { value, endpoint };
        } catch (error) {
          if (closing.signal.aborted) throw new RpcError('closed', 'the indexer is stopping');
          if (!(error instanceof RpcError) || !mayBeTriedAgain(error)) throw error;
          if (error.reason === 'refused') refusedBy.set(endpoint, error);
          else blame(endpoint, error);
          if (round >= attemptsOf(error, endpoints.length)) throw error;
          await clock.sleep(backoffMs(round, random), closing.signal);
        }
      }
    },
    close() {
      closing.abort();
      for (const endpoint of endpoints) endpoint.drop();
    },
  };
}

function mayBeTriedAgain({ reason }: RpcError): boolean {
  return reason === 'refused' || reason === 'starved' || isEndpointFault(reason);
}

/** Everybody is asked what one refuses, as far as there are attempts. */
function attemptsOf({ reason }: RpcError, endpoints: number): number {
  return reason === 'refused' ? Math.min(BOUNDS.attempts, Math.max(BOUNDS.refusedAttempts, endpoints)) : BOUNDS.attempts;
}

/** Looks at the heads of all endpoints but the followed one, now and then: only so is it known that the followed one stands still, or that a better one is back. */
function createWatch(endpoints: readonly Endpoint[], board: EndpointBoard, caller: Caller, clock: Clock) {
  let watchedAt = Number.NEGATIVE_INFINITY;
  return (question: Question<ShownHead>): void => {
    if (endpoints.length === 1 || clock.now() - watchedAt < BOUNDS.watchMs) return;
    watchedAt = clock.now();
    const followed = board.followed();
    const askedAt = clock.now();
    for (const endpoint of endpoints.filter(({ index }) => index !== followed && board.mayBeAsked(index))) {
      caller
        .ask(endpoint, question)
        .then((head) => board.sawHead(endpoint.index, head, askedAt))
        .catch((error: unknown) => {
          if (error instanceof RpcError && error.reason !== 'closed') caller.blame(endpoint, error);
        });
    }
  };
}

function transportOf(url: string, fetchFunction: FetchFunction, clock: Clock, onLost: () => void): RpcTransport {
  const scheme = new URL(url).protocol;
  if (scheme === 'http:' || scheme === 'https:') return httpTransport(url, fetchFunction, BOUNDS.bodyBytes, clock);
  if (scheme === 'ws:' || scheme === 'wss:') return socketTransport(url, BOUNDS.bodyBytes, onLost);
  throw new TypeError(`an RPC URL is http, https, ws or wss, not ${scheme}`);
}

/** Doubles from the first pause to the longest, between half and the whole of it. */
export function backoffMs(round: number, random: () => number): number {
  const ceiling = Math.min(BOUNDS.backoffMs.longest, BOUNDS.backoffMs.first * 2 ** (round - 1));
  return ceiling * (0.5 + random() / 2);
}
