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
  const waiting: (() => void)[] = [];
  let open = width;
  let running = 0;
  const admit = (): void => {
    while (running < open && waiting.length > 0) {
      running++;
      waiting.shift()?.();
    }
  };
  return {
    async run(work) {
      if (running < open && waiting.length === 0) running++;
      else {
        if (waiting.length >= queueLimit) throw new RpcError('refused', `more than ${queueLimit} calls wait for the node`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        running--;
        admit();
      }
    },
    setWidth(next) {
      open = next;
      admit();
    },
    get running() {
      return running;
    },
  };
}
