// The front door of the quoting room: which fee applies, what the solver is asked, and a plan as the response that a caller reads.
export { type AddressText, addressTextFor } from './address-text.ts';
export { type AppliedFee, effectiveFee, type FeePolicy, feeOnGrossDown, grossTarget, type SplitFee, splitFee } from './fees.ts';
export { type JsonNumber, serialise } from './serialise.ts';
export { floorAfterSlippageDown, type QuoteInput, type QuoteResult, toQuoteResponse } from './to-quote-response.ts';
export { type SolveJobResult, toSolveJob } from './to-solve-job.ts';
