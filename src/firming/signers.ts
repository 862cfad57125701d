import type { ListedSource, OutsideSource } from '../venues/venues.ts';
import type { FirmingVenue } from './create-firming.ts';

/** A venue with whom the configuration names for it, and whom it allows where a registry lists them. */
type Configured = { readonly venue: string; readonly sources: readonly OutsideSource[]; readonly listed?: { readonly makers: readonly ListedSource[] } };

/** Who signs on each chain. */
export type Signers = {
  of(chainId: number): readonly FirmingVenue[];
  /** Of those whom a registry may list, these are listed now. */
  listed(chainId: number, venue: string, sources: readonly OutsideSource[]): void;
};

/** Those of configuration from the start, and those of a registry as the chain's indexer tells of them: both threads ask the same. */
export function createSigners(outside: ReadonlyMap<number, readonly Configured[]>): Signers {
  const byChain = new Map([...outside].map(([chainId, venues]) => [chainId, venues.map(signersOf)]));
  return {
    of: (chainId) => byChain.get(chainId) ?? [],
    listed(chainId, venue, sources) {
      for (const signers of byChain.get(chainId) ?? []) if (signers.venue === venue) signers.listed = sources;
    },
  };
}

function signersOf({ venue, sources, listed }: Configured) {
  return {
    venue,
    allowed: [...sources, ...(listed?.makers ?? [])],
    listed: [] as readonly OutsideSource[],
    get sources() {
      return [...sources, ...this.listed];
    },
  };
}
