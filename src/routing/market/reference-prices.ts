import type { SnapshotView } from '../../snapshot/snapshot.ts';
import type { Market, MarketPair } from './market.ts';
import { MeasuredRates } from './measured-rates.ts';
import { ease, leastSold, mostBought } from './potentials.ts';

/** Tokens within so many hops of the native token have a reference price: what a thread keeps must not grow with what lies beyond. */
const REACH = 2;

/** Rounds in which prices give way to an arbitrage: so many gaining hops in a row are allowed for. */
const EASING = 3;

/** Wei whose way through the market sets the prices: so much that no dust pool does, and so little that hardly any pool is moved by it. */
const LOG_MEASURE = Math.log(1e14);

/**
 * What a base unit of each token near the native token is worth, as the logarithm of wei: midway between what it costs to buy with a ten-thousandth of the native token and what that sells for, by the best routes. Both are potentials
 * of the market in the sense of Johnson's algorithm, and so is their mean: no pair pays more than these prices, but where the market offers an arbitrage. So along any path the value by
 * reference prices only falls, and a search that is guided by them need not look at what costs more than it may lose. Where an arbitrage lets a pair pay more, prices give way: for a search forwards a token is worth at
 * least what its best pairs make of it, for one backwards at most what it takes to come by it. One table for each block, shared by all its requests; a new block measures only the pairs that it changed.
 */
export class ReferencePrices {
  readonly #market: Market;
  readonly #native: string;
  #view: SnapshotView | null = null;
  /** By token id, for a search forwards and for one backwards; NaN where there is none. */
  #forwards = new Float64Array(0);
  #backwards = new Float64Array(0);
  #near: readonly number[] = [];
  #edition = 0;
  readonly #leaving = new Map<number, MeasuredRates>();
  readonly #entering = new Map<number, MeasuredRates>();

  /** `native`: address of the wrapped native token. */
  constructor(market: Market, native: string) {
    this.#market = market;
    this.#native = native;
  }

  /** Brings the table to a view. `goOn` is asked now and then; where it says no the table stays what it is so far, and is made again when next asked for. */
  refresh(view: SnapshotView, goOn: () => boolean): void {
    if (this.#view === view) return;
    this.#view = null;
    this.#edition++;
    for (const token of this.#near) this.#forwards[token] = this.#backwards[token] = Number.NaN;
    if (this.#forwards.length < view.tokenCount) {
      const room = Math.max(view.tokenCount, 2 * this.#forwards.length);
      this.#forwards = new Float64Array(room).fill(Number.NaN);
      this.#backwards = new Float64Array(room).fill(Number.NaN);
    }
    const native = view.tokenId(this.#native as Parameters<SnapshotView['tokenId']>[0]);
    this.#near = native < 0 ? [] : this.#meet(view, native, goOn);
    if (!goOn()) return;
    if (native >= 0) this.#spread(native);
    this.#view = view;
  }

  #spread(native: number): void {
    const within = new Uint8Array(this.#forwards.length);
    for (const token of this.#near) within[token] = 1;
    const [leaving, entering] = [ratesIn(this.#leaving), ratesIn(this.#entering)];
    const bought = mostBought(native, LOG_MEASURE, within, leaving);
    const sold = leastSold(native, LOG_MEASURE, within, entering);
    for (const token of this.#near) {
      const [buying, selling] = [LOG_MEASURE - (bought[token] as number), LOG_MEASURE - (sold[token] as number)];
      const price = Number.isNaN(buying) ? selling : Number.isNaN(selling) ? buying : (buying + selling) / 2;
      this.#forwards[token] = this.#backwards[token] = price;
    }
    ease(this.#near, this.#forwards, this.#backwards, leaving, LOG_MEASURE, EASING);
  }

  /** Another number whenever the table may have changed. */
  get edition(): number {
    return this.#edition;
  }

  /** What a token is worth to a search forwards; NaN where it has no price. */
  forwards(token: number): number {
    return this.#forwards[token] ?? Number.NaN;
  }

  /** What a token costs a search backwards; NaN where it has no price. */
  backwards(token: number): number {
    return this.#backwards[token] ?? Number.NaN;
  }

  /** The tokens in reach, with the rates at them. */
  #meet(view: SnapshotView, native: number, goOn: () => boolean): number[] {
    const met = [native];
    const known = new Uint8Array(this.#forwards.length);
    known[native] = 1;
    for (let hop = 0, start = 0; hop <= REACH; hop++) {
      const end = met.length;
      for (; start < end; start++) {
        if (!goOn()) return met;
        const token = met[start] as number;
        const { leaving, entering } = this.#market.around(view, token);
        const rates = [kept(this.#leaving, token, leaving, (pair) => pair.to), kept(this.#entering, token, entering, (pair) => pair.from)];
        if (hop === REACH) continue;
        for (const { others } of rates) {
          for (const other of others) {
            if (known[other] === 1) continue;
            known[other] = 1;
            met.push(other);
          }
        }
      }
    }
    return met;
  }
}

/** The rates of a token as long as its pairs are the same, else new ones that take over what still holds. */
function kept(rates: Map<number, MeasuredRates>, token: number, pairs: readonly MarketPair[], otherOf: (pair: MarketPair) => number): MeasuredRates {
  const known = rates.get(token);
  if (known?.pairs === pairs) return known;
  const fresh = new MeasuredRates(pairs, otherOf, known ?? null);
  rates.set(token, fresh);
  return fresh;
}

function ratesIn(rates: ReadonlyMap<number, MeasuredRates>): (token: number) => MeasuredRates {
  return (token) => {
    const at = rates.get(token);
    if (at === undefined) throw new RangeError(`token ${token} was not met`);
    return at;
  };
}
