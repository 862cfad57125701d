import type { PoolView } from '../../snapshot/snapshot.ts';
import type { JoinedHops, Quote, QuoteMoment } from '../../venues/venues.ts';
import type { Pace } from '../pace.ts';
import type { ExactPool } from './pool-models.ts';

/** Quotes kept of a pool: a route comes by one in several pairs, and with a hop or two changed in turn. */
const KEPT = 4;

/** An exact quote takes about as long as looking at so many edges. */
export const QUOTED = 10;

type Asked = { readonly state: unknown; readonly slotIn: number; readonly slotOut: number; readonly amountIn: bigint; readonly quote: Quote<unknown> };

/**
 * The exact quotes of one request. A route is rounded, then priced, then priced again with a share changed, and most of its hops are asked the same each time: so the last few answers of each pool are kept. They hold as long as the
 * state that they are of, which never changes.
 */
export class ExactQuotes {
  readonly #exact: (pool: PoolView) => ExactPool | null;
  readonly #at: QuoteMoment;
  readonly #spend: Pace['spend'];
  readonly #asked = new Map<PoolView, Asked[]>();

  /** `at`: the moment that venues price at. `spend`: is told what new answers take. */
  constructor(exact: (pool: PoolView) => ExactPool | null, at: QuoteMoment, spend: Pace['spend'] = () => {}) {
    this.#exact = exact;
    this.#at = at;
    this.#spend = spend;
  }

  /** Which hops a hop by a pool can be joined to, and what that saves; undefined where each is a leg of its own. */
  joinedHops(pool: PoolView): JoinedHops | undefined {
    return this.#exact(pool)?.joinedHops;
  }

  /** What a pool gives for an amount in the state that earlier hops left it in (undefined: none did); null where no venue prices it. */
  quote(pool: PoolView, left: unknown, slotIn: number, slotOut: number, amountIn: bigint): Quote<unknown> | null {
    const exact = this.#exact(pool);
    if (exact === null) return null;
    const state = left ?? exact.state;
    const asked = this.#asked.get(pool);
    for (const each of asked ?? []) {
      if (each.amountIn === amountIn && each.state === state && each.slotIn === slotIn && each.slotOut === slotOut) return each.quote;
    }
    const quote = exact.price.exactIn(state, slotIn, slotOut, amountIn, this.#at);
    this.#spend(QUOTED);
    const answer: Asked = { state, slotIn, slotOut, amountIn, quote };
    if (asked === undefined) this.#asked.set(pool, [answer]);
    else if (asked.unshift(answer) > KEPT) asked.pop();
    return quote;
  }
}
