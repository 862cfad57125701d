// The front door of the observe room: what happened, told once; where it is counted and logged is decided here.

export { countConnections } from './count-connections.ts';
export { createLog, type Log, type LogOptions } from './log.ts';
export { createMetrics, type Metrics, type MetricsChain, type MetricsOptions } from './metrics.ts';
export { createObserver, type Observer, type RequestFacts } from './observer.ts';
export { type SampledParts, sampleGauges } from './sample-gauges.ts';
export { createScrapes } from './scrapes.ts';
export { createStartProgress, type StartProgress } from './start-progress.ts';
