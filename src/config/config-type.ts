import type { PriceFeed } from '../chains/chains.ts';
import type { Address, DurationMs } from '../units/units.ts';
import type { ListedSource, OutsideSource, SwitchedOff, VenueDeployment } from '../venues/venues.ts';
import type { LogLevel } from './environment.ts';

/** What the service is told at its start. Port 0 stands for a free one. */
export type Config = CommonConfig &
  (
    | { readonly mode: 'devnet' /** Port of the embedded chain's RPC. */; readonly devnetPort: number }
    | { readonly mode: 'config'; readonly chains: readonly ChainConfig[] }
    | { readonly mode: 'pool-set'; readonly poolSetFile: string }
  );

export type CommonConfig = {
  readonly host: string;
  readonly port: number;
  /** Where callers reach the public listener, as the document says it; null: where it listens. */
  readonly publicUrl: string | null;
  readonly internalHost: string;
  readonly internalPort: number;
  /** How old a committed head may be before its chain counts as stale. */
  readonly freshnessBound: DurationMs;
  readonly logLevel: LogLevel;
  readonly solverThreads: number;
  /** Absolute, or relative to the working directory; null: no registered keys, except the devnet's own. */
  readonly keysFile: string | null;
  /** Where indexers keep what they know over a restart, and in which blocks contracts were made; as the key file. null: nowhere. */
  readonly checkpointDirectory: string | null;
  /** What set that, for messages: the variable, or the field of the file. */
  readonly checkpointDirectoryBy: 'CHECKPOINT_DIRECTORY' | 'checkpointDirectory';
  /** Hops, or addresses and CIDR blocks: never "all". 0 trusts nobody. */
  readonly trustProxy: number | readonly string[];
  readonly developmentMode: boolean;
  /** Receives the protocol's part of fees; null: the deployment's own. */
  readonly feeCollector: Address | null;
  /** Texts that no output may have: keys in URLs of nodes. */
  readonly secrets: readonly string[];
};

/** A deployment to index. fromBlock null: the block in which its contract was made has to be found. */
export type ConfiguredDeployment = Omit<VenueDeployment, 'fromBlock'> & { readonly fromBlock: number | null };

/** A chain to host from a configuration file. null: the catalogue's. */
export type ChainConfig = {
  readonly chainId: number;
  /** In order of preference. May carry credentials: never logged. */
  readonly rpcUrls: readonly string[];
  readonly wrappedNative: Address | null;
  readonly minimumGasPriceWei: bigint | null;
  readonly prices: { readonly feeds: readonly PriceFeed[] | null; readonly stablecoins: readonly Address[] | null; readonly minimumDepthUsd: number | null };
  readonly freshnessBound: DurationMs;
  readonly deployments: readonly ConfiguredDeployment[];
  readonly router: Address | null;
  readonly allowanceHolder: Address | null;
  /** Lower-case source labels. */
  readonly gatedVenues: readonly string[];
  /** Beside the wrapped native token. null: the catalogue's. */
  readonly wellKnownTokens: readonly Address[] | null;
  /** How many blocks after its own a verdict about a token serves. null: one. */
  readonly verdictBlocks: number | null;
  /** Which tokens routes lead through. null: those that are listed. */
  readonly routeThrough: 'listed' | 'measured' | null;
  readonly switchedOff: SwitchedOff;
  /** Who is asked for prices and for signed orders: makers, and issuers of real-world assets. */
  readonly makers: readonly MakerConfig[];
  /** Who is asked for attestations that hooks of pools want to see. */
  readonly attesters: readonly MakerConfig[];
  /** Who is asked while the registry lists them. null: nobody. */
  readonly listedMakers: { readonly registry: Address; readonly makers: readonly ListedMakerConfig[] } | null;
  /** How little a pool may hold to be solved with: USD of a well-known token, and whole tokens by address. null: anything. */
  readonly minimumLiquidity: { readonly usd: number | null; readonly tokens: ReadonlyMap<Address, number> } | null;
  /** Tokens of whose pairs pools are looked for where the node gives no ranges of logs. null: the catalogue's. */
  readonly listedTokens: readonly Address[] | null;
};

/** A maker, an issuer or an attester, and the folder in src/venues that knows its protocol. May have a key: never logged. */
export type MakerConfig = OutsideSource & { readonly venue: string };

/** A maker of which a registry says whether and how it is served. */
export type ListedMakerConfig = ListedSource & { readonly venue: string };
