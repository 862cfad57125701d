import { createPublicClient, custom, fallback, http, numberToHex, type PublicClient } from 'viem';
import { WebSocket } from 'ws';
import { within } from '../within.ts';

const TIMEOUT_MS = 5000;
/** A contract's code is at most 24,576 bytes. */
const ANSWER_BYTES = 2 ** 20;

/** The endpoints of one chain, the preferred first: http, https, ws or wss. */
export type ChainNodes = { readonly rpcUrls: readonly string[]; readonly chainId: number };

type Endpoint = (call: { readonly method: string; readonly params?: unknown }) => Promise<unknown>;

/** A client of a chain's nodes: the next one is asked where one does not answer, or serves another chain. Requests end with the signal, and follow no redirect: a URL may hold a key. */
export function nodeClient({ rpcUrls, chainId }: ChainNodes, signal: AbortSignal): PublicClient {
  const endpoints = rpcUrls.map((url) => ofChain(url.startsWith('ws') ? socketEndpoint(url, signal) : httpEndpoint(url, signal), chainId, signal));
  return createPublicClient({
    transport: fallback(
      endpoints.map((request) => custom({ request }, { retryCount: 0 })),
      { retryCount: 0 },
    ),
  });
}

/** An endpoint that is asked which chain it serves before anything else; nothing is waited for longer than a while. */
function ofChain(request: Endpoint, chainId: number, signal: AbortSignal): Endpoint {
  let verified: Promise<void> | null = null;
  const verify = async (): Promise<void> => {
    const served = await inTime(request({ method: 'eth_chainId' }), signal);
    if (served !== numberToHex(chainId)) throw new Error('the endpoint serves another chain');
  };
  return async (call) => {
    verified ??= verify().catch((error: unknown) => {
      verified = null;
      throw error;
    });
    await verified;
    return await inTime(request(call), signal);
  };
}

function httpEndpoint(url: string, signal: AbortSignal): Endpoint {
  return http(url, { timeout: TIMEOUT_MS, retryCount: 0, fetchOptions: { signal, redirect: 'error' } })({}).request as Endpoint;
}

/** A connection for each request: there are few, and none outlives its answer. */
function socketEndpoint(url: string, signal: AbortSignal): Endpoint {
  return async ({ method, params = [] }) => {
    const socket = new WebSocket(url, { handshakeTimeout: TIMEOUT_MS, maxPayload: ANSWER_BYTES, perMessageDeflate: false });
    try {
      const text = await inTime(
        new Promise<string>((resolve, reject) => {
          socket.on('error', reject);
          socket.once('close', () => reject(new Error('the socket closed')));
          socket.once('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
          socket.once('message', (data) => resolve(String(data)));
        }),
        signal,
      );
      return resultOf(text);
    } finally {
      socket.terminate();
    }
  };
}

/** Not where the socket hears of it: what is thrown there is nobody's to catch, and ends the process. Some nodes send an error of null beside a result. */
function resultOf(text: string): unknown {
  const { result, error } = (JSON.parse(text) ?? {}) as { readonly result?: unknown; readonly error?: { readonly message?: unknown } | null };
  if (error !== undefined && error !== null) throw new Error(String(error.message));
  if (result === undefined) throw new Error('the endpoint sent no answer');
  return result;
}

function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return within(
    TIMEOUT_MS,
    signal,
    (ending) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new Error('the endpoint does not answer'));
        ending.addEventListener('abort', giveUp, { once: true });
        if (ending.aborted) giveUp();
        work.then(resolve, reject);
      }),
  );
}
