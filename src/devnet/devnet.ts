// The front door of the devnet room: the embedded local chain with real venue contracts, seeded pools and trading bots. Runs in the main thread.
export type { DevnetAccount } from './accounts.ts';
export { type BannerFacts, renderBanner } from './banner.ts';
export { type DevnetDescription, describeDevnet, type ServiceFacts } from './describe.ts';
export { DevnetError } from './devnet-error.ts';
export { plainMarket } from './plain-market.ts';
export type { Devnet, DevnetAttester, DevnetIssuer, DevnetMaker, DevnetOptions, DevnetPool, DevnetToken } from './running-devnet.ts';
export { type DevnetSettlement, devnetSettlement } from './settlement.ts';
export { startDevnet } from './start-devnet.ts';
export type { TokenKind } from './token-table.ts';
