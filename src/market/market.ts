// The front door of the market room: what tokens and gas are worth, and what tokens say about themselves.

export { createTransferMeter, type Measured, type TransferMeter } from './measure-transfers.ts';
export { PriceBook } from './price-book.ts';
export { type ProbeCode, readProbeCode } from './probe-code.ts';
export type { NodeAnswer, NodeCall, ProbedBlock, ProbeNode, RecentBlocks, Simulated, StateOverrides } from './probe-node.ts';
export type { SettlementAccounts } from './probe-request.ts';
export { type FeedReading, readFeeds } from './read-feeds.ts';
export { readTokenFacts } from './token-metadata.ts';
export { createTokenPrices, type PricingReport, type TokenPrices } from './token-prices.ts';
export { type KeeperParts, type MeasuringFacts, type Requested, VerdictKeeper, type VerdictsKept } from './verdict-keeper.ts';
