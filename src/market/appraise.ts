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
  const [{ standing, pricesOthers }, links] = [source, token.links.get(source)];
  if (standing === null || !pricesOthers || links === undefined || token.unit === null) return null;
  const depth = depthOf(standing, links, leastUsd);
  return depth > 0 ? { width: Math.min(standing.confidence, depth), hops: standing.hops + 1 } : null;
}

/**
 * What a token of that place is worth by those that come before it: the depth-weighted median of what the pools to them say. What a source's pools count for together is at most what stands
 * behind its own price, so that a token nobody has to buy can not lend another a weight that it has not got. What stands behind the result is what agrees with it, less the more others do not.
 * null: too little does.
 */
export function appraise(token: PricedToken, place: Place, leastUsd: number): Standing | null {
  if (token.unit !== null && token.anchor !== null) return { ...place, usdPerUnit: token.anchor / token.unit, confidence: Infinity };
  const opinions: Opinion[] = [];
  for (const [source, links] of token.links) {
    if (source.standing !== null && source.pricesOthers && isBefore(source, source.standing, token, place))
      addOpinions(opinions, source.standing, links, leastUsd);
  }
  const median = weightedMedian(opinions);
  if (median === null) return null;
  const confidence = Math.min(place.width, (median.agreeing * median.agreeing) / median.weight);
  return confidence < leastUsd ? null : { ...place, usdPerUnit: median.price, confidence };
}

/** Adds what the pools between a token and a priced one say of the token, in USD for a base unit. */
export function addOpinions(opinions: Opinion[], standing: Standing, links: ReadonlyMap<string, Link>, leastUsd: number): void {
  const { usdPerUnit, confidence } = standing;
  const share = Math.min(1, confidence / depthOf(standing, links, leastUsd));
  for (const { rate, depth } of links.values()) {
    const usd = usdOf(depth, standing);
    const price = rate * usdPerUnit;
    if (usd >= leastUsd && price > 0 && price < Infinity) opinions.push({ price, weight: usd * share });
  }
}

/** What moves the pools to a token that it takes enough to move, in USD of the priced side: what the other side is worth is only what the pool itself says. */
function depthOf(standing: Standing, links: ReadonlyMap<string, Link>, leastUsd: number): number {
  if (links.size > MOST_IN_ANY_ORDER) return sumInOrder(standing, links, leastUsd);
  let sum = 0;
  for (const { depth } of links.values()) {
    const usd = usdOf(depth, standing);
    if (usd >= leastUsd) sum += usd;
  }
  return sum;
}

/** So many summands give the same sum in whatever order. */
const MOST_IN_ANY_ORDER = 2;

/** The least first: the sum is then the same in whatever order pools came. */
function sumInOrder(standing: Standing, links: ReadonlyMap<string, Link>, leastUsd: number): number {
  const depths = Array.from(links.values(), ({ depth }) => usdOf(depth, standing)).sort((one, other) => one - other);
  return depths.reduce((sum, usd) => (usd >= leastUsd ? sum + usd : sum), 0);
}

function usdOf(depth: number, { usdPerUnit }: Standing): number {
  return Math.min(depth * usdPerUnit, LIMITS.market.mostDepthUsd);
}
