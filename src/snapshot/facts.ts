import type { Address, EpochSeconds } from '../units/units.ts';
import type { EdgeCurve } from './curve.ts';

/** The block that an epoch describes. */
export type BlockRef = {
  readonly number: number;
  readonly hash: `0x${string}`;
  readonly timestamp: EpochSeconds;
  /** Base fee in wei; null where the chain has none or the source does not tell. */
  readonly baseFeePerGas: bigint | null;
};

/** What a snapshot holds of a token. */
export type TokenFacts = {
  readonly address: Address;
  /** As the contract says, 0 … 255; null when it does not say. */
  readonly decimals: number | null;
  /** USD per whole token at internal oracle prices; null when unpriced. */
  readonly usd: number | null;
};

/** What the leg of a venue needs to name a pool to its contracts beside its address and tokens, for example fee and tick spacing of a PoolKey. JSON-safe. */
export type LegFacts = Readonly<Record<string, number | string>>;

/** Of a pool that its address and tokens name. */
export const NO_LEG_FACTS: LegFacts = Object.freeze({});

/** What a snapshot holds of a pool. A paused, corrupt or failed pool is absent, never zero. */
export type PoolFacts = {
  /** Unique within the chain: the pool's address, for singletons the pool id. At most 66 characters. */
  readonly key: string;
  readonly address: Address;
  /** Hook of a hooked pool, else null; set exactly when source differs from protocol. */
  readonly hook: Address | null;
  /** Family label, for example 'sushiswap_v2'. */
  readonly protocol: string;
  /** Venue label: the family, or 'family:variant'. */
  readonly source: string;
  /** Folder in src/venues whose maths price this pool, for example 'uniswap_v2'. */
  readonly venue: string;
  /** Two or more distinct tokens, in the pool's own order; a slot is an index into this list. */
  readonly tokens: readonly Address[];
  /** Part of what the pool is: it stays when the state changes. Absent: none. */
  readonly legFacts?: LegFacts;
  /** Exact state, as the venue's state.ts packed it. */
  readonly words: BigUint64Array;
  /** One per routable direction. */
  readonly curves: readonly EdgeCurve[];
};
