import type { PriceSources } from '../chains/chains.ts';
import type { SettlementAccounts } from '../market/market.ts';
import type { SnapshotBuffers } from '../snapshot/snapshot.ts';
import type { Address, DurationMs } from '../units/units.ts';
import type { ChainCall, ListedSource, OutsideSource, SwitchedOff, VenueDeployment } from '../venues/venues.ts';
import type { MinimumLiquidity } from './liquidity-bar.ts';

/** A venue whose prices come from off the chain, with whom the configuration names for it, and whom it allows where a registry on the chain lists them. */
export type OutsideVenue = { readonly venue: string; readonly sources: readonly OutsideSource[]; readonly listed?: AllowedByRegistry };
export type AllowedByRegistry = { readonly registry: Address; readonly makers: readonly ListedSource[] };

/** What an indexer thread is told once, in its workerData. */
export type IndexerThreadData = {
  readonly chainId: number;
  /** http, https, ws or wss; the first is preferred, the others are turned to when it fails. */
  readonly rpcUrls: readonly string[];
  readonly deployments: readonly VenueDeployment[];
  readonly buffers: SnapshotBuffers;
  readonly wrappedNative: Address;
  /** What USD prices start from. Absent: nothing, and no token has one. */
  readonly prices?: PriceSources;
  /** Tokens that move plainly as far as the configuration knows, the wrapped native token among them: measured seldom. Absent: that one alone. */
  readonly wellKnownTokens?: readonly Address[];
  /** How many blocks after its own a verdict about a token serves. Absent: one. */
  readonly verdictBlocks?: number;
  /** Where swaps are settled: tokens are measured in their hands too. Absent: nowhere. */
  readonly settlement?: SettlementAccounts;
  /** Wei per gas below which the chain takes no transaction. Absent: none is too little. */
  readonly minimumGasPriceWei?: bigint;
  /** Pause between two looks at the head, where the node does not announce it. */
  readonly pollMs: DurationMs;
  /** What is switched off when the thread starts. Absent: nothing. */
  readonly switchedOff?: SwitchedOff;
  /** How little a pool may hold to be solved with. Absent: anything. */
  readonly minimumLiquidity?: MinimumLiquidity;
  /** Listed tokens, of whose pairs pools are looked for where the node gives no ranges of logs. Absent: none. */
  readonly tokens?: readonly Address[];
  /** Who prices off the chain, by venue folder. Absent: nobody. */
  readonly outside?: readonly OutsideVenue[];
  /** Where what is known is kept over a restart. Absent: nowhere. */
  readonly checkpointFile?: string;
};

/** What the main thread may say to an indexer thread. */
export type IndexerCommand =
  | { readonly kind: 'stop' }
  | { readonly kind: 'switch-off'; readonly off: SwitchedOff }
  /** Somebody waits for the transfers of these tokens to be measured at the head: answered by a report of kind 'measured' with the same id. */
  | { readonly kind: 'measure'; readonly id: number; readonly tokens: readonly Address[] }
  /** Somebody waits for what contracts say at a block: answered by a report of kind 'read' with the same id. */
  | { readonly kind: 'read'; readonly id: number; readonly blockHash: `0x${string}`; readonly calls: readonly ChainCall[] }
  /** Somebody who prices off the chain is to be left alone for so long; what they priced goes. */
  | { readonly kind: 'pause-source'; readonly venue: string; readonly name: string; readonly ms: number }
  /** These tokens were asked for lately: their transfers are worth measuring before anybody waits for it. */
  | { readonly kind: 'wanted'; readonly tokens: readonly Address[] };

/** What an indexer hears while it runs. */
export type CommandListener = (command: Exclude<IndexerCommand, { readonly kind: 'stop' }>) => void;
