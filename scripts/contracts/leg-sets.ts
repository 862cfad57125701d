import type { Leg } from './legs.ts';

/** The legs of one Router: a chain's Router has the legs of the venues that the chain has, and no bytes for others. */
export type LegSet = { readonly name: string; readonly legs: readonly Leg[] };

const WRAP = 'wrap';

/** The set of all legs, which nobody has to write down: a further leg is in it at once. */
export const EVERY_LEG = 'every';

/**
 * The sets of contracts/leg-sets.json, names of legs by the name of the set, and the set of all legs. Throws where a set names a leg that does not exist or names one twice, lacks
 * wrapping, or equals another.
 */
export function legSetsFrom(sets: Readonly<Record<string, readonly string[]>>, legs: readonly Leg[]): readonly LegSet[] {
  const byName = new Map(legs.map((leg) => [leg.name, leg]));
  const seen = new Map<string, string>();
  return Object.entries({ ...sets, [EVERY_LEG]: legs.map(({ name }) => name) }).map(([name, names]): LegSet => {
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
}
