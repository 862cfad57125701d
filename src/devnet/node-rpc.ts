import { LIMITS } from '../config/limits.ts';
import { DevnetError } from './devnet-error.ts';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };
export type RpcAnswer = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly message: string };

/** A JSON-RPC client of the local node: whole batches in one HTTP request, because bring-up is hundreds of calls. */
export type NodeRpc = {
  /** One call; throws DevnetError when the node refuses or is gone. */
  request(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Many calls, answered in order; single refusals are values. Throws DevnetError when the node is gone. */
  batch(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]>;
};

const { rpcBatchCalls, rpcTimeoutMs } = LIMITS.devnet;

export function createNodeRpc(url: string): NodeRpc {
  const batch = async (calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> => {
    const answers: RpcAnswer[] = [];
    for (let start = 0; start < calls.length; start += rpcBatchCalls) answers.push(...(await post(url, calls.slice(start, start + rpcBatchCalls))));
    return answers;
  };
  const request = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const [answer] = await batch([{ method, params }]);
    if (answer?.ok !== true) throw new DevnetError(`the local node refused ${method}: ${answer?.message ?? 'no answer'}`);
    return answer.result;
  };
  return { request, batch };
}

type WireAnswer = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message?: string } };

async function post(url: string, calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, method: call.method, params: call.params })));
  const wire = await send(url, body);
  const byId = new Map(wire.map((answer) => [answer.id, answer]));
  return calls.map((_, id) => {
    const answer = byId.get(id);
    if (answer === undefined) return { ok: false, message: 'no answer' };
    if (answer.error !== undefined) return { ok: false, message: answer.error.message ?? 'refused' };
    return { ok: true, result: answer.result };
  });
}

async function send(url: string, body: string): Promise<readonly WireAnswer[]> {
  try {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: AbortSignal.timeout(rpcTimeoutMs) });
    return (await response.json()) as readonly WireAnswer[];
  } catch (cause) {
    throw new DevnetError(`the local node at ${url} does not answer`, { cause });
  }
}
