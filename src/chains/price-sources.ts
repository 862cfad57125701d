import { type Address, asAddress } from '../units/units.ts';
import { FEED_LIMITS } from './by-hand.ts';
import { CHAIN_FACTS } from './chains.gen.ts';

/** A contract that says what a token is worth in USD, with the face of Chainlink's AggregatorV3. */
export type PriceFeed = {
  readonly token: Address;
  readonly feed: Address;
  /** An answer older than this by the block's time is not used. */
  readonly maximumAgeSeconds: number;
  /** USD for a whole token: an answer outside is not used. */
  readonly minimumUsd: number;
  readonly maximumUsd: number;
  /**
   * Contract that says whether the sequencer of a rollup works (Chainlink's L2 sequencer uptime feed). While it does not, and of what was answered before it did again, nothing is used: nobody else
   * could have written a newer answer.
   */
  readonly sequencer?: Address;
};

/** What the prices of a chain start from. */
export type PriceSources = {
  readonly feeds: readonly PriceFeed[];
  /** Tokens that are a dollar as long as the pools to tokens with a feed do not say otherwise. */
  readonly stablecoins: readonly Address[];
  /** USD: a pool counts where it takes at least so much to move its price by 2%. */
  readonly minimumDepthUsd: number;
};

/** About one percent of each side of a constant product with a hundred thousand dollars a side. */
export const DEFAULT_MINIMUM_DEPTH_USD = 1000;

/** Nothing: no token has a price. */
export const NO_PRICE_SOURCES: PriceSources = { feeds: [], stablecoins: [], minimumDepthUsd: DEFAULT_MINIMUM_DEPTH_USD };

/** The feeds that the catalogue knows of a chain: Chainlink's of its native token, for the wrapped form. None where it knows none. */
export function feedsOf(chainId: number, wrappedNative: Address): readonly PriceFeed[] {
  const facts = CHAIN_FACTS.find((chain) => chain.chainId === chainId);
  const limits = FEED_LIMITS.get(chainId);
  if (facts === undefined || facts.nativeFeed === null || limits === undefined) return [];
  const { nativeFeed, sequencerFeed } = facts;
  return [{ token: wrappedNative, feed: asAddress(nativeFeed), ...limits, ...(sequencerFeed === null ? {} : { sequencer: asAddress(sequencerFeed) }) }];
}
