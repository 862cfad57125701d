import type { ChainAnswer, ChainCall } from '../venues/venues.ts';
import type { IndexerCommand } from './thread-data.ts';

/** The main thread's side of asking a chain's contracts: who waits for which answers. */
export type ReadRequests = {
  /** Answers in the order of the calls, all at the block. null: the node could not be asked, there is no thread that asks, or `signal`. Never rejects. */
  read(blockHash: `0x${string}`, calls: readonly ChainCall[], signal: AbortSignal): Promise<readonly ChainAnswer[] | null>;
  /** The thread answered the command of that id. */
  answered(id: number, answers: readonly ChainAnswer[] | null): void;
  /** The thread is gone: whoever waits waits in vain. */
  lost(): void;
};

/** `tell` posts to the indexer thread, false where there is none now. */
export function createReadRequests(tell: (command: IndexerCommand) => boolean): ReadRequests {
  const flights = new Map<number, (answers: readonly ChainAnswer[] | null) => void>();
  let lastId = 0;
  return {
    read: (blockHash, calls, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(null);
        const id = ++lastId;
        const land = (answers: readonly ChainAnswer[] | null): void => {
          flights.delete(id);
          signal.removeEventListener('abort', give);
          resolve(answers);
        };
        const give = (): void => land(null);
        signal.addEventListener('abort', give);
        flights.set(id, land);
        if (!tell({ kind: 'read', id, blockHash, calls })) land(null);
      }),
    answered: (id, answers) => flights.get(id)?.(answers),
    lost() {
      for (const land of [...flights.values()]) land(null);
    },
  };
}
