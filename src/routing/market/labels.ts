import type { PoolView } from '../../snapshot/snapshot.ts';
import { type LabelKinds, NOTHING_OFF } from '../../venues/venues.ts';
import type { VenueFilter, VenueGates } from '../plan.ts';

/** Label of the synthetic hop between native and wrapped. Not a venue: no filter touches it. */
export const WRAP_LABEL = 'WRAP';

/** Tells whether a wanted label stands for a source: itself, or the family of a 'family:variant'. Both lower-case. */
export function labelMatches(wanted: string, source: string): boolean {
  return source === wanted || (source.length > wanted.length && source.startsWith(wanted) && source[wanted.length] === ':');
}

/** Says whether a request may use a pool; null where it may use every one. */
export type PoolTest = ((pool: Pick<PoolView, 'source'> & Partial<Pick<PoolView, 'key'>>) => boolean) | null;

/**
 * Turns a filter into a test for pools, deciding each source label once. `kinds`: which labels excludeRfq and excludeRwa leave out, as the venues say themselves. Those of real-world assets are gated whatever the filter says: only what it opens
 * is open (decisions B19).
 */
export function poolTest(filter: VenueFilter, kinds: LabelKinds = NO_KINDS): PoolTest {
  const { include, excludeRfq, excludeRwa, switchedOff = NOTHING_OFF } = filter;
  const gates = gatesOf(filter, kinds);
  const exclude = [...filter.exclude, ...(excludeRfq ? kinds.offChain : []), ...(excludeRwa ? kinds.realWorld : []), ...switchedOff.venues];
  const closed = new Set(switchedOff.pools);
  if (include === null && exclude.length === 0 && gates === undefined && closed.size === 0) return null;
  const verdicts = new Map<string, boolean>();
  const decide = (source: string) =>
    (include === null || isNamed(include, source)) && !isNamed(exclude, source) && (gates === undefined || !isClosed(gates, source));
  return (pool) => {
    if (closed.size > 0 && closed.has(pool.key ?? '')) return false;
    const known = verdicts.get(pool.source);
    if (known !== undefined) return known;
    const verdict = decide(pool.source);
    verdicts.set(pool.source, verdict);
    return verdict;
  };
}

const NO_KINDS: LabelKinds = { offChain: [], realWorld: [] };

function gatesOf({ gates, excludeRwa }: VenueFilter, { realWorld }: LabelKinds): VenueGates | undefined {
  if (excludeRwa || realWorld.length === 0) return gates;
  return { gated: [...(gates?.gated ?? []), ...realWorld], opened: gates?.opened ?? [] };
}

function isNamed(labels: readonly string[], source: string): boolean {
  return labels.some((label) => labelMatches(label, source));
}

/** A key that names a variant opens it alone, also where the whole family is gated. */
function isClosed({ gated, opened }: VenueGates, source: string): boolean {
  return isNamed(gated, source) && !isNamed(opened, source);
}
