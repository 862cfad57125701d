import type { Hex } from 'viem';
import type { Address } from '../../units/units.ts';
import type { VenueDeployment } from '../../venues/venues.ts';
import type { VenueContracts } from '../deploy-contracts.ts';
import type { NodeRpc } from '../node-rpc.ts';
import type { PlacedPool, PoolReading, SortedPool } from '../placed-pool.ts';
import type { Random } from '../random.ts';
import type { TransactionScript } from '../transaction-script.ts';

export type BotTransaction = { readonly from: Address; readonly to: Address; readonly data: Hex };

/** A call to the head, and what to make of its answer. */
export type Reading<Value> = { readonly to: Address; readonly data: Hex; readonly decode: (answer: Hex) => Value };

/** A swap that a bot wants: the price is token1 per token0 in base units, the amount base units of what is paid in. */
export type WantedSwap = { readonly target: number; readonly largest: bigint; readonly trader: Address };

/** What a bot that provides liquidity goes by. */
export type Provision = { readonly rpc: NodeRpc; readonly contracts: VenueContracts; readonly provider: Address; readonly random: Random };

/** How the local chain makes, finds, reads and trades the pools of one kind. */
export type DevnetVenue = {
  /** What the indexer follows. */
  deployments(contracts: VenueContracts): readonly Omit<VenueDeployment, 'fromBlock'>[];
  /** Who takes tokens of those who trade here, and of those who provide liquidity. */
  spenders(contracts: VenueContracts): { readonly trade: readonly Address[]; readonly provide: readonly Address[] };
  /** Adds the transactions that make a pool and fill it. */
  make(script: TransactionScript, pool: SortedPool, contracts: VenueContracts, owner: Address): void;
  whereIs(pool: SortedPool, contracts: VenueContracts): Reading<Address>;
  /** undefined: the pool has no price. */
  readNow(pool: PlacedPool): Reading<PoolReading | undefined>;
  /** Nothing where the price is about there. */
  swap(pool: PlacedPool, reading: PoolReading, wanted: WantedSwap, contracts: VenueContracts): readonly BotTransaction[];
  /** A change of liquidity: added, or, where the bot has some, taken out. */
  changeLiquidity(pool: PlacedPool, reading: PoolReading, provision: Provision): Promise<readonly BotTransaction[]>;
};
