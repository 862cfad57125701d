import type { Address } from '../units/units.ts';

/**
 * How well a token is priced. Tokens are priced in the order of `width`, the widest first: the USD of the deepest way from an anchor, which is as deep as its shallowest pair. Among
 * equals that of the fewest `hops` comes first, then that of the lower address.
 */
export type Place = { readonly width: number; readonly hops: number };

export type Standing = Place & {
  /** USD for a base unit. */
  readonly usdPerUnit: number;
  /** USD that stand behind the price: what it may count for where it prices others. Infinity of an anchor; at most the width. */
  readonly confidence: number;
};

/** What a pool says of a token in terms of another. */
export type Link = {
  /** Base units of the other for a base unit of the token. */
  readonly rate: number;
  /** Base units of the other that move the price. */
  readonly depth: number;
};

/** A token in the graph by which prices spread. */
export type PricedToken = {
  readonly address: Address;
  /** Base units of a whole token; null: not known, or beyond what anybody means by decimals, and the token has no price. */
  unit: number | null;
  /** USD for a whole token by an anchor of its own; null: it has none. */
  anchor: number | null;
  /** Whether others are priced by it (PriceBook.setSources). */
  pricesOthers: boolean;
  /** null: unpriced, or not decided. */
  standing: Standing | null;
  /** USD for a whole token, as of the last settling. */
  usd: number | null;
  /** By the other token, then by pool. */
  readonly links: Map<PricedToken, Map<string, Link>>;
};

/** Whether a token of that place is priced before another. */
export function isBefore(one: PricedToken, place: Place, other: PricedToken, otherPlace: Place): boolean {
  if (place.width !== otherPlace.width) return place.width > otherPlace.width;
  if (place.hops !== otherPlace.hops) return place.hops < otherPlace.hops;
  return one.address < other.address;
}
