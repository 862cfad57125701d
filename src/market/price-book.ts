import { LIMITS } from '../config/limits.ts';
import type { EdgeCurve } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import { addOpinions } from './appraise.ts';
import { type PairQuote, pairQuotes } from './pair-quote.ts';
import { isBefore, type Link, type PricedToken } from './priced-token.ts';
import { settlePrices } from './settle-prices.ts';
import { type Opinion, weightedMedian } from './weighted-median.ts';

/** A token whose price is another one now. USD for a whole token; null: unpriced. */
export type PriceChange = { readonly address: Address; readonly usd: number | null };

type KnownPool = { readonly tokens: readonly PricedToken[]; readonly quotes: readonly PairQuote[] };

/**
 * What tokens are worth by the pools of one snapshot and some anchors. The prices depend on these alone, not on the order in which they came or on what was before; the work follows what changed.
 */
export class PriceBook {
  readonly #leastUsd: number;
  readonly #tokens = new Map<Address, PricedToken>();
  readonly #pools = new Map<string, KnownPool>();
  readonly #dirty = new Set<PricedToken>();
  #anchors: ReadonlyMap<Address, number> = new Map();
  #sources: ReadonlySet<Address> | null = null;
  #priced = 0;

  /** `leastDepthUsd`: a pool counts where it takes at least so much to move its price by 2%. */
  constructor(leastDepthUsd: number) {
    this.#leastUsd = leastDepthUsd;
  }

  /** How many tokens have a price, as of the last settling. */
  get priced(): number {
    return this.#priced;
  }

  /** USD for a whole token, as of the last settling; null: unpriced. */
  usd(address: Address): number | null {
    return this.#tokens.get(address)?.usd ?? null;
  }

  /** Base units for so many USD at that price, rounded down; null: unpriced. */
  unitsFor(address: Address, usd: number): bigint | null {
    const token = this.#tokens.get(address);
    if (token === undefined || token.usd === null || token.unit === null) return null;
    const units = (usd / token.usd) * token.unit;
    return units < Infinity ? BigInt(Math.floor(units)) : null;
  }

  setDecimals(address: Address, decimals: number | null): void {
    const token = this.#token(address);
    const unit = decimals !== null && decimals <= LIMITS.market.mostDecimals ? 10 ** decimals : null;
    if (token.unit === unit) return;
    token.unit = unit;
    this.#dirty.add(token);
  }

  setPool(key: string, addresses: readonly Address[], curves: readonly EdgeCurve[]): void {
    const known = this.#pools.get(key);
    const quotes = pairQuotes(curves);
    if (known !== undefined) {
      if (sameQuotes(known.quotes, quotes) && known.tokens.every(({ address }, slot) => address === addresses[slot])) return;
      this.removePool(key);
    }
    const tokens = addresses.map((address) => this.#token(address));
    this.#pools.set(key, { tokens, quotes });
    for (const quote of quotes) {
      const [a, b] = [tokens[quote.slotA], tokens[quote.slotB]];
      if (a === undefined || b === undefined) continue;
      this.#link(key, a, b, { rate: quote.rate, depth: quote.depthB });
      this.#link(key, b, a, { rate: 1 / quote.rate, depth: quote.depthA });
    }
  }

  removePool(key: string): void {
    const known = this.#pools.get(key);
    if (known === undefined) return;
    this.#pools.delete(key);
    for (const { slotA, slotB } of known.quotes) {
      const [a, b] = [known.tokens[slotA], known.tokens[slotB]];
      if (a === undefined || b === undefined) continue;
      this.#unlink(key, a, b);
      this.#unlink(key, b, a);
    }
  }

  /** The anchors from now on, USD for a whole token; one of unknown decimals is none. */
  setAnchors(usd: ReadonlyMap<Address, number>): void {
    for (const address of new Set([...this.#anchors.keys(), ...usd.keys()])) {
      const token = this.#token(address);
      const anchor = usd.get(address) ?? null;
      if (token.anchor === anchor) continue;
      token.anchor = anchor;
      this.#dirty.add(token);
    }
    this.#anchors = usd;
  }

  /**
   * The tokens by which others are priced from now on, anchors included: whoever makes a token can keep others from trading in its pools, so that what is in them is at no risk, whatever price they show. Before it is called that is
   * every token.
   */
  setSources(sources: ReadonlySet<Address>): void {
    if (this.#sources !== null && this.#sources.size === sources.size && [...sources].every((address) => this.#sources?.has(address))) return;
    const touched = this.#sources === null ? [...this.#tokens.values()] : [...this.#sources, ...sources].map((address) => this.#token(address));
    this.#sources = sources;
    for (const token of touched) {
      const pricesOthers = sources.has(token.address);
      if (token.pricesOthers === pricesOthers) continue;
      token.pricesOthers = pricesOthers;
      for (const other of token.links.keys()) this.#dirty.add(other);
    }
  }

  /**
   * What a token would be worth by its pools to some others at given prices, USD for a whole token: how an anchor is held against others. null where too little stands behind it.
   */
  worthBy(address: Address, prices: ReadonlyMap<Address, number>): number | null {
    const token = this.#tokens.get(address);
    if (token === undefined || token.unit === null) return null;
    const opinions: Opinion[] = [];
    for (const [address, usd] of prices) {
      const source = this.#tokens.get(address);
      const links = source === undefined ? undefined : token.links.get(source);
      if (source === undefined || source.unit === null || links === undefined) continue;
      addOpinions(opinions, { width: Infinity, hops: 0, usdPerUnit: usd / source.unit, confidence: Infinity }, links, this.#leastUsd);
    }
    const median = weightedMedian(opinions);
    return median === null || (median.agreeing * median.agreeing) / median.weight < this.#leastUsd ? null : median.price * token.unit;
  }

  /** Keys of a token's pools with tokens that price others and are priced before it, those first that it takes most USD of that side to move, without what is next to nothing beside the deepest: a token that is priced by this one lends no depth. */
  deepestPools(address: Address): readonly string[] {
    const token = this.#tokens.get(address);
    if (token === undefined) return [];
    const depths = new Map<string, number>();
    for (const [source, links] of token.links) {
      const { standing, pricesOthers } = source;
      if (standing === null || !pricesOthers || (token.standing !== null && !isBefore(source, standing, token, token.standing))) continue;
      for (const [key, { depth }] of links) depths.set(key, Math.max(depths.get(key) ?? 0, Math.min(depth * standing.usdPerUnit, standing.confidence)));
    }
    const least = Math.max(0, ...depths.values()) / LIMITS.measuring.pools.leastShare;
    const deep = [...depths].filter(([, depth]) => depth >= least);
    return deep.sort(([key, depth], [other, otherDepth]) => otherDepth - depth || (key < other ? -1 : 1)).map(([key]) => key);
  }

  /** Prices what changed since the last time. Returns the tokens whose price is another one now. */
  settle(): readonly PriceChange[] {
    const looked = settlePrices(this.#dirty, this.#leastUsd);
    this.#dirty.clear();
    const changes: PriceChange[] = [];
    for (const token of looked) {
      const usd = usdOf(token);
      if (usd === token.usd) continue;
      this.#priced += Number(usd !== null) - Number(token.usd !== null);
      token.usd = usd;
      changes.push({ address: token.address, usd });
    }
    return changes;
  }

  #token(address: Address): PricedToken {
    const known = this.#tokens.get(address);
    if (known !== undefined) return known;
    const token: PricedToken = {
      address,
      unit: null,
      anchor: null,
      pricesOthers: this.#sources?.has(address) ?? true,
      standing: null,
      usd: null,
      links: new Map(),
    };
    this.#tokens.set(address, token);
    return token;
  }

  #link(key: string, token: PricedToken, other: PricedToken, link: Link): void {
    const links = token.links.get(other);
    if (links === undefined) token.links.set(other, new Map([[key, link]]));
    else links.set(key, link);
    this.#dirty.add(token);
  }

  #unlink(key: string, token: PricedToken, other: PricedToken): void {
    const links = token.links.get(other);
    links?.delete(key);
    if (links?.size === 0) token.links.delete(other);
    this.#dirty.add(token);
  }
}

function usdOf({ standing, unit, anchor }: PricedToken): number | null {
  if (standing === null || unit === null) return null;
  const usd = anchor ?? standing.usdPerUnit * unit;
  return usd > 0 && usd < Infinity ? usd : null;
}

function sameQuotes(some: readonly PairQuote[], others: readonly PairQuote[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, at) => {
      const other = others[at] as PairQuote;
      return one.slotA === other.slotA && one.slotB === other.slotB && one.rate === other.rate && one.depthA === other.depthA && one.depthB === other.depthB;
    })
  );
}
