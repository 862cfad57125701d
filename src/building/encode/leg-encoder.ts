import type { PlanHop } from '../../routing/routing.ts';
import type { Address } from '../../units/units.ts';
import { type BuilderVenues, type EncodeFacet, type HopInRoute, type HopToEncode, hopRuns, joinedWithin } from '../../venues/venues.ts';
import type { Leg } from './encode-route.ts';

/** Turns the hops of a plan into legs: hops in a row that their venue can run as one become one. */
export type LegEncoder = {
  /** `taxed`: tokens that tax transfers. Throws RangeError on a hop whose venue has no leg: what is routed has one. */
  toLegs(hops: readonly PlanHop[], taxed: ReadonlySet<Address>): readonly Leg[];
};

const WRAP = 'WRAP';

export function createLegEncoder(venues: BuilderVenues): LegEncoder {
  return {
    toLegs: (hops, taxed) =>
      hopRuns(hops.map((hop) => inRoute(hop, venues))).map((run) => {
        const legs = run.map((index) => hops[index] as PlanHop);
        return legs.length === 1 ? toLeg(legs[0] as PlanHop, venues, taxed) : toPathLeg(legs, venues, taxed);
      }),
  };
}

function inRoute({ venue, poolAddress, poolKey, hook, tokenIn, tokenOut, bps }: PlanHop, venues: BuilderVenues): HopInRoute {
  const within = joinedWithin(venues.get(venue)?.venue.joinedHops, venue, poolAddress);
  return { within, pool: poolKey, hook, tokenIn, tokenOut, bps };
}

function toLeg(hop: PlanHop, venues: BuilderVenues, taxed: ReadonlySet<Address>): Leg {
  const { protocol, poolAddress, tokenIn, tokenOut, bps } = hop;
  if (protocol === WRAP) return { leg: 'wrap', bps, tokenIn, tokenOut, pool: null, data: '0x' };
  const facet = facetOf(hop, venues);
  return { leg: facet.leg, bps, tokenIn, tokenOut, pool: poolAddress, data: facet.legData(toEncode(hop, venues, taxed)) };
}

/** Takes the share of the first hop. */
function toPathLeg(hops: readonly PlanHop[], venues: BuilderVenues, taxed: ReadonlySet<Address>): Leg {
  const [first, last] = [hops[0] as PlanHop, hops.at(-1) as PlanHop];
  const facet = facetOf(first, venues);
  if (facet.path === undefined) throw new RangeError(`${first.protocol} has no leg for several hops`);
  const data = facet.path.pathData(hops.map((hop) => toEncode(hop, venues, taxed)));
  return { leg: facet.path.leg, bps: first.bps, tokenIn: first.tokenIn, tokenOut: last.tokenOut, pool: first.poolAddress, data };
}

function facetOf({ venue, protocol }: PlanHop, venues: BuilderVenues): EncodeFacet {
  const facet = venues.get(venue)?.encode;
  if (facet === undefined) throw new RangeError(`no leg is written for hops of ${protocol}, priced by ${venue}`);
  return facet;
}

function toEncode(hop: PlanHop, venues: BuilderVenues, taxed: ReadonlySet<Address>): HopToEncode {
  const { protocol, poolAddress, poolKey, hook, legFacts, slotIn, slotOut, tokenIn, tokenOut } = hop;
  const taxedInput = taxed.has(tokenIn);
  if (taxedInput && venues.get(hop.venue)?.venue.takesTaxedInput !== true) throw new RangeError(`${protocol} takes no input that is taxed`);
  return { family: protocol, poolAddress, poolKey, hook, legFacts, slotIn, slotOut, tokenIn, tokenOut, taxedInput };
}
