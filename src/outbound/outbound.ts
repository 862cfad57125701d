// The front door of the outbound room: how others are asked by HTTP, and when they are left alone. For the main thread and indexer threads.
export { type Asked, type AskOptions, createAsk } from './ask.ts';
export { createPauses, type PauseOptions, type Pauses } from './pauses.ts';
