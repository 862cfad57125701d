/**
 * Why a call to a node failed.
 * - The endpoint's fault, and tried again, elsewhere where there is another: 'unavailable', 'timeout', 'garbage', 'limited', 'foreign-chain'.
 * - Ours, and tried again without a word about the endpoint: 'starved', where this machine has no socket left.
 * - Answers, which the caller has to deal with: 'block-gone', 'range-too-large', and 'reverted', where the call ran and its code ended it.
 * - 'refused' may be either: the node would not, and does not say anything that is known. It is tried once more, elsewhere where there is another; what nobody answers is the caller's to deal with,
 *   and says nothing about the chain.
 */
export type RpcFailure =
  | 'unavailable'
  | 'timeout'
  | 'garbage'
  | 'limited'
  | 'foreign-chain'
  | 'block-gone'
  | 'range-too-large'
  | 'reverted'
  | 'refused'
  | 'starved'
  | 'closed';

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

/** Whether a request failed for what it holds, as far as its answer tells: a smaller one may be answered. */
export function isOfTheRequest(reason: RpcFailure): boolean {
  return reason === 'refused' || reason === 'reverted';
}

const RANGE = /range|too many|more than|limit exceeded|response size|result set|query timeout|exceeds/i;
const LIMITED = /rate limit|too many requests|request count|quota|credits?\b|compute units|throughput|capacity|monthly limit|daily limit/i;
const BARRED = /unauthori[sz]ed|forbidden|access denied|api[ -]?key|authenticat|payment required|must be authorized|project id/i;
const GONE =
  /unknown block|header not found|block not found|resource not found|missing trie node|not canonical|no state available|hash .* not found|\bpruned\b/i;
const RAN = /revert|out of gas|invalid ?(fe)?opcode|bad jump|invalid jump|stack (over|under)flow|evm error|vm execution|code size|initcode|intrinsic gas/i;
/** What JSON-RPC nodes give with a revert (EIP-1474 leaves the code open; geth, Erigon and Nethermind agree on it). */
const REVERTED_CODE = 3;

/** The error that an answer carries; null: it carries none. Of what a node sends only texts and numbers are made into text: an object may have a `toString` that is no function, and throws. */
export function errorIn(method: string, { error }: Readonly<Record<string, unknown>>): RpcError | null {
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  if (typeof error.message !== 'string') return garbage(`${method}: an error whose message is no text`);
  const code = 'code' in error && (typeof error.code === 'number' || typeof error.code === 'string') ? Number(error.code) : 0;
  return rpcErrorOf(method, code, error.message);
}

/** Sorts a JSON-RPC error object by what the caller can do about it. Nodes agree on the words more than on the codes. */
export function rpcErrorOf(method: string, code: number, message: string): RpcError {
  if (GONE.test(message)) return new RpcError('block-gone', message);
  if (method === 'eth_call' && (code === REVERTED_CODE || RAN.test(message))) return new RpcError('reverted', message);
  if (LIMITED.test(message)) return new RpcError('limited', message);
  if (BARRED.test(message)) return new RpcError('unavailable', message);
  if (method === 'eth_getLogs' && RANGE.test(message)) return new RpcError('range-too-large', message);
  if (code === -32005 || code === 429) return new RpcError('limited', message);
  return new RpcError('refused', message);
}
