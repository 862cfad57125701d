import type { Solving } from './outcome.ts';

/** The same solving, but for what is asked of it otherwise. Gauges stay those of the threads. */
export function aroundSolving(solving: Solving, asked: Pick<Solving, 'solve' | 'solveAgain'> & Partial<Pick<Solving, 'certify'>>): Solving {
  return {
    queueLimit: solving.queueLimit,
    longPlaces: solving.longPlaces,
    threads: solving.threads,
    queueDepth: () => solving.queueDepth(),
    inflight: () => solving.inflight(),
    estimatedWaitMs: () => solving.estimatedWaitMs(),
    outlook: (job, client) => solving.outlook(job, client),
    workers: () => solving.workers(),
    close: () => solving.close(),
    certify: (job, caller) => solving.certify(job, caller),
    ...asked,
  };
}
