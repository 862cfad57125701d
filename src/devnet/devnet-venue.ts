import type { Hex } from 'viem';
import type { Random } from '../random.ts';
import type { Address } from '../units/units.ts';
import type { VenueDeployment } from '../venues/venues.ts';
import type { PlacedToken } from './deploy-contracts.ts';
import type { NodeRpc } from './node-rpc.ts';
import type { PlacedPool, PoolReading, SortedPool } from './placed-pool.ts';
import type { LayPool, PoolSpec } from './pool-spec.ts';
import type { TransactionScript } from './transaction-script.ts';

/** `value`: wei sent along; none where it is absent. */
export type BotTransaction = { readonly from: Address; readonly to: Address; readonly data: Hex; readonly value?: bigint };

/** Code that is put where no transaction of ours could deploy it. */
export type PlacedCode = { readonly address: Address; readonly code: Hex };

/** A call to the head, and what to make of its answer. */
export type Reading<Value> = { readonly to: Address; readonly data: Hex; readonly decode: (answer: Hex) => Value };

/**
 * Where a pool is: `key` as the indexer calls it, `address` of the contract that a swap goes to. A pool that has the native token in the place of its wrapped form, or another order than
 * that of addresses, says so.
 */
export type PoolPlace = { readonly key: string; readonly address: Address } & Partial<Pick<SortedPool, 'tokens' | 'token0' | 'token1'>>;

/** A swap that a bot wants: the price is token1 per token0 in base units, the amount base units of what is paid in. */
export type WantedSwap = { readonly target: number; readonly largest: bigint; readonly trader: Address };

/** What a bot that provides liquidity goes by. */
export type Provision = { readonly rpc: NodeRpc; readonly provider: Address; readonly random: Random };

/** What a venue's contracts are placed on. The script is the deployer's, who owns what it deploys and has plenty of each token. */
export type Ground = {
  readonly script: TransactionScript;
  readonly deployer: Address;
  /** The bots' account that trades. */
  readonly trader: Address;
  readonly wrappedNative: Address;
  /** Those of the table. Nobody has any yet: they are given out when all contracts are placed. */
  readonly tokens: readonly PlacedToken[];
  /** The test accounts and the bots, who get some of each token. */
  readonly holders: readonly Address[];
  /** Creation code of a contract of the venue's `sources`, by name. Throws DevnetError where there is none. */
  compiled(name: string): Hex;
  /** The code that such a contract leaves, for a place where no transaction of ours could deploy it. */
  compiledRuntime(name: string): Hex;
};

/**
 * A venue of the local chain: one file of the folder `venues`, found by being there, exported as `devnetVenue`. Files are taken in the order of their names, and each venue lays its
 * pools by dice of its own, so that one more moves no other venue's pools.
 */
export type DevnetVenue = {
  /** For people. */
  readonly title: string;
  /** Folders in src/venues that price its pools: the Router of the chain has their legs. */
  readonly folders: readonly string[];
  /** Contracts that are compiled here since nobody publishes them compiled: places in npm packages, or files of the project from `contracts/` on. */
  readonly sources?: readonly string[];
  /** Its pools. `tail`: symbols of long-tail tokens of larger chains. */
  pools(lay: LayPool, random: Random, tail: readonly string[]): readonly PoolSpec[];
  /** Adds its contracts to the script. */
  place(ground: Ground): PlacedVenue;
};

/** A venue with its contracts: how the chain makes, finds, reads and trades its pools. */
export type PlacedVenue = {
  /** By names that no other venue uses: how a route can be replayed without us. */
  readonly contracts: Readonly<Record<string, Address>>;
  /** Contracts of other people's that its pools are read with, where a chain has them. */
  readonly code?: readonly PlacedCode[];
  /** What the indexer follows. */
  readonly deployments: readonly Omit<VenueDeployment, 'fromBlock'>[];
  /** Tokens that the venue itself brings, for example shares of vaults: `make` gives some to each of the holders. */
  readonly tokens?: readonly PlacedToken[];
  /** Who takes tokens of those who trade here, and of those who provide liquidity. */
  readonly spenders: { readonly trade: readonly Address[]; readonly provide: readonly Address[] };
  /** Adds the transactions that make a pool and fill it. */
  make(script: TransactionScript, pool: SortedPool, owner: Address): void;
  whereIs(pool: SortedPool): Reading<PoolPlace>;
  /** The price between token0 and token1, at the head; undefined: there is none. */
  readNow(pool: PlacedPool): Reading<PoolReading | undefined>;
  /** Towards the wanted price of token0 and token1; nothing where the price is about there. */
  swap(pool: PlacedPool, reading: PoolReading, wanted: WantedSwap): readonly BotTransaction[];
  /** What is sent in every round of the bots: `wanted` are the venue's pools with their wanted prices, token1 per token0 in base units. Absent: nothing. */
  eachRound?(wanted: readonly { readonly pool: PlacedPool; readonly price: number }[]): readonly BotTransaction[];
  /** A change of liquidity: added, or, where the bot has some, taken out. */
  changeLiquidity(pool: PlacedPool, reading: PoolReading, provision: Provision): Promise<readonly BotTransaction[]>;
};
