import type { LegFacts } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import type { QuoteMoment } from './quote-moment.ts';

/** A deployment of a venue family on one chain, as configuration names it. */
export type VenueDeployment = {
  /** Folder in src/venues. */
  readonly venue: string;
  /** Family label of its pools. */
  readonly family: string;
  readonly factory: Address;
  /** First block whose logs can matter. */
  readonly fromBlock: number;
};

/** What is the same for all deployments of a chain. */
export type ChainIdentity = { readonly chainId: number; readonly wrappedNative: Address };

/** Two tokens, sorted as contracts sort them: the lower address first. */
export type TokenPair = readonly [Address, Address];

/** A log as the chain gives it, reduced to what decoding needs. */
export type ChainLog = {
  readonly address: Address;
  readonly topics: readonly `0x${string}`[];
  readonly data: `0x${string}`;
  readonly blockHash: `0x${string}`;
  readonly blockNumber: number;
  readonly logIndex: number;
};

/** A pool that a factory announced. */
export type DiscoveredPool = {
  /** Unique within the chain, and what `poolsOf` calls the pool by: its address, or the id by which a singleton knows it. At most 66 characters. */
  readonly key: string;
  /** The contract that a swap goes to: of a singleton's pools, the singleton. */
  readonly address: Address;
  /** Contracts whose logs may speak of this pool alone, where they are others than the one at `address`: whoever else emits the same log is not believed. */
  readonly emitters?: readonly Address[];
  /** Contracts beside the factory whose logs may concern all pools that name them, for example the vault that holds them when it is paused. */
  readonly governors?: readonly Address[];
  readonly hook: Address | null;
  readonly protocol: string;
  readonly source: string;
  readonly tokens: readonly Address[];
  /** What loading, applying and the leg need and state does not carry, for example fee and tick spacing. */
  readonly traits: LegFacts;
};

/** What a factory or a registry said of pools, where that is not all of it: `describe` asks the chain for the rest. */
export type PoolAnnouncement = {
  /** Unique within the deployment. While it is not described, another one of the same name is the same one. */
  readonly announces: string;
  /** What the log told. */
  readonly facts: LegFacts;
};

/** An announcement and whose it is. */
export type AnnouncedBy = { readonly announcement: PoolAnnouncement; readonly deployment: VenueDeployment };

/** What a contract's storage is supposed to hold while a call is answered: words by their slots. The rest is as it is. */
export type SupposedStorage = { readonly contract: Address; readonly slots: Readonly<Record<`0x${string}`, `0x${string}`>> };

/**
 * One contract call, ABI-encoded. Answers come back in the same order. An answer longer than `answerBytes` (256 when absent)
 * is cut to that: calls share the room of one request, so ask for what is decoded. Calls that suppose something of a contract's storage go by state overrides of eth_call, in a request
 * of their own: the others are answered by the chain as it is. `standIn`: code that is supposed at `to` in place of its own. Such a call is a request by itself and no view: it may change what it likes, which nobody else sees, and its answer
 * is not cut.
 */
export type ChainCall = {
  readonly to: Address;
  readonly data: `0x${string}`;
  readonly answerBytes?: number;
  readonly supposing?: SupposedStorage;
  readonly standIn?: `0x${string}`;
};

/**
 * Which pools a log speaks of: some, by their keys, or all of a deployment, where the log is of the factory that announced them or of a contract that they name as their governor. A key that nobody announced is that of
 * a pool which is not followed.
 */
export type ConcernedPools = readonly string[] | 'deployment';

/**
 * When a pool's state has to be read from the chain again although no log said so. 'logs': never, its logs tell everything. 'each-block': what its contract
 * would pay may differ in every block. 'age': it drifts slowly (a yield, a rate provider), and may be this much behind; more, and the pool is absent until it was read.
 */
export type Rereading = { readonly kind: 'logs' } | { readonly kind: 'each-block' } | { readonly kind: 'age'; readonly seconds: number };

/** What the chain says to a call: the contract's answer, or null where the contract reverted or spent all the gas that a call may have. */
export type ChainAnswer = `0x${string}` | null;

/**
 * Answers calls, all at the one block hash that the load is pinned to. Throws where the node could not be asked, about a single one of the calls too: then nothing is
 * known of what they are about, and it is asked again. A venue lets that through.
 */
export type PinnedReader = (calls: readonly ChainCall[]) => Promise<readonly ChainAnswer[]>;

/**
 * What a log does to a pool's state: a new state (a value: the old one is untouched; null: the pool is not routable now), no effect, or a demand to read the
 * pool again from the chain because the log can not be applied to what is known.
 */
export type Applied<State> = { readonly kind: 'state'; readonly state: State | null } | { readonly kind: 'ignored' } | { readonly kind: 'reload' };

/** The shape of `track.ts` in a venue folder: how the indexer thread follows the venue's pools. May use viem. */
export type TrackFacet<State> = {
  /** topic0 of the logs by which the factory announces pools. */
  readonly discoveryTopics: readonly `0x${string}`[];
  /** topic0 of the logs that change a pool's state. */
  readonly stateTopics: readonly `0x${string}`[];
  /**
   * What a factory log announces: a pool, or, where the log does not say all that a pool is, an announcement that `describe` has to fill. null when the log
   * is none. Checks that the log comes from the deployment's factory. A pool of the native token names its wrapped form, which is the token that the search knows.
   */
  discover(deployment: VenueDeployment, log: ChainLog, chain: ChainIdentity): DiscoveredPool | PoolAnnouncement | null;
  /** What stands for pools that no log announces, since a registry lists them. Asked once for each deployment, at a cold start; null where it has none. */
  listed?(deployment: VenueDeployment): PoolAnnouncement | null;
  /**
   * The pools that a deployment has of pairs of tokens, at the reader's block, as its contracts say: where logs can not be asked for by ranges. They are those that `discover` finds, as far as pairs and the usual fees lead to them. Absent where only
   * logs tell of the venue's pools, or `listed` does.
   */
  findPools?(deployment: VenueDeployment, pairs: readonly TokenPair[], read: PinnedReader, chain: ChainIdentity): Promise<readonly DiscoveredPool[]>;
  /**
   * Reads at one block what announcements leave open: the pools, or further announcements, one for each entry of a list, which are described by themselves. null: there is no pool
   * that can be followed, as the chain says. The order is that of the input. `isKnown` tells the keys of pools that need no description. A pool's state is read whole once it is
   * described, so no log since the announcement is missed. There where `discover` or `listed` give announcements.
   */
  describe?(
    announced: readonly AnnouncedBy[],
    read: PinnedReader,
    isKnown: (key: string) => boolean,
  ): Promise<readonly (readonly (DiscoveredPool | PoolAnnouncement)[] | null)[]>;
  /**
   * Reads whole states of pools at one block, `at`, by whose time they are meant. null: the pool is not routable now, as the chain says (not initialised, reverting, corrupt). The order is that of the input.
   */
  load(pools: readonly DiscoveredPool[], read: PinnedReader, at: QuoteMoment): Promise<readonly (State | null)[]>;
  /**
   * Reads what a trade changes of pools whose whole states are long, where that is little: some members of a state, nested as `load` gives them, by which the audit compares every pool that a block changed. null as of `load`.
   * Absent: they are loaded whole.
   */
  glance?(pools: readonly DiscoveredPool[], read: PinnedReader, at: QuoteMoment): Promise<readonly (object | null)[]>;
  /** Asked once for each pool, when it is announced. Absent: the logs of all pools tell everything. */
  rereading?(pool: DiscoveredPool): Rereading;
  /** The pools that a log with one of `stateTopics` concerns. Throws RangeError on a log that is too short to say: then it is nobody's. */
  poolsOf(log: ChainLog): ConcernedPools;
  /** Applies one log that concerns the pool. `state` is null while the pool is not routable. */
  apply(pool: DiscoveredPool, state: State | null, log: ChainLog): Applied<State>;
  /**
   * Asked before a state is published. Throws PoolRefused: 'not-routable' when the pool can not be traded with now (no liquidity), 'malformed' when the state
   * breaks an invariant of the contract and so must be wrong.
   */
  check(state: State): void;
};
