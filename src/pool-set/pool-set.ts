// The front door of the pool-set room: a frozen snapshot from a file, for load tests, back-tests and benchmarks.
export { type AppliedBlocks, applyBlock, applyBlocks } from './apply-blocks.ts';
export { type JsonFile, readJsonFile } from './json-file.ts';
export { type LoadedPoolSet, type LoadOptions, type LoadResult, loadPoolSet } from './load-pool-set.ts';
export type { LeftOutReason, PoolSetVenues } from './pool-entry.ts';
export { type PoolSet, type PoolSetResult, parsePoolSet, readPoolSet } from './read-pool-set.ts';
export { isObject } from './schema.ts';
export type { PoolSetSummary, Tally } from './tally.ts';
