import type { PoolView, SnapshotView } from '../snapshot/snapshot.ts';
import type { GasRule } from './gas/gas-rule.ts';
import type { ExactQuotes } from './market/exact-quotes.ts';
import type { Market } from './market/market.ts';
import type { SortedNeighbours } from './market/neighbours.ts';
import type { ReferencePrices } from './market/reference-prices.ts';
import type { Pace } from './pace.ts';
import type { BetweenTest } from './transfers/transfer-judge.ts';

/** What all requests of a thread share of one block. */
export type Terrain = {
  readonly view: SnapshotView;
  readonly market: Market;
  readonly prices: ReferencePrices;
  readonly neighbours: SortedNeighbours;
};

/** The forms in which a request has its tokens. `wrapped`: snapshot id of the wrapped native token, the one node that the search has for both. */
export type EndForms = { readonly wrapped: number; readonly sellsNative: boolean; readonly buysNative: boolean };

/**
 * One request to the search: the most output for a fixed input (`sell`), or the least input for a fixed output (`buy`), net of gas, over flows on concave edges, where no token gives more than it got,
 * no chain of hops is longer than the limit and all of it fits one transaction. Tokens are snapshot ids.
 */
export type Problem = Terrain & {
  readonly mode: 'sell' | 'buy';
  /** The amount that the request fixes, base units: of the sell token for `sell`, of the buy token for `buy`. */
  readonly fixed: bigint;
  readonly sell: number;
  readonly buy: number;
  readonly ends: EndForms;
  readonly maxHops: number;
  /** Only single paths. */
  readonly unsplit?: true;
  /** null where every pool may be used. */
  readonly admits: ((pool: PoolView) => boolean) | null;
  /** Which tokens a route may lead through. */
  readonly between: BetweenTest;
  readonly gas: GasRule;
  readonly quotes: ExactQuotes;
  readonly pace: Pace;
};
