// The front door of the offline room: a file of requests solved against a pool set, for back-tests, profiles and comparisons.
export { type ClearedArbitrage, clearArbitrage } from './arbitrage/clear-arbitrage.ts';
export { type OfflineArguments, type ParsedArguments, parseArguments, USAGE } from './arguments.ts';
export { createSummary, jsonLine, lossBps, type OfflineSummary, printable, summaryText, tableLine } from './report.ts';
export { decodeRow, type OfflineRequest, type RequestsResult, readRequests } from './requests.ts';
export { type LineOutput, runOffline } from './run-offline.ts';
export { type OfflineAnswer, type SolveOne, solveRequests, warmUp } from './solve-requests.ts';
