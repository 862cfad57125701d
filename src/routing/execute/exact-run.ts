import type { PoolView } from '../../snapshot/snapshot.ts';
import { BPS_WHOLE } from '../../units/units.ts';
import type { QuoteRefusal } from '../../venues/venues.ts';
import type { ExactQuotes } from '../market/exact-quotes.ts';
import { arrivingDown, type TransferLoss } from '../transfers/transfer-loss.ts';

export type Swap = { readonly ok: true; readonly amountOut: bigint; readonly gas: number } | { readonly ok: false; readonly reason: QuoteRefusal };

/** What pools get of the token that is sold, and what comes of the one that is bought. Tokens as in the run. */
export type RunLosses = { readonly sold: number; readonly sell: TransferLoss; readonly bought: number; readonly buy: TransferLoss };

/** A sale that is executed exactly, swap by swap: what is held of each token, and the state that each pool was left in. Amounts in base units. */
export class ExactRun {
  readonly #quotes: ExactQuotes;
  readonly #losses: RunLosses | null;
  readonly #balances = new Map<number, bigint>();
  readonly #states = new Map<PoolView, unknown>();

  /** `losses`: null where all that is sent arrives. */
  constructor(quotes: ExactQuotes, token: number, amount: bigint, losses: RunLosses | null = null) {
    this.#quotes = quotes;
    this.#losses = losses;
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

  /** The same for what somebody signed, out of a share; null where that is less than they take. */
  signed(tokenIn: number, tokenOut: number, share: bigint, { amountIn, amountOut }: { readonly amountIn: bigint; readonly amountOut: bigint }): bigint | null {
    if (share < amountIn) return null;
    const losses = this.#losses;
    const arriving = losses !== null && tokenOut === losses.bought ? arrivingDown(amountOut, losses.buy) : amountOut;
    this.exchange(tokenIn, tokenOut, amountIn, arriving);
    return arriving;
  }

  /** The same through a pool, which has to fill what reaches it whole; else nothing is done. The amounts are those that leave and arrive here. */
  swap(pool: PoolView, slotIn: number, slotOut: number, tokenIn: number, tokenOut: number, amountIn: bigint): Swap {
    const losses = this.#losses;
    const reaching = losses !== null && tokenIn === losses.sold ? arrivingDown(amountIn, losses.sell) : amountIn;
    if (reaching === 0n) return { ok: false, reason: 'reverts' };
    const quote = this.#quotes.quote(pool, this.#states.get(pool), slotIn, slotOut, reaching);
    if (!quote?.ok) return { ok: false, reason: quote?.reason ?? 'reverts' };
    if (quote.amountIn !== reaching) return { ok: false, reason: 'partial' };
    const amountOut = losses !== null && tokenOut === losses.bought ? arrivingDown(quote.amountOut, losses.buy) : quote.amountOut;
    if (amountOut <= 0n) return { ok: false, reason: 'reverts' };
    this.#states.set(pool, quote.next);
    this.exchange(tokenIn, tokenOut, amountIn, amountOut);
    return amountOut === quote.amountOut ? quote : { ok: true, amountOut, gas: quote.gas };
  }
}
