// The front door of the client room: a typed client for integrators. It runs wherever there is fetch, and shares nothing with the service but the
// document that both follow (schemas/openapi.json).
export type { BraidAnswer, BraidRefusal, HealthResponse, QuoteResponse, RateBudget, SourcesResponse, SwapResponse } from './answer.ts';
export { type BraidClient, type BraidClientOptions, type CallOptions, createBraidClient } from './create-client.ts';
export type { QuoteParameters, SwapParameters } from './parameters.ts';
export { withSignature } from './with-signature.ts';
