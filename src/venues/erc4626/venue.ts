import type { VenueFacet } from '../venue.ts';

/** Vaults of the ERC-4626 standard: deposit an asset for shares, redeem shares for the asset. */
export const venue: VenueFacet = {
  name: 'erc4626',
  poolSetKind: 'erc4626',
  families: [{ family: 'erc4626', feePpm: null }],
};

/** Gas units of one hop, as measured on the devnet (decision 100). */
export const VAULT_GAS = 65_000;
