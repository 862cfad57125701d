import { LIMITS } from '../../config/limits.ts';
import type { SnapshotView, TokenFacts } from '../../snapshot/snapshot.ts';
import { momentOf } from '../../venues/venues.ts';
import { ExactQuotes } from '../market/exact-quotes.ts';
import type { Pace } from '../pace.ts';
import { BY_AMOUNT, findSinglePaths } from '../paths/path-search.ts';
import { SELL_WALK } from '../paths/walk.ts';
import type { Problem, Terrain } from '../problem.ts';
import { gasRule } from './gas-rule.ts';

/** Gas units whose worth is exchanged to find the rate: about a route's, so that no dust pool sets it. */
const TYPICAL_GAS = 200_000;
/** Routes of this many hops at most: a longer way from the native token is no price. Shorter ones are no better for being short, since a dust pool may be one of them. */
const MOST_HOPS = 3;
const NATIVE_DECIMALS = 18;

/** By way of tokens that a route may lead through, and of pools that it may take: nobody trades those of a token that does not move there back to what it is worth, so whoever makes it would set the rate. */
export type Passable = Terrain & Pick<Problem, 'between' | 'admits'>;

/** What a wei is worth in a token, by the snapshot's own best route from the wrapped native token; prices in USD stand in where there is no such route. Base units for a wei. */
export type NativeRates = {
  rate(passable: Passable, native: TokenFacts | null, measure: TokenFacts | null, gasPriceWei: bigint, pace: Pace): number | null;
};

/** Keeps the rates of one block: many requests measure in the same tokens. */
export function createNativeRates(): NativeRates {
  let block: SnapshotView | null = null;
  const known = new Map<string, number | null>();
  return {
    rate(passable, native, measure, gasPriceWei, pace) {
      if (native === null || measure === null) return null;
      if (native.address === measure.address) return 1;
      if (block !== passable.view) known.clear();
      block = passable.view;
      // A caller names the gas price: rounded to a power of two, so that callers can not fill the memory.
      const size = 2 ** Math.ceil(Math.log2(Math.max(1, Number(gasPriceWei)) * TYPICAL_GAS));
      const key = `${measure.address} ${size}`;
      const kept = known.get(key);
      if (kept !== undefined) return kept;
      // What it takes does not count as the request's effort: it depends on who asked before, and a plan must not.
      const free: Pace = { halted: () => pace.halted(), spend: () => {}, left: () => LIMITS.routing.rateEffort };
      const found = firstExchanged(passable, native, measure, size, free) ?? byPrices(native, measure);
      if (known.size >= LIMITS.routing.nativeRates) known.clear();
      if (pace.halted() === null) known.set(key, found);
      return found;
    },
  };
}

/** By the worth of a part of it where the market does not take the whole. */
function firstExchanged(passable: Passable, native: TokenFacts, measure: TokenFacts, wei: number, pace: Pace): number | null {
  for (let part = 0; part < LIMITS.routing.nativeParts && wei / SMALLER ** part >= 1; part++) {
    const found = exchanged(passable, native, measure, wei / SMALLER ** part, pace);
    if (found !== null) return found;
  }
  return null;
}

/** A power of two, as the sizes are. */
const SMALLER = 2 ** 12;

function exchanged(passable: Passable, native: TokenFacts, measure: TokenFacts, wei: number, pace: Pace): number | null {
  const [sell, buy] = [passable.view.tokenId(native.address), passable.view.tokenId(measure.address)];
  if (sell < 0 || buy < 0) return null;
  const ends = { wrapped: sell, sellsNative: false, buysNative: false };
  const quotes = new ExactQuotes((pool) => passable.market.models.exact(pool), momentOf(passable.view.block));
  const gas = gasRule(null, null);
  const problem: Problem = {
    ...passable,
    mode: 'sell',
    fixed: BigInt(wei),
    sell,
    buy,
    ends,
    maxHops: MOST_HOPS,
    gas,
    quotes,
    pace,
  };
  const best = findSinglePaths(problem, SELL_WALK, wei, BY_AMOUNT).paths[0];
  return best === undefined ? null : best.amount / wei;
}

function byPrices(native: TokenFacts, { usd, decimals }: TokenFacts): number | null {
  if (native.usd === null || usd === null || decimals === null) return null;
  return (native.usd * 10 ** decimals) / usd / 10 ** NATIVE_DECIMALS;
}
