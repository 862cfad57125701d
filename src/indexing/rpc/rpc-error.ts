/**
 * Why a call to a node failed. 'unavailable', 'timeout', 'garbage', 'limited' and 'foreign-chain' are the endpoint's fault and are retried, on the next
 * endpoint where there is one; 'block-gone', 'range-too-large' and 'refused' are answers, which the caller has to deal with.
 */
export type RpcFailure = 'unavailable' | 'timeout' | 'garbage' | 'limited' | 'foreign-chain' | 'block-gone' | 'range-too-large' | 'refused' | 'closed';

/** A failed call. Thrown inside the indexer thread only, where every step of the block loop catches it. */
export class RpcError extends Error {
  readonly reason: RpcFailure;
  /** How long the node asked us to wait, in milliseconds; 0 when it did not. */
  readonly retryAfterMs: number;

  constructor(reason: RpcFailure, message: string, retryAfterMs = 0) {
    super(`${reason}: ${message.slice(0, 200)}`);
    this.name = 'RpcError';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An answer that can not be what was asked for: never committed, counted and asked again. */
export function garbage(message: string): RpcError {
  return new RpcError('garbage', message);
}

/** Whether another attempt, perhaps on another endpoint, may help. */
export function isEndpointFault(reason: RpcFailure): boolean {
  return reason === 'unavailable' || reason === 'timeout' || reason === 'garbage' || reason === 'limited' || reason === 'foreign-chain';
}

const RANGE = /range|too many|more than|limit exceeded|response size|result set|query timeout|exceeds/i;
const LIMITED = /rate limit|too many requests|request count/i;
const GONE = /unknown block|header not found|block not found|resource not found|missing trie node|not canonical|no state available|hash .* not found/i;

/** Sorts a JSON-RPC error object by what the caller can do about it. Nodes agree on the words more than on the codes. */
export function rpcErrorOf(method: string, code: number, message: string): RpcError {
  if (GONE.test(message)) return new RpcError('block-gone', message);
  if (LIMITED.test(message)) return new RpcError('limited', message);
  if (method === 'eth_getLogs' && RANGE.test(message)) return new RpcError('range-too-large', message);
  if (code === -32005 || code === 429) return new RpcError('limited', message);
  return new RpcError('refused', message);
}
