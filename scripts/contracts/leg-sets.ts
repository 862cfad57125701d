import type { Leg } from './legs.ts';

/** The legs of one Router: a chain's Router has the legs of the venues that the chain has, and no bytes for others. */
export type LegSet = { readonly name: string; readonly legs: readonly Leg[] };

const WRAP = 'wrap';

/**
 * The sets of contracts/leg-sets.json: names of legs by the name of the set. Throws where a set names a leg that does not exist or names one twice, lacks
 * wrapping, or equals another, and where a leg is in no set: no Router would have it.
 */
export function legSetsFrom(sets: Readonly<Record<string, readonly string[]>>, legs: readonly Leg[]): readonly LegSet[] {
  const byName = new Map(legs.map((leg) => [leg.name, leg]));
  const seen = new Map<string, string>();
  const found = Object.entries(sets).map(([name, names]): LegSet => {
    const unknown = names.find((leg) => !byName.has(leg));
    if (unknown !== undefined) throw new Error(`leg set ${name} names ${unknown}, which is not in contracts/legs/`);
    const own = legs.filter((leg) => names.includes(leg.name));
    if (own.length !== names.length) throw new Error(`leg set ${name} names a leg twice`);
    if (!names.includes(WRAP)) throw new Error(`leg set ${name} lacks ${WRAP}: every chain has a native token`);
    const same = seen.get(own.map(({ kind }) => kind).join());
    if (same !== undefined) throw new Error(`leg sets ${same} and ${name} are the same`);
    seen.set(own.map(({ kind }) => kind).join(), name);
    return { name, legs: own };
  });
  const unused = legs.find((leg) => !found.some((set) => set.legs.includes(leg)));
  if (unused !== undefined) throw new Error(`leg ${unused.name} is in no set of contracts/leg-sets.json`);
  return found;
}
