// The front door of the solving room: jobs to solver threads. Called from the main thread only.

export { aroundSolving } from './around-solving.ts';
export { createSolving, type SolvingOptions } from './create-solving.ts';
export { measuredSolving } from './measured-solving.ts';
export { MeasuringQueue, type TokenMeasuring, type WaitOutcome } from './measuring-queue.ts';
export type { Caller, CertifyOutcome, Outlook, RestartReason, SolveOutcome, Solving, SolvingEvent, SolvingGauge } from './outcome.ts';
export type { SolverAnswer, SolverChain, SolverTask, SolverThreadData, SolverWork } from './solver-thread.ts';
export { threadsStarted } from './thread-crew.ts';
