import type { ChainAnswer, ChainCall, PinnedReader } from '../venues/venues.ts';

type Waiting = { readonly calls: readonly ChainCall[]; resolve(answers: readonly ChainAnswer[]): void; reject(error: unknown): void };

/** A reader that makes one request of what several ask for in the same turn: answers go back to who asked. A failure is everybody's. */
export function joinedReader(read: PinnedReader): PinnedReader {
  let waiting: Waiting[] = [];
  const ask = async (): Promise<void> => {
    const asked = waiting;
    waiting = [];
    try {
      const answers = await read(asked.flatMap(({ calls }) => calls));
      let at = 0;
      for (const { calls, resolve } of asked) {
        resolve(answers.slice(at, at + calls.length));
        at += calls.length;
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  return (calls) =>
    new Promise((resolve, reject) => {
      waiting.push({ calls, resolve, reject });
      // After the microtasks of this turn: whoever else asks now is among them.
      if (waiting.length === 1) setImmediate(() => void ask());
    });
}
