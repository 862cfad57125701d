import { createSolving, type Solving, type SolvingEvent } from '../../../src/solving/solving.ts';
import { type Edge, type EdgeOptions, startEdge } from './edge.ts';

/** An edge over the real queue, and solver threads whose jobs do what a request says (test/solving/workers/misbehaving.ts). */
export type MisbehavingThreads = { readonly solving: Solving; readonly edge: Edge; close(): Promise<void> };

export async function startMisbehavingThreads(
  threads: number,
  options: EdgeOptions = {},
  onEvent: (event: SolvingEvent) => void = () => {},
): Promise<MisbehavingThreads> {
  const solving = await createSolving({
    threads,
    workerFile: new URL('../../solving/workers/misbehaving.ts', import.meta.url),
    data: { chains: [] },
    onEvent,
  });
  const edge = await startEdge({
    solve: (job, caller) => solving.solve(job, caller),
    gauge: { outlook: (job, client) => solving.outlook(job, client), estimatedWaitMs: () => solving.estimatedWaitMs() },
    ...options,
  });
  return {
    solving,
    edge,
    async close() {
      await edge.close();
      await solving.close();
    },
  };
}
