import type { PlanHop } from '../../routing/routing.ts';
import type { Address } from '../../units/units.ts';
import type { BuilderVenues } from '../../venues/venues.ts';
import type { Leg } from './encode-route.ts';

/** Turns the hops of a plan into legs. */
export type LegEncoder = {
  /** `taxed`: tokens that tax transfers. Throws RangeError on a hop whose venue has no leg: what is routed has one. */
  toLegs(hops: readonly PlanHop[], taxed: ReadonlySet<Address>): readonly Leg[];
};

const WRAP = 'WRAP';

export function createLegEncoder(venues: BuilderVenues): LegEncoder {
  return { toLegs: (hops, taxed) => hops.map((hop) => toLeg(hop, venues, taxed.has(hop.tokenIn))) };
}

function toLeg(hop: PlanHop, venues: BuilderVenues, taxedInput: boolean): Leg {
  const { venue, protocol, poolAddress, tokenIn, tokenOut, bps } = hop;
  if (protocol === WRAP) return { leg: 'wrap', bps, tokenIn, tokenOut, pool: null, data: '0x' };
  const facet = venues.get(venue)?.encode;
  if (facet === undefined) throw new RangeError(`no leg is written for hops of ${protocol}, priced by ${venue}`);
  if (taxedInput && !facet.takesTaxedInput) throw new RangeError(`${protocol} takes no input that is taxed`);
  const { poolKey, hook, legFacts, slotIn, slotOut } = hop;
  const data = facet.legData({ family: protocol, poolAddress, poolKey, hook, legFacts, slotIn, slotOut, tokenIn, tokenOut, taxedInput });
  return { leg: facet.leg, bps, tokenIn, tokenOut, pool: poolAddress, data };
}
