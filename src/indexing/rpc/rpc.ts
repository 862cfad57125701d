import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../config/limits.ts';
import { decodeQuantity } from './decode.ts';
import { createGate } from './gate.ts';
import { type FetchFunction, httpTransport } from './http-transport.ts';
import { isEndpointFault, RpcError } from './rpc-error.ts';
import { socketTransport } from './socket-transport.ts';
import type { RpcTransport } from './transport.ts';

export type RpcOutcome = 'ok' | 'error' | 'timeout';

/** Calls of one kind that ended in one way. `endpoint` is the place of its URL, from 0. */
export type RpcCalls = { readonly endpoint: number; readonly method: string; readonly outcome: RpcOutcome /** Of each, ms. */; readonly durations: number[] };

/** The node of one chain, behind one or more endpoints. */
export type Rpc = {
  /**
   * Calls a method and decodes what it answers. Retries faults of an endpoint with growing, jittered pauses, on the next endpoint where there is one. Throws
   * RpcError. `decode` throws garbage() on an answer that can not be what was asked for.
   */
  call<T>(method: string, params: readonly unknown[], decode: (result: unknown) => T, timeoutMs?: number): Promise<T>;
  /** The calls since the last call of this function. */
  drainCalls(): readonly RpcCalls[];
  close(): void;
};

export type RpcOptions = {
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly fetch: FetchFunction;
  /** 0 … 1, for jitter. */
  readonly random: () => number;
  /** Called when an endpoint announces a new head. */
  readonly onHead: () => void;
};

type Endpoint = { readonly index: number; readonly transport: RpcTransport; verification: Promise<void> | null };

const BOUNDS = LIMITS.indexing.rpc;

/** Opens the node's endpoints lazily: nothing is connected before the first call. */
export function createRpc(options: RpcOptions): Rpc {
  const endpoints = options.urls.map((url, index): Endpoint => ({ index, transport: transportOf(url, options.fetch), verification: null }));
  if (endpoints.length === 0) throw new TypeError('a chain needs at least one RPC URL');
  const gate = createGate(BOUNDS.inFlight, BOUNDS.waiting);
  const closing = new AbortController();
  // Every call that pauses listens to it.
  setMaxListeners(BOUNDS.inFlight + BOUNDS.waiting, closing.signal);
  const calls = new Map<string, RpcCalls>();
  let current = 0;
  let pausedUntil = 0;

  const note = (endpoint: number, method: string, outcome: RpcOutcome, startedAt: number): void => {
    const kind = `${endpoint} ${method} ${outcome}`;
    const entry = calls.get(kind) ?? { endpoint, method, outcome, durations: [] };
    entry.durations.push(performance.now() - startedAt);
    calls.set(kind, entry);
  };

  const request = async <T>(endpoint: Endpoint, method: string, params: readonly unknown[], decode: (result: unknown) => T, timeoutMs: number): Promise<T> => {
    const startedAt = performance.now();
    try {
      const value = decode(await endpoint.transport.request(method, params, timeoutMs));
      note(endpoint.index, method, 'ok', startedAt);
      gate.setWidth(BOUNDS.inFlight);
      return value;
    } catch (error) {
      note(endpoint.index, method, error instanceof RpcError && error.reason === 'timeout' ? 'timeout' : 'error', startedAt);
      throw error;
    }
  };

  /** The chain id is asked at the start and after every fault, since a name may have come to mean another node: no foreign block is ever read. */
  const verify = async (endpoint: Endpoint): Promise<void> => {
    const chainId = await request(endpoint, 'eth_chainId', [], decodeQuantity, BOUNDS.headTimeoutMs);
    if (chainId !== options.chainId) throw new RpcError('foreign-chain', `the endpoint serves chain ${chainId}, not ${options.chainId}`);
    await endpoint.transport.subscribe(options.onHead, BOUNDS.headTimeoutMs);
  };

  const attempt = async <T>(endpoint: Endpoint, method: string, params: readonly unknown[], decode: (result: unknown) => T, timeoutMs: number): Promise<T> => {
    const pause = pausedUntil - performance.now();
    if (pause > 0) await sleep(pause, undefined, { signal: closing.signal });
    endpoint.verification ??= verify(endpoint);
    await endpoint.verification;
    return await request(endpoint, method, params, decode, timeoutMs);
  };

  /** Calls that were in flight together fail together: only the first of them moves on to the next endpoint. */
  const blame = (endpoint: Endpoint, fault: RpcError): void => {
    endpoint.verification = null;
    // What verified it was another connection, and so was what its subscription came over.
    endpoint.transport.close();
    if (endpoints[current] === endpoint) current = (current + 1) % endpoints.length;
    if (fault.reason !== 'limited') return;
    // One call at a time until the node answers again.
    gate.setWidth(1);
    pausedUntil = performance.now() + Math.max(fault.retryAfterMs, BOUNDS.limitedPauseMs * (1 + options.random()));
  };

  return {
    async call(method, params, decode, timeoutMs = BOUNDS.timeoutMs) {
      for (let round = 1; ; round++) {
        if (closing.signal.aborted) throw new RpcError('closed', 'the indexer is stopping');
        const endpoint = endpoints[current] as Endpoint;
        try {
          return await gate.run(() => attempt(endpoint, method, params, decode, timeoutMs));
        } catch (error) {
          if (closing.signal.aborted) throw new RpcError('closed', 'the indexer is stopping');
          if (!(error instanceof RpcError) || !isEndpointFault(error.reason)) throw error;
          blame(endpoint, error);
          if (round >= BOUNDS.attempts) throw error;
          await sleep(backoffMs(round, options.random), undefined, { signal: closing.signal }).catch(() => undefined);
        }
      }
    },
    drainCalls() {
      const drained = [...calls.values()];
      calls.clear();
      return drained;
    },
    close() {
      closing.abort();
      for (const endpoint of endpoints) endpoint.transport.close();
    },
  };
}

function transportOf(url: string, fetchFunction: FetchFunction): RpcTransport {
  const scheme = new URL(url).protocol;
  if (scheme === 'http:' || scheme === 'https:') return httpTransport(url, fetchFunction, BOUNDS.bodyBytes);
  if (scheme === 'ws:' || scheme === 'wss:') return socketTransport(url);
  throw new TypeError(`an RPC URL is http, https, ws or wss, not ${scheme}`);
}

/** Doubles from the first pause to the longest, between half and the whole of it. */
export function backoffMs(round: number, random: () => number): number {
  const ceiling = Math.min(BOUNDS.backoffMs.longest, BOUNDS.backoffMs.first * 2 ** (round - 1));
  return ceiling * (0.5 + random() / 2);
}
