import { gasRule } from '../../src/routing/gas/gas-rule.ts';
import { ExactQuotes } from '../../src/routing/market/exact-quotes.ts';
import { Market } from '../../src/routing/market/market.ts';
import { SortedNeighbours } from '../../src/routing/market/neighbours.ts';
import { PoolModels } from '../../src/routing/market/pool-models.ts';
import { ReferencePrices } from '../../src/routing/market/reference-prices.ts';
import { createPace } from '../../src/routing/pace.ts';
import type { Problem } from '../../src/routing/problem.ts';
import { type InstantMs, instantNow } from '../../src/units/units.ts';
import { momentOf } from '../../src/venues/venues.ts';
import { token, venues, type World } from './world.ts';

/** The problem of a trade from token 1 to token 2 of a world, blind to gas and with an hour to go, for what lies below the solver. */
export function problemOf({ view }: World, { mode, fixed, maxHops }: Pick<Problem, 'mode' | 'fixed' | 'maxHops'>): Problem {
  const market = new Market(new PoolModels(venues));
  const prices = new ReferencePrices(market, token(0));
  return {
    view,
    market,
    prices,
    neighbours: new SortedNeighbours(market, prices),
    mode,
    fixed,
    sell: view.tokenId(token(1)),
    buy: view.tokenId(token(2)),
    ends: { wrapped: view.tokenId(token(0)), sellsNative: false, buysNative: false },
    maxHops,
    admits: null,
    between: null,
    gas: gasRule(null, null),
    quotes: new ExactQuotes((pool) => market.models.exact(pool), momentOf(view.block)),
    // A file may be read minutes before its tests run.
    pace: createPace((instantNow() + 3_600_000) as InstantMs, instantNow, () => false, 1e9),
  };
}
