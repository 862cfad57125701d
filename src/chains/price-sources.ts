import { type Address, asAddress } from '../units/units.ts';

/** A contract that says what a token is worth in USD, with the face of Chainlink's AggregatorV3. */
export type PriceFeed = {
  readonly token: Address;
  readonly feed: Address;
  /** An answer older than this by the block's time is not used. */
  readonly maximumAgeSeconds: number;
  /** USD for a whole token: an answer outside is not used. */
  readonly minimumUsd: number;
  readonly maximumUsd: number;
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

/** Twice the hour after which Ethereum's feed answers though nothing has moved; on the other chains they answer more often. */
const MAXIMUM_AGE_SECONDS = 7200;

/**
 * Chainlink's feeds of the native token in USD, by chain id, for its wrapped form, in checksummed form, as docs.chain.link lists them. The bounds are those beyond which a fault is likelier
 * than a price.
 */
const NATIVE_FEEDS: ReadonlyMap<number, { readonly feed: Address; readonly minimumUsd: number; readonly maximumUsd: number }> = new Map(
  (
    [
      [1, '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', 50, 500_000],
      [8453, '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', 50, 500_000],
      [42161, '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', 50, 500_000],
      [10, '0x13e3Ee699D1909E989722E753853AE30b17e08c5', 50, 500_000],
      [56, '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE', 5, 100_000],
      [43114, '0x0A77230d17318075983913bC2145DB16C7366156', 0.5, 10_000],
      [137, '0xAB594600376Ec9fD91F8e885dADF0CE036862dE0', 0.005, 500],
    ] as const
  ).map(([chainId, feed, minimumUsd, maximumUsd]) => [chainId, { feed: asAddress(feed), minimumUsd, maximumUsd }]),
);

/** The feeds that the catalogue knows of a chain; none where it knows none. */
export function feedsOf(chainId: number, wrappedNative: Address): readonly PriceFeed[] {
  const known = NATIVE_FEEDS.get(chainId);
  return known === undefined ? [] : [{ token: wrappedNative, maximumAgeSeconds: MAXIMUM_AGE_SECONDS, ...known }];
}
