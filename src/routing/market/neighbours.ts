import type { SnapshotView } from '../../snapshot/snapshot.ts';
import type { Market, MarketPair } from './market.ts';
import type { ReferencePrices } from './reference-prices.ts';

/** Pairs at one token, those that lose least by reference prices first. */
export type Neighbours = {
  readonly pairs: readonly MarketPair[];
  /** By pair: logarithm of what is kept of the value by reference prices, at most about 0; Infinity where one of the ends has no reference price. Descending. */
  readonly kept: Float64Array;
};

/** Sorts a token's pairs when a request of a block first comes by: a search reads them until the next can not pay, and so never all neighbours of a hub. */
export class SortedNeighbours {
  readonly #market: Market;
  readonly #prices: ReferencePrices;
  #view: SnapshotView | null = null;
  readonly #leaving = new Map<number, Neighbours>();
  readonly #entering = new Map<number, Neighbours>();

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

  #at(view: SnapshotView, token: number, known: Map<number, Neighbours>, side: 'leaving' | 'entering'): Neighbours {
    if (this.#view !== view) {
      this.#leaving.clear();
      this.#entering.clear();
      this.#view = view;
    }
    const kept = known.get(token);
    if (kept !== undefined) return kept;
    const sorted = this.#sort(this.#market.around(view, token)[side], side);
    known.set(token, sorted);
    return sorted;
  }

  #sort(pairs: readonly MarketPair[], side: 'leaving' | 'entering'): Neighbours {
    const priceOf = (token: number) => (side === 'leaving' ? this.#prices.forwards(token) : this.#prices.backwards(token));
    const kept = Float64Array.from(pairs, (pair) => {
      const share = pair.logPrice + priceOf(pair.to) - priceOf(pair.from);
      return Number.isNaN(share) ? Infinity : share;
    });
    const order = Array.from(pairs.keys()).sort((a, b) => compare(kept[b] as number, kept[a] as number));
    return { pairs: order.map((index) => pairs[index] as MarketPair), kept: Float64Array.from(order, (index) => kept[index] as number) };
  }
}

/** Two infinities are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
