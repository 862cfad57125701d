import type { VenueFacet } from './venue.ts';

/**
 * Throws when two folders claim one family label for the same thing. One label may be two folders' only where a pool set says by the pool's kind which of them prices it
 * (Balancer's weighted and stable pools); a folder whose pools no pool set knows owns its labels alone.
 */
export function assertLabelOwners(venues: Iterable<VenueFacet>): void {
  const owners = new Map<string, VenueFacet[]>();
  for (const venue of venues) {
    for (const { family } of venue.families) {
      const others = owners.get(family) ?? [];
      const other = others.find(({ poolSetKind }) => poolSetKind === undefined || venue.poolSetKind === undefined || poolSetKind === venue.poolSetKind);
      if (other !== undefined) throw new Error(`src/venues/${other.name} and src/venues/${venue.name} both claim the label ${family}: a label has one owner`);
      owners.set(family, [...others, venue]);
    }
  }
}
