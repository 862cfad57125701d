import type { OutsideAnswer } from '../outside.ts';
import { readJson } from '../read-json.ts';

/** What a maker says to a call. 'busy': it is asked too much. 'refused': it would not. 'garbled': it is none of the protocol's answers. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly reason: 'busy' | 'refused' | 'unreachable' | 'garbled' | 'crowded'; readonly retryAfterMs: number | null };

/** Codes by which makers say that they are asked too much: the protocol's, and two that others use. */
const BUSY_CODES: ReadonlySet<number> = new Set([-33605, -32005, 429]);

/** By this one a server says that it is broken, as by a status of 5xx: it has not judged what was asked (decision 175). */
const INTERNAL_ERROR = -32603;

/** A call by JSON-RPC 2.0, as text. */
export function rpcCall(id: string, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** Reads the answer to the call of that id. Nothing of what an error says is kept but its code. */
export function readRpcAnswer(answer: OutsideAnswer, id: string): RpcAnswer {
  if (!answer.ok) return { ok: false, reason: answer.reason, retryAfterMs: answer.reason === 'busy' ? answer.retryAfterMs : null };
  const body = asObject(readJson(answer.text));
  if (body === null || body.get('jsonrpc') !== '2.0' || body.get('id') !== id) return GARBLED;
  const error = body.get('error');
  if (error !== undefined && error !== null) {
    const code = asObject(error)?.get('code');
    if (typeof code !== 'number') return GARBLED;
    if (code === INTERNAL_ERROR) return { ok: false, reason: 'unreachable', retryAfterMs: null };
    return { ok: false, reason: BUSY_CODES.has(code) ? 'busy' : 'refused', retryAfterMs: null };
  }
  return { ok: true, result: body.get('result') };
}

/** The own members of a JSON object by name; null of anything else. */
export function asObject(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null;
}

const GARBLED: RpcAnswer = { ok: false, reason: 'garbled', retryAfterMs: null };
