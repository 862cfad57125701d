import type { PriceSources } from '../chains/chains.ts';
import type { Address } from '../units/units.ts';
import type { VenueDeployment } from '../venues/venues.ts';
import type { DevnetAccount } from './accounts.ts';
import type { RunningAttester } from './attesters/run-attester.ts';
import type { RunningIssuer } from './issuers/run-issuers.ts';
import type { RunningMaker } from './makers/run-makers.ts';
import type { TokenKind } from './token-table.ts';

export type DevnetOptions = {
  /** Port of the chain's RPC; 0 takes any free one. */
  readonly rpcPort: number;
  /** Everything that is not the clock follows from it: addresses, pools, first state, the bots' dice. */
  readonly seed: number;
  /** Told once per step of the bring-up, for the person at the terminal. */
  readonly onStep?: (text: string) => void;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 1. */
  readonly blockTimeSeconds?: number;
  /** Whether the bots trade from the first block on. Default true. */
  readonly bots?: boolean;
  /** Whether its makers, its issuer and its attester answer, each on a free port. Default false. */
  readonly makers?: boolean;
  /** The head's base fee stays at or above this. Default 1 gwei. */
  readonly minimumGasPriceWei?: bigint;
  /** 1 (default): the table. Each unit more adds 12 long-tail tokens and 48 pools. */
  readonly scale?: number;
  /** Where states of chains that were set up are kept and looked for; null: nowhere. Default build/devnet in the project. */
  readonly stateFolder?: string | null;
};

export type DevnetToken = {
  readonly address: Address;
  readonly symbol: string;
  /** null where decimals() reverts; amounts of that token are counted in 18 here. */
  readonly decimals: number | null;
  readonly kind: TokenKind;
  /** USD per whole token in the price table that pools start near and bots trade back to. */
  readonly usd: number;
  /** What its transfers do other than moving all of what is sent, for people; null: nothing, they are plain. */
  readonly oddTransfers: string | null;
};

export type DevnetPool = {
  readonly family: string;
  /** What the indexer calls it: its address, or the id by which a singleton knows it. */
  readonly key: string;
  /** The contract that a swap goes to. */
  readonly address: Address;
  /** In the contract's order. */
  readonly tokens: readonly [Address, Address, ...Address[]];
  /** Millionths. */
  readonly feePpm: number;
  /** Value at the start, USD. 0: a pool without liquidity, or never initialised. */
  readonly liquidityUsd: number;
};

/** A maker of the local chain: `venue` is the folder in src/venues that knows its protocol. */
export type DevnetMaker = RunningMaker & { readonly venue: string };

/** The same of an issuer of real-world assets. */
export type DevnetIssuer = RunningIssuer & { readonly venue: string };
/** Its attester: `venue` is the folder in src/venues that asks it. */
export type DevnetAttester = RunningAttester & { readonly venue: string };

/** A running local chain. */
export type Devnet = {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly wrappedNative: Address;
  readonly permit2: Address;
  readonly feeCollector: Address;
  /** Our settlement contracts. */
  readonly router: Address;
  readonly allowanceHolder: Address;
  readonly deployments: readonly VenueDeployment[];
  /** What the service's prices start from: a feed of the native token, and dollar tokens. */
  readonly prices: PriceSources;
  /** Funded with the native and every other token. */
  readonly accounts: readonly DevnetAccount[];
  readonly tokens: readonly DevnetToken[];
  readonly pools: readonly DevnetPool[];
  /** A contract of a venue's own, by which a route can be replayed. Throws DevnetError where no venue has one of that name. */
  contract(name: string): Address;
  /** Those that answer. */
  readonly makers: readonly DevnetMaker[];
  readonly issuers: readonly DevnetIssuer[];
  /** Who attests blocks to the hook that wants that. */
  readonly attesters: readonly DevnetAttester[];
  /** Process id of anvil. */
  readonly pid: number;
  /** Switches the trading bots. Off: resolves when none of their transactions waits to be mined. */
  setBots(on: boolean): Promise<void>;
  /** Ends the chain; nothing is left. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the chain has ended, with the reason; after stop() too. */
  readonly exited: Promise<string>;
};
