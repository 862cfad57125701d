import type { Clock } from '../clock.ts';
import { RpcError } from './rpc-error.ts';

export type RpcOutcome = 'ok' | 'error' | 'timeout';

/** Calls of one kind that ended in one way. `endpoint` is the place of its URL, from 0. */
export type RpcCalls = { readonly endpoint: number; readonly method: string; readonly outcome: RpcOutcome /** Of each, ms. */; readonly durations: number[] };

/** Counts calls to nodes and how long they took. */
export type CallCounts = {
  count<T>(endpoint: number, method: string, work: () => Promise<T>): Promise<T>;
  /** The calls since the last call of this function. */
  drain(): readonly RpcCalls[];
};

export function createCallCounts(clock: Clock): CallCounts {
  const calls = new Map<string, RpcCalls>();
  const note = (endpoint: number, method: string, outcome: RpcOutcome, startedAt: number): void => {
    const kind = `${endpoint} ${method} ${outcome}`;
    const entry = calls.get(kind) ?? { endpoint, method, outcome, durations: [] };
    entry.durations.push(clock.now() - startedAt);
    calls.set(kind, entry);
  };
  return {
    async count(endpoint, method, work) {
      const startedAt = clock.now();
      try {
        const value = await work();
        note(endpoint, method, 'ok', startedAt);
        return value;
      } catch (error) {
        note(endpoint, method, error instanceof RpcError && error.reason === 'timeout' ? 'timeout' : 'error', startedAt);
        throw error;
      }
    },
    drain() {
      const drained = [...calls.values()];
      calls.clear();
      return drained;
    },
  };
}
