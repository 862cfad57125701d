// Generated from schemas/pool-set.schema.json by `npm run generate`. Do not edit.

/**
 * One pool. Members by kind; the kind decides which mathematics price it.
 */
export type Pool = {
  /**
   * Unique: the pool's address, for singletons the pool id.
   */
  id: string;
  /**
   * For example constantProduct.
   */
  kind: string;
  /**
   * Venue label: family, or family:variant.
   */
  venue: string;
  /**
   * A 20-byte address, in any letter case.
   */
  address?: string;
  /**
   * The pool's tokens in its own order.
   *
   * @minItems 2
   * @maxItems 8
   */
  tokens: Address[];
  /**
   * false: not routable.
   */
  swapEnabled?: boolean;
};
/**
 * A 20-byte address, in any letter case.
 */
export type Address = string;
/**
 * A decimal string in base units, up to 2^256-1.
 */
export type Amount = string;
/**
 * A block hash.
 */
export type BlockHash = string;
/**
 * One amount per token.
 *
 * @minItems 2
 * @maxItems 8
 */
export type Amounts = Amount[];
/**
 * One amount per token.
 *
 * @minItems 2
 * @maxItems 8
 */
export type Amounts1 = Amount[];
/**
 * One amount per token.
 *
 * @minItems 2
 * @maxItems 8
 */
export type Amounts2 = Amount[];

/**
 * A frozen snapshot of one chain's pools as a file, plain or gzipped. Unknown members are ignored. A pool that does not match is left out and counted; anything else that does not match refuses the document.
 */
export interface PoolSet {
  /**
   * EIP-155 chain id.
   */
  chainId: number;
  /**
   * Block that the state describes. Default 0.
   */
  block?: number;
  /**
   * Hash of that block. Default all zeros.
   */
  blockHash?: string;
  /**
   * Unix seconds of that block. Default 0.
   */
  timestamp?: number;
  /**
   * Where the set comes from.
   */
  source?: string;
  /**
   * Gas price in wei, used as the base fee of the frozen block. Absent: gas is not valued (gasMode blind).
   */
  gasPriceWei?: string;
  /**
   * The wrapped native token. Absent: nativeToken, else the catalogue's.
   */
  wrappedNative?: string;
  /**
   * Alias of wrappedNative.
   */
  nativeToken?: string;
  /**
   * Token facts by address, in any letter case.
   */
  tokens: {
    [k: string]: Token;
  };
  /**
   * The pools.
   */
  pools: Pool[];
}
/**
 * What is known of a token.
 */
export interface Token {
  /**
   * For people only.
   */
  symbol?: string | null;
  /**
   * As the contract says; null where it does not say.
   */
  decimals: number | null;
  /**
   * USD per whole token.
   */
  usd?: number | null;
  /**
   * Wei of the native token per base unit of this token, as a number or a decimal string.
   */
  ethPriceWeiPerAtom?: number | string | null;
}
/**
 * x·y = k, two tokens; the fee is taken from the input, in basis points (feeBps) or millionths (feePpm). A family whose contract fixes the fee needs neither.
 */
export interface ConstantProduct {
  /**
   * @maxItems 2
   */
  tokens?: unknown[];
  /**
   * @minItems 2
   * @maxItems 2
   */
  reserves: Amount[];
  feeBps?: number;
  feePpm?: number;
}
/**
 * Concentrated liquidity, two tokens sorted by address.
 */
export interface Concentrated {
  /**
   * @maxItems 2
   */
  tokens?: unknown[];
  /**
   * Millionths.
   */
  feePpm: number;
  tickSpacing: number;
  sqrtPriceX96: Amount;
  liquidity: Amount;
  tick: number;
  /**
   * [tick, liquidityNet] of every initialised tick, ascending.
   */
  ticks: unknown[][];
  /**
   * true: only a window of ticks is known; no flow past its ends.
   */
  truncated?: boolean;
  /**
   * true: not routable.
   */
  ticksMissing?: boolean;
  /**
   * false: the ticks do not add up to the liquidity.
   */
  ticksConsistent?: boolean;
}
/**
 * Balancer weighted pool; 1e18 is one.
 */
export interface Weighted {
  balances: Amounts;
  weights: Amounts;
  swapFee: Amount;
  /**
   * v3Plus: a pool of the factories since September 2022, which multiply powers of 1, 2 and 4 out. Anything else, or absent: one of 2021.
   */
  version?: {
    [k: string]: unknown;
  };
}
/**
 * StableSwap pool; amp is decimal text that may carry a fraction; swapFee 1e18 is one.
 */
export interface Stable {
  balances: Amounts;
  amp: string;
  swapFee: Amount;
  scalingRates?: Amounts;
  priceRates?: Amounts;
  /**
   * A decimal string in base units, up to 2^256-1.
   */
  adminFee?: string;
  /**
   * A decimal string in base units, up to 2^256-1.
   */
  offpegFeeMultiplier?: string;
}
/**
 * A vault: tokens are [asset, share]. An amount of one gives amount · its rate / the other's rate, rounded down; a fee comes off the assets.
 */
export interface Erc4626 {
  /**
   * @maxItems 2
   */
  tokens?: unknown[];
  rates: Amounts1;
  redeemRates?: Amounts2;
  /**
   * Millionths of the assets that a deposit loses before they become shares, the fee rounded up.
   */
  depositFeePpm?: number;
  /**
   * Millionths of the assets that a redemption loses after shares became assets, the fee rounded up.
   */
  redeemFeePpm?: number;
  /**
   * A decimal string in base units, up to 2^256-1.
   */
  maxDeposit?: string;
  /**
   * A decimal string in base units, up to 2^256-1.
   */
  maxRedeem?: string;
}
/**
 * Block deltas of a pool set: what each later block changed.
 */
export interface PoolSetBlocks {
  blocks: {
    block: number;
    hash?: BlockHash;
    timestamp?: number;
    /**
     * Ids of pools that are gone.
     */
    removed?: string[];
    /**
     * By pool id: members that replace the pool's own.
     */
    changed: {
      [k: string]: {};
    };
  }[];
}
