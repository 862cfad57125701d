import { LIMITS } from '../config/limits.ts';
import { isBefore, type Link, type Place, type PricedToken, type Standing } from './priced-token.ts';
import { type Opinion, weightedMedian } from './weighted-median.ts';

/** The place that a token gets by the best of the tokens that are priced now; null where none prices it. */
export function bestPlace(token: PricedToken, leastUsd: number): Place | null {
  if (token.unit === null) return null;
  if (token.anchor !== null) return { width: Infinity, hops: 0 };
  let best: Place | null = null;
  for (const source of token.links.keys()) {
    const place = placeBy(source, token, leastUsd);
    if (place !== null && (best === null || place.width > best.width || (place.width === best.width && place.hops < best.hops))) best = place;
  }
  return best;
}

/** The place that a token gets by one other. */
export function placeBy(source: PricedToken, token: PricedToken, leastUsd: number): Place | null {
  const [{ standing }, links] = [source, token.links.get(source)];
  if (standing === null || links === undefined) return null;
  const depth = sumOf(deepLinks(standing, links, leastUsd));
  return depth > 0 ? { width: Math.min(standing.confidence, depth), hops: standing.hops + 1 } : null;
}

/**
 * What a token of that place is worth by those that come before it: the depth-weighted median of what the pools to them say. What a source's pools count for together is at most what stands
 * behind its own price, so that a token nobody has to buy can not lend another a weight that it has not got. What stands behind the result is what agrees with it, less the more others do not.
 * null: too little does.
 */
export function appraise(token: PricedToken, place: Place, leastUsd: number): Standing | null {
  if (token.unit !== null && token.anchor !== null) return { ...place, usdPerUnit: token.anchor / token.unit, confidence: Infinity };
  const sources = [...token.links].filter(([source]) => source.standing !== null && isBefore(source, source.standing, token, place));
  const median = weightedMedian(sources.flatMap(([source, links]) => opinionsOf(source, links, leastUsd)));
  if (median === null) return null;
  const confidence = Math.min(place.width, (median.agreeing * median.agreeing) / median.weight);
  return confidence < leastUsd ? null : { ...place, usdPerUnit: median.price, confidence };
}

/** What the pools between a token and a priced one say of the token, in USD for a base unit. */
export function opinionsOf({ standing }: PricedToken, links: ReadonlyMap<string, Link>, leastUsd: number): readonly Opinion[] {
  if (standing === null) return [];
  const deep = deepLinks(standing, links, leastUsd);
  const share = Math.min(1, standing.confidence / sumOf(deep));
  return deep.map(({ rate, usd }) => ({ price: rate * standing.usdPerUnit, weight: usd * share })).filter(({ price }) => price > 0 && price < Infinity);
}

type DeepLink = { readonly rate: number; readonly usd: number };

/** Pools that it takes enough to move, in USD of the priced side: what the other side is worth is only what the pool itself says. */
function deepLinks({ usdPerUnit }: Standing, links: ReadonlyMap<string, Link>, leastUsd: number): readonly DeepLink[] {
  const deep: DeepLink[] = [];
  for (const { rate, depth } of links.values()) {
    const usd = Math.min(depth * usdPerUnit, LIMITS.market.mostDepthUsd);
    if (usd >= leastUsd) deep.push({ rate, usd });
  }
  // The least first: sums are then the same in whatever order pools came.
  return deep.sort((one, other) => one.usd - other.usd);
}

function sumOf(links: readonly DeepLink[]): number {
  return links.reduce((sum, { usd }) => sum + usd, 0);
}
