import type { Address } from '../units/units.ts';
import type { FirmUpVenues } from '../venues/venues.ts';

/** A chain of the configuration file, in the order of the file, with those who attest for its venues. */
type Attended = { readonly chainId: number; readonly attesters: readonly { readonly venue: string; readonly contract: Address }[] };

/** Says of an attester for a hook that nothing is routed through that nobody would ever ask it, by the field of the configuration file. null: there is none like that. */
export function nameUnknownContract(chains: readonly Attended[], venues: FirmUpVenues): string | null {
  for (const [chainAt, { chainId, attesters }] of chains.entries()) {
    for (const [at, { venue, contract }] of attesters.entries()) {
      const known = venues.get(venue)?.contracts?.(chainId);
      if (known === undefined || known.includes(contract)) continue;
      const others = known.length === 0 ? 'it knows none on that chain' : `on that chain it knows ${known.join(', ')}`;
      return `chains.${chainAt}.attesters.${at}.hook is ${contract}, through which ${venue} routes nothing: nobody would ever ask this attester (${others})`;
    }
  }
  return null;
}
