import pLimit from 'p-limit';
import { RpcError } from './rpc-error.ts';

/** A bounded number of calls in flight, a bounded number waiting, first come first served. */
export type Gate = {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Changes how many may run from now on; those that run already are not stopped. */
  setWidth(width: number): void;
  readonly running: number;
};

/** Opens a gate. A call beyond `queueLimit` waiting ones fails with RpcError 'refused': its caller forgot to bound its own work. */
export function createGate(width: number, queueLimit: number): Gate {
  const limit = pLimit(width);
  return {
    async run(work) {
      if (limit.pendingCount >= queueLimit && limit.activeCount >= limit.concurrency) {
        throw new RpcError('refused', `more than ${queueLimit} calls wait for the node`);
      }
      return limit(work);
    },
    setWidth(next) {
      // Said with every answer, and each time a pass over the queue.
      if (next !== limit.concurrency) limit.concurrency = next;
    },
    get running() {
      return limit.activeCount;
    },
  };
}
