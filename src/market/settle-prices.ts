import { appraise, bestPlace, placeBy } from './appraise.ts';
import { BestFirst } from './best-first.ts';
import { isBefore, type Place, type PricedToken, type Standing } from './priced-token.ts';

type Turn = Place & { readonly token: PricedToken };

/**
 * Brings the prices in line with what changed: `dirty` are tokens whose links, unit or anchor did. What a token is worth follows from the tokens before it alone, so they are gone through in the
 * order of their places, and only those that something before them changed for: the prices are those that pricing all tokens anew would give. Returns the tokens that were looked at.
 */
export function settlePrices(dirty: Iterable<PricedToken>, leastUsd: number): Iterable<PricedToken> {
  const before = new Map<PricedToken, Standing | null>();
  const decided = new Set<PricedToken>();
  const turns = new BestFirst<Turn>((one, other) => isBefore(one.token, one, other.token, other));
  const enqueue = (token: PricedToken, place: Place | null): void => {
    if (place !== null) turns.push({ token, width: place.width, hops: place.hops });
  };
  /** Nobody goes by what a token stood for until it is decided again; where it stood it is seen whether it still does. */
  const unsettle = (token: PricedToken): void => {
    before.set(token, token.standing);
    enqueue(token, token.standing);
    token.standing = null;
  };
  /** Those after a place may have gone by what is not so any more. */
  const unsettleAfter = (token: PricedToken, place: Place): void => {
    for (const other of token.links.keys()) {
      if (!before.has(other) && (other.standing === null || isBefore(token, place, other, other.standing))) {
        unsettle(other);
        enqueue(other, bestPlace(other, leastUsd));
      }
    }
  };
  for (const token of dirty) unsettle(token);
  for (const token of before.keys()) enqueue(token, bestPlace(token, leastUsd));
  for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) {
    const { token } = turn;
    if (decided.has(token)) continue;
    const place = bestPlace(token, leastUsd);
    if (place === null || isBefore(token, turn, token, place)) {
      unsettleAfter(token, turn);
      enqueue(token, place);
      continue;
    }
    token.standing = appraise(token, place, leastUsd);
    decided.add(token);
    if (!sameStanding(token.standing, before.get(token) ?? null)) unsettleAfter(token, place);
    for (const other of token.links.keys()) if (before.has(other) && !decided.has(other)) enqueue(other, placeBy(token, other, leastUsd));
  }
  return before.keys();
}

function sameStanding(one: Standing | null, other: Standing | null): boolean {
  if (one === null || other === null) return one === other;
  return one.usdPerUnit === other.usdPerUnit && one.width === other.width && one.hops === other.hops && one.confidence === other.confidence;
}
