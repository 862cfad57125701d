import type { SnapshotView } from '../../snapshot/snapshot.ts';
import type { Market, MarketPair } from './market.ts';
import type { ReferencePrices } from './reference-prices.ts';

/** Pairs at one token, those that lose least by reference prices first. */
export type Neighbours = {
  readonly pairs: readonly MarketPair[];
  /** By pair: logarithm of what is kept of the value by reference prices, at most about 0; Infinity where one of the ends has no reference price. Descending. */
  readonly kept: Float64Array;
};

/** `order`: places of the pairs in the market's order. */
type Sorted = { readonly view: SnapshotView; readonly edition: number; readonly order: number[]; readonly neighbours: Neighbours };

/** Sorts a token's pairs when a request of a block first comes by: a search reads them until the next can not pay, and so never all neighbours of a hub. The order changes little from block to block, and sorting starts from the last one. */
export class SortedNeighbours {
  readonly #market: Market;
  readonly #prices: ReferencePrices;
  readonly #leaving = new Map<number, Sorted>();
  readonly #entering = new Map<number, Sorted>();

  constructor(market: Market, prices: ReferencePrices) {
    this.#market = market;
    this.#prices = prices;
  }

  leaving(view: SnapshotView, token: number): Neighbours {
    return this.#at(view, token, this.#leaving, 'leaving');
  }

  entering(view: SnapshotView, token: number): Neighbours {
    return this.#at(view, token, this.#entering, 'entering');
  }

  #at(view: SnapshotView, token: number, known: Map<number, Sorted>, side: 'leaving' | 'entering'): Neighbours {
    const before = known.get(token);
    const { edition } = this.#prices;
    if (before?.view === view && before.edition === edition) return before.neighbours;
    const pairs = this.#market.around(view, token)[side];
    const order = before?.order.length === pairs.length ? before.order : Array.from(pairs.keys());
    const neighbours = this.#sort(pairs, order, side);
    known.set(token, { view, edition, order, neighbours });
    return neighbours;
  }

  #sort(pairs: readonly MarketPair[], order: number[], side: 'leaving' | 'entering'): Neighbours {
    const priceOf = (token: number) => (side === 'leaving' ? this.#prices.forwards(token) : this.#prices.backwards(token));
    const kept = Float64Array.from(pairs, (pair) => {
      const share = pair.logPrice + priceOf(pair.to) - priceOf(pair.from);
      return Number.isNaN(share) ? Infinity : share;
    });
    // Ties by the market's order, and not by the last one: what a request gets must not depend on what was asked before.
    order.sort((a, b) => compare(kept[b] as number, kept[a] as number) || a - b);
    return { pairs: order.map((index) => pairs[index] as MarketPair), kept: Float64Array.from(order, (index) => kept[index] as number) };
  }
}

/** Two infinities are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
