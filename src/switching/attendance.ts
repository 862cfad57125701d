import { isLabelOff, NOTHING_OFF, type SwitchedOff, type VenueFacet } from '../venues/venues.ts';

/** Which labels can not be settled on a chain, since their swaps need an attestation and there is nobody to ask for one: nobody is configured, or whoever is, is left alone for a while. */
export type Attendance = {
  /** Labels of which no attester is configured. */
  unattended(chainId: number): SwitchedOff;
  /** Those, and the labels whose attester is left alone now. */
  off(chainId: number): SwitchedOff;
  /** An attester of a venue, by its folder, is left alone for so many ms; of a venue that needs none nothing happens. */
  leftAlone(chainId: number, venue: string, ms: number): void;
};

export type AttendanceParts = {
  readonly venues: Iterable<VenueFacet>;
  /** Who signs on a chain, by venue folder. */
  readonly outside: ReadonlyMap<number, readonly { readonly venue: string }[]>;
};

export function createAttendance({ venues, outside }: AttendanceParts): Attendance {
  const attested = new Map([...venues].map((venue) => [venue.name, attestedLabels(venue)] as const).filter(([, labels]) => labels.length > 0));
  const until = new Map<string, number>();
  const offWhere = (isOff: (venue: string) => boolean): SwitchedOff => {
    const labels = [...attested].flatMap(([venue, its]) => (isOff(venue) ? its : []));
    return labels.length === 0 ? NOTHING_OFF : { venues: labels, pools: [] };
  };
  const hasNobody = (chainId: number, venue: string) => !(outside.get(chainId) ?? []).some((one) => one.venue === venue);
  return {
    unattended: (chainId) => offWhere((venue) => hasNobody(chainId, venue)),
    off: (chainId) => offWhere((venue) => hasNobody(chainId, venue) || (until.get(`${chainId} ${venue}`) ?? 0) > performance.now()),
    leftAlone(chainId, venue, ms) {
      if (attested.has(venue)) until.set(`${chainId} ${venue}`, Math.max(until.get(`${chainId} ${venue}`) ?? 0, performance.now() + ms));
    },
  };
}

/** Both together; the first where the second adds nothing. */
export function bothOff(one: SwitchedOff, other: SwitchedOff): SwitchedOff {
  const added = other.venues.filter((label) => !isLabelOff(one, label));
  return added.length === 0 && other.pools.length === 0 ? one : { venues: [...one.venues, ...added], pools: [...one.pools, ...other.pools] };
}

function attestedLabels({ families }: VenueFacet): readonly string[] {
  return families.flatMap(({ family, attested, variants = [] }) => [
    ...(attested === true ? [family] : []),
    ...variants.flatMap((variant) => (variant.attested === true ? [`${family}:${variant.variant}`] : [])),
  ]);
}
