import { createPublicClient, fallback, http, type PublicClient } from 'viem';

const TIMEOUT_MS = 5000;

/** Asks a chain's nodes, the next one where one does not answer. Requests end with the signal. */
export function nodeClient(rpcUrls: readonly string[], signal: AbortSignal): PublicClient {
  return createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url, { timeout: TIMEOUT_MS, retryCount: 0, fetchOptions: { signal } }))) });
}
