import { createPublicClient, fallback, http, type PublicClient, type Transport, webSocket } from 'viem';

const TIMEOUT_MS = 5000;

/** Asks a chain's nodes, over HTTP or WebSocket, the next one where one does not answer. Requests, and sockets, end with the signal. */
export function nodeClient(rpcUrls: readonly string[], signal: AbortSignal): PublicClient {
  return createPublicClient({ transport: fallback(rpcUrls.map((url) => (/^wss?:/.test(url) ? socket(url, signal) : overHttp(url, signal)))) });
}

function overHttp(url: string, signal: AbortSignal): Transport {
  return http(url, { timeout: TIMEOUT_MS, retryCount: 0, fetchOptions: { signal } });
}

function socket(url: string, signal: AbortSignal): Transport {
  const transport = webSocket(url, { timeout: TIMEOUT_MS, retryCount: 0, reconnect: false, keepAlive: false });
  return (parameters) => {
    const made = transport(parameters);
    const close = (): void => {
      made.value?.getRpcClient().then(
        (client) => client.close(),
        () => undefined,
      );
    };
    signal.addEventListener('abort', close, { once: true });
    return made;
  };
}
