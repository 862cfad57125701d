import type { PriceSources } from '../chains/chains.ts';
import { LIMITS } from '../config/limits.ts';
import type { EdgeCurve, MeasuredVerdict } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import { PriceBook, type PriceChange } from './price-book.ts';
import { type FeedReading, type FeedVerdict, judgeRound } from './read-feeds.ts';

/** How the pricing of a block went. */
export type PricingReport = {
  /** Tokens that have a price. */
  readonly priced: number;
  /** Feeds by what became of their answers; 'unread' of those that the node was never asked about with success. */
  readonly feeds: Readonly<Record<'used' | 'stale' | 'refused' | 'unread', number>>;
  /** Of the oldest answer that is used; null: none is. */
  readonly oldestSeconds: number | null;
  /** Stablecoins that are believed to be a dollar, and that are not, since pools to tokens with a feed say otherwise. */
  readonly stablecoins: { readonly held: number; readonly lost: number };
  /** Tokens by which others are priced, and those by which they would be but for what was found of their transfers. */
  readonly pricedBy: { readonly used: number; readonly barred: number };
  /** Time that it took, ms. */
  readonly millis: number;
};

/** The prices of a chain's tokens, for the snapshot that is staged: what pools it has is told as it changes. */
export type TokenPrices = {
  readonly sources: PriceSources;
  setPool(key: string, tokens: readonly Address[], curves: readonly EdgeCurve[]): void;
  removePool(key: string): void;
  setDecimals(address: Address, decimals: number | null): void;
  /** What feeds answered at the block that is staged, or at the last at which they could be asked. */
  setReadings(readings: readonly FeedReading[]): void;
  /** USD for a whole token, as of the last settling; null: unpriced. */
  usd(address: Address): number | null;
  /** Base units for so many USD at that price, rounded down; null: unpriced. */
  unitsFor(address: Address, usd: number): bigint | null;
  /** Keys of a token's pools with tokens that are priced before it, as of the last settling, those first that it takes most USD to move. */
  deepestPools(address: Address): readonly string[];
  /** Whether a token is one of those by which others are priced, if nothing is found against it. */
  pricesOthers(address: Address): boolean;
  /** Prices what changed, at a block of that time. `verdictOf`: what is found of a token's transfers, in the snapshot that is staged. Returns the tokens whose price is another one now. */
  settle(
    timestamp: number,
    verdictOf: (token: Address) => MeasuredVerdict | null,
  ): { readonly changes: readonly PriceChange[]; readonly report: PricingReport };
};

/** `listed`: tokens that the operator knows. They, and those that prices start from, are the ones by which others are priced (decision 138). */
export function createTokenPrices(sources: PriceSources, listed: readonly Address[] = []): TokenPrices {
  const book = new PriceBook(sources.minimumDepthUsd);
  const configured = new Set([...listed, ...sources.stablecoins, ...sources.feeds.map(({ token }) => token)]);
  let readings: readonly FeedReading[] = [];
  return {
    sources,
    setPool: (key, tokens, curves) => book.setPool(key, tokens, curves),
    removePool: (key) => book.removePool(key),
    setDecimals: (address, decimals) => book.setDecimals(address, decimals),
    setReadings(next) {
      readings = next;
    },
    usd: (address) => book.usd(address),
    unitsFor: (address, usd) => book.unitsFor(address, usd),
    deepestPools: (address) => book.deepestPools(address),
    pricesOthers: (address) => configured.has(address),
    settle(timestamp, verdictOf) {
      const started = performance.now();
      const told = readings.map((reading) => ({ token: reading.feed.token, verdict: judgeRound(reading, timestamp) }));
      const isFree = (token: Address): boolean => movesFreely(verdictOf(token));
      const dollars = sources.stablecoins.filter(
        (address) => isFree(address) && !told.some(({ token, verdict }) => token === address && verdict.kind === 'used'),
      );
      const verdicts = told.map(({ token, verdict }) => ({ token, verdict: isFree(token) && isDenied(book, token, verdict, dollars) ? STALE : verdict }));
      const fed = new Map<Address, number>();
      const ages: number[] = [];
      for (const { token, verdict } of verdicts) {
        if (verdict.kind !== 'used' || fed.has(token)) continue;
        fed.set(token, verdict.usd);
        ages.push(verdict.ageSeconds);
      }
      const pricing = new Set([...configured].filter(isFree));
      book.setSources(pricing);
      const telling = new Map([...fed].filter(([token]) => pricing.has(token)));
      const unfed = sources.stablecoins.filter((address) => !fed.has(address));
      const held = unfed.filter((address) => isHeld(book, address, telling));
      book.setAnchors(new Map([...fed, ...held.map((address) => [address, 1] as const)]));
      const changes = book.settle();
      const count = (kind: string): number => verdicts.filter(({ verdict }) => verdict.kind === kind).length;
      const report: PricingReport = {
        priced: book.priced,
        feeds: { used: count('used'), stale: count('stale'), refused: count('refused'), unread: sources.feeds.length - readings.length },
        oldestSeconds: ages.length === 0 ? null : Math.max(...ages),
        stablecoins: { held: held.length, lost: unfed.length - held.length },
        pricedBy: { used: pricing.size, barred: configured.size - pricing.size },
        millis: performance.now() - started,
      };
      return { changes, report };
    },
  };
}

const STALE: FeedVerdict = { kind: 'stale' };

/**
 * Whether an answer that is not young any more is off, as far as pools say: the chain's stablecoins would all have left their dollar to the same side, two of them at least. How often a feed has to answer is not known of most; a feed
 * that has ended so does not price a chain for as long as its answer may be old, nor take the dollars' price from them.
 */
function isDenied(book: PriceBook, token: Address, verdict: FeedVerdict, dollars: readonly Address[]): boolean {
  if (verdict.kind !== 'used' || verdict.ageSeconds <= LIMITS.market.feedAloneSeconds) return false;
  const alone = new Map([[token, verdict.usd]]);
  const off = dollars.flatMap((address) => book.worthBy(address, alone) ?? []).map((worth) => worth - 1);
  const { feedDeniedBy, pegTolerance } = LIMITS.market;
  return off.length >= feedDeniedBy && (off.every((by) => by > pegTolerance) || off.every((by) => by < -pegTolerance));
}

/** A stablecoin is believed to be a dollar as long as deep pools to tokens with a feed do not say otherwise; where there is no such pool, or no feed, there is nothing to hold it against. */
function isHeld(book: PriceBook, address: Address, fed: ReadonlyMap<Address, number>): boolean {
  const worth = book.worthBy(address, fed);
  return worth === null || Math.abs(worth - 1) <= LIMITS.market.pegTolerance;
}

/** Whether what is in a token's pools can be traded by anybody, as far as is known: a price that nobody can trade at is none. That a unit is lost in rounding keeps nobody from it. */
function movesFreely(measured: MeasuredVerdict | null): boolean {
  if (measured === null) return true;
  const { verdict, openAt } = measured;
  return openAt === undefined && verdict.kind !== 'gated' && verdict.kind !== 'taxed';
}
