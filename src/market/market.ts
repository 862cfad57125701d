// The front door of the market room: what tokens and gas are worth, and what tokens say about themselves.
export { PriceBook } from './price-book.ts';
export { type FeedReading, readFeeds } from './read-feeds.ts';
export { readTokenFacts } from './token-metadata.ts';
export { createTokenPrices, type PricingReport, type TokenPrices } from './token-prices.ts';
