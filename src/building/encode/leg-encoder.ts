import type { PlanHop } from '../../routing/routing.ts';
import type { Address } from '../../units/units.ts';
import type { BuilderVenues, EncodeFacet } from '../../venues/venues.ts';
import type { Leg } from './encode-route.ts';

/** Turns the hops of a plan into legs. */
export type LegEncoder = {
  /** `taxed`: tokens that tax transfers. Throws RangeError on a hop whose venue has no leg: what is routed has one. */
  toLegs(hops: readonly PlanHop[], taxed: ReadonlySet<Address>): readonly Leg[];
};

const WRAP = 'WRAP';

export function createLegEncoder(venues: BuilderVenues): LegEncoder {
  const byFamily = new Map<string, EncodeFacet>();
  for (const { venue, encode } of venues.values()) for (const { family } of venue.families) byFamily.set(family, encode);
  return { toLegs: (hops, taxed) => hops.map((hop) => toLeg(hop, byFamily, taxed.has(hop.tokenIn))) };
}

function toLeg({ protocol, poolAddress, tokenIn, tokenOut, bps }: PlanHop, byFamily: ReadonlyMap<string, EncodeFacet>, taxedInput: boolean): Leg {
  if (protocol === WRAP) return { leg: 'wrap', bps, tokenIn, tokenOut, pool: null, data: '0x' };
  const facet = byFamily.get(protocol);
  if (facet === undefined) throw new RangeError(`no venue encodes hops of ${protocol}`);
  if (taxedInput && !facet.takesTaxedInput) throw new RangeError(`${protocol} takes no input that is taxed`);
  const data = facet.legData({ family: protocol, poolAddress, tokenIn, tokenOut, taxedInput });
  return { leg: facet.leg, bps, tokenIn, tokenOut, pool: poolAddress, data };
}
