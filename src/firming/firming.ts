// The front door of the firming room: how the hops of a chain's plans are firmed, and who is left alone. Runs in the main thread.
export { createFirming, type Firmed, type Firming, type FirmingChain, type FirmingParts, type FirmingVenue } from './create-firming.ts';
export type { Polled } from './poll-sources.ts';
export { createSigners, type Signers } from './signers.ts';
export { nameUnknownContract } from './unknown-contracts.ts';
