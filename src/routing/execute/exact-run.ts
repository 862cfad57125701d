import type { PoolView } from '../../snapshot/snapshot.ts';
import { BPS_WHOLE } from '../../units/units.ts';
import type { QuoteRefusal } from '../../venues/venues.ts';
import type { ExactQuotes } from '../market/exact-quotes.ts';

export type Swap = { readonly ok: true; readonly amountOut: bigint; readonly gas: number } | { readonly ok: false; readonly reason: QuoteRefusal };

/** A sale that is executed exactly, swap by swap: what is held of each token, and the state that each pool was left in. Amounts in base units. */
export class ExactRun {
  readonly #quotes: ExactQuotes;
  readonly #balances = new Map<number, bigint>();
  readonly #states = new Map<PoolView, unknown>();

  constructor(quotes: ExactQuotes, token: number, amount: bigint) {
    this.#quotes = quotes;
    this.#balances.set(token, amount);
  }

  balance(token: number): bigint {
    return this.#balances.get(token) ?? 0n;
  }

  /** Whether a swap went through a pool. */
  entered(pool: PoolView): boolean {
    return this.#states.has(pool);
  }

  /** A share, in bps, of what is left of a token, rounded down. */
  share(token: number, bps: number): bigint {
    const balance = this.balance(token);
    return bps === BPS_WHOLE ? balance : (balance * BigInt(bps)) / BigInt(BPS_WHOLE);
  }

  /** Turns an amount of one token into one of another. */
  exchange(tokenIn: number, tokenOut: number, amountIn: bigint, amountOut: bigint): void {
    this.#balances.set(tokenIn, this.balance(tokenIn) - amountIn);
    this.#balances.set(tokenOut, this.balance(tokenOut) + amountOut);
  }

  /** The same through a pool, which has to fill it whole; else nothing is done. */
  swap(pool: PoolView, slotIn: number, slotOut: number, tokenIn: number, tokenOut: number, amountIn: bigint): Swap {
    const quote = this.#quotes.quote(pool, this.#states.get(pool), slotIn, slotOut, amountIn);
    if (!quote?.ok) return { ok: false, reason: quote?.reason ?? 'reverts' };
    if (quote.amountIn !== amountIn) return { ok: false, reason: 'partial' };
    if (quote.amountOut <= 0n) return { ok: false, reason: 'reverts' };
    this.#states.set(pool, quote.next);
    this.exchange(tokenIn, tokenOut, amountIn, quote.amountOut);
    return quote;
  }
}
