import type { Address } from '../units/units.ts';

/** One entry of the catalogue: what is fixed about a chain wherever it is hosted. */
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
