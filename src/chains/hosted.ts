import type { BlockRef } from '../snapshot/snapshot.ts';
import type { Address, DurationMs } from '../units/units.ts';
import type { Chain } from './chain.ts';

/** A chain that this instance serves, as the main thread sees it. */
export type HostedChain = {
  readonly chain: Chain;
  readonly wrappedNative: Address;
  /** Addresses that are ours, and Permit2's; null where nothing is deployed, or not looked at yet. */
  readonly contracts: { readonly router: Address | null; readonly allowanceHolder: Address | null; readonly permit2: Address | null };
  /** Receives the protocol's part of a fee. */
  readonly feeCollector: Address;
  readonly freshnessBound: DurationMs;
  /** Lower-case labels of venues that price only for keys that name them. They are listed for everybody (decisions B9). */
  readonly gatedVenues: readonly string[];
  /** Tokens trusted to move plainly where there is no fresh verdict, the wrapped native token among them: every token, where verdicts do not apply (a pool set). */
  readonly wellKnownTokens: { has(token: Address): boolean };
  /** The chain's view now. 'frozen' is a pool set: always fresh and healthy. */
  view(): ChainView;
};

export type ChainView =
  | { readonly phase: 'coming-up'; readonly labels: readonly string[] }
  | {
      readonly phase: 'live' | 'frozen';
      readonly block: BlockRef;
      readonly age: DurationMs;
      readonly labels: readonly string[];
      /** Why it counts as stale however young its block is: that block has left the chain (decisions B22), or most of the pools could not be read for longer than the bound. */
      readonly broken?: 'orphaned' | 'unread';
      /** Pools that are absent because the node could not be asked about them. */
      readonly unreadPools?: number;
    };
