import type { Address, DurationMs } from '../units/units.ts';

/** What is fixed about a chain wherever it is hosted. */
export type Chain = {
  readonly chainId: number;
  /** Canonical name, lower-case. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** The wrapped native token; null where the deployment has to tell (the devnet). */
  readonly wrappedNative: Address | null;
  /** Floor of the gas price, wei per gas unit. */
  readonly minimumGasPriceWei: bigint;
};

/** One entry of the catalogue: the chain, and what a configuration need not say of it. */
export type CataloguedChain = Chain & {
  readonly nativeSymbol: string;
  readonly nativeDecimals: number;
  /** Between two blocks, as a rule. */
  readonly blockTime: DurationMs;
  /** How old a committed head may be before the chain counts as stale, where nobody says otherwise. */
  readonly freshnessBound: DurationMs;
  /** For how many blocks after its own a verdict about a token serves (decision 106). */
  readonly verdictBlocks: number;
  /** Tokens that most others are traded against, the wrapped native one first. */
  readonly baseTokens: readonly Address[];
};
