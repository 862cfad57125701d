// The front door of the chains room: what is fixed about each chain, by id, name and alias.

import { asAddress } from '../units/units.ts';
import { CATALOGUE } from './catalogue.ts';
import type { CataloguedChain } from './chain.ts';

export { CATALOGUE } from './catalogue.ts';
export { type CataloguedVenue, venuesOf } from './catalogued-venues.ts';
export type { CataloguedChain, Chain } from './chain.ts';
export { defaultTokensOf } from './default-tokens.ts';
export type { ChainView, HostedChain } from './hosted.ts';
export { DEFAULT_MINIMUM_DEPTH_USD, feedsOf, NO_PRICE_SOURCES, type PriceFeed, type PriceSources } from './price-sources.ts';
export { stablecoinsOf } from './stablecoins.ts';

/** Permit2's one address on every chain. */
export const PERMIT2 = asAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3');

const BY_ID: ReadonlyMap<number, CataloguedChain> = new Map(CATALOGUE.map((chain) => [chain.chainId, chain]));

/** The chain of an EIP-155 id, or undefined when the catalogue does not list it. */
export function chainById(chainId: bigint | number): CataloguedChain | undefined {
  return BY_ID.get(Number(chainId));
}
