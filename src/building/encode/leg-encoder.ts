import type { PlanHop } from '../../routing/routing.ts';
import type { Address } from '../../units/units.ts';
import { type BuilderVenues, type EncodeFacet, type HopInRoute, type HopToEncode, hopRuns, joinedWithin } from '../../venues/venues.ts';
import type { Leg } from './encode-route.ts';

/** Turns the hops of a plan into legs: hops in a row that their venue can run as one become one. */
export type LegEncoder = {
  /** `taxed`: tokens that tax transfers; `leastOf`: what of a planned output has to come. Throws RangeError on a hop whose venue has no leg: what is routed has one. */
  toLegs(hops: readonly PlanHop[], taxed: ReadonlySet<Address>, leastOf: (amount: bigint) => bigint): readonly Leg[];
};

const WRAP = 'WRAP';

export function createLegEncoder(venues: BuilderVenues): LegEncoder {
  return {
    toLegs(hops, taxed, leastOf) {
      const encoding = { venues, taxed, leastOf };
      return hopRuns(hops.map((hop) => inRoute(hop, venues))).map((run) => {
        const legs = run.map((index) => hops[index] as PlanHop);
        return legs.length === 1 ? toLeg(legs[0] as PlanHop, encoding) : toPathLeg(legs, encoding);
      });
    },
  };
}

/** What all hops of a route are written by. */
type Encoding = { readonly venues: BuilderVenues; readonly taxed: ReadonlySet<Address>; readonly leastOf: (amount: bigint) => bigint };

function inRoute({ venue, source, poolAddress, poolKey, hook, tokenIn, tokenOut, bps }: PlanHop, venues: BuilderVenues): HopInRoute {
  const within = joinedWithin(venues.get(venue)?.venue.joinedHops, venue, poolAddress, source);
  return { within, pool: poolKey, hook, tokenIn, tokenOut, bps };
}

function toLeg(hop: PlanHop, encoding: Encoding): Leg {
  const { protocol, poolAddress, tokenIn, tokenOut, bps } = hop;
  if (protocol === WRAP) return { leg: 'wrap', bps, tokenIn, tokenOut, pool: null, data: '0x' };
  const facet = facetOf(hop, encoding);
  const toWrite = toEncode(hop, encoding);
  const { leg, legData } = facet.signed?.wants(toWrite) ? facet.signed : facet;
  return { leg, bps, tokenIn, tokenOut, pool: poolAddress, data: legData(toWrite) };
}

/** Takes the share of the first hop. */
function toPathLeg(hops: readonly PlanHop[], encoding: Encoding): Leg {
  const [first, last] = [hops[0] as PlanHop, hops.at(-1) as PlanHop];
  const facet = facetOf(first, encoding);
  if (facet.path === undefined) throw new RangeError(`${first.protocol} has no leg for several hops`);
  const data = facet.path.pathData(hops.map((hop) => toEncode(hop, encoding)));
  return { leg: facet.path.leg, bps: first.bps, tokenIn: first.tokenIn, tokenOut: last.tokenOut, pool: first.poolAddress, data };
}

function facetOf({ venue, protocol }: PlanHop, { venues }: Encoding): EncodeFacet {
  const facet = venues.get(venue)?.encode;
  if (facet === undefined) throw new RangeError(`no leg is written for hops of ${protocol}, priced by ${venue}`);
  return facet;
}

function toEncode(hop: PlanHop, { venues, taxed, leastOf }: Encoding): HopToEncode {
  const { protocol, poolAddress, poolKey, hook, legFacts, slotIn, slotOut, tokenIn, tokenOut } = hop;
  const taxedInput = taxed.has(tokenIn);
  if (taxedInput && venues.get(hop.venue)?.venue.takesTaxedInput !== true) throw new RangeError(`${protocol} takes no input that is taxed`);
  return { family: protocol, poolAddress, poolKey, hook, legFacts, slotIn, slotOut, tokenIn, tokenOut, leastOut: leastOf(hop.amountOut), taxedInput };
}
