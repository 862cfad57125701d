// The front door of the admission room: is there time to do it?
export { type AdmissionDecision, type AdmissionLimits, admit, retryAfterSeconds } from './admit.ts';
export { chainCondition, type TrackedChain, type TrackedChainOptions, trackChain } from './chain-tracker.ts';
export { type EventLoopDelay, type EventLoopDelayOptions, watchEventLoopDelay } from './event-loop-delay.ts';
export { InflightCounter, inflightLimit } from './inflight.ts';
