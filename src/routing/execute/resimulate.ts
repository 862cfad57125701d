import type { PoolView } from '../../snapshot/snapshot.ts';
import type { QuoteMoment, QuoteRefusal } from '../../venues/venues.ts';
import type { ExactPool } from '../market/pool-models.ts';

/** One hop of a split plan: which pool, which way, and its share in bps of what is left of its token when its turn comes (decisions S6). */
export type SplitHop = { readonly pool: PoolView; readonly slotIn: number; readonly slotOut: number; readonly bps: number };

/** A hop with its exact amounts, in base units, and gas units. */
export type ExactHop = SplitHop & { readonly amountIn: bigint; readonly amountOut: bigint; readonly gas: number };

export type Resimulation =
  | { readonly ok: true; readonly hops: readonly ExactHop[]; readonly output: bigint; readonly gas: number }
  /** A hop that its venue would not fill whole, with what came to it; no route may contain it. */
  | { readonly ok: false; readonly pool: PoolView; readonly reason: QuoteRefusal; readonly amountIn: bigint };

/**
 * The border between the two number worlds: hops in execution order and an input amount in, exact amounts out, with the contracts' own roundings. Pool
 * states are carried from hop to hop. A hop whose share rounds to nothing is left out; the last hop of a token takes all that is left. `sell` and `buy` are
 * snapshot token ids, `at` the moment that venues price at. Pure.
 */
export function resimulate(
  hops: readonly SplitHop[],
  sell: number,
  buy: number,
  input: bigint,
  exact: (pool: PoolView) => ExactPool | null,
  at: QuoteMoment,
): Resimulation {
  const balances = new Map<number, bigint>([[sell, input]]);
  const states = new Map<PoolView, unknown>();
  const done: ExactHop[] = [];
  let gas = 0;
  for (const hop of hops) {
    const tokenIn = hop.pool.tokens[hop.slotIn] as number;
    const tokenOut = hop.pool.tokens[hop.slotOut] as number;
    const balance = balances.get(tokenIn) ?? 0n;
    const amountIn = hop.bps === 10_000 ? balance : (balance * BigInt(hop.bps)) / 10_000n;
    if (amountIn === 0n) continue;
    const pool = exact(hop.pool);
    if (pool === null) return { ok: false, pool: hop.pool, reason: 'reverts', amountIn };
    const state = states.get(hop.pool) ?? pool.state;
    const quote = pool.price.exactIn(state, hop.slotIn, hop.slotOut, amountIn, at);
    if (!quote.ok) return { ok: false, pool: hop.pool, reason: quote.reason, amountIn };
    if (quote.amountIn !== amountIn) return { ok: false, pool: hop.pool, reason: 'partial', amountIn };
    if (quote.amountOut <= 0n) return { ok: false, pool: hop.pool, reason: 'reverts', amountIn };
    states.set(hop.pool, quote.next);
    balances.set(tokenIn, balance - amountIn);
    balances.set(tokenOut, (balances.get(tokenOut) ?? 0n) + quote.amountOut);
    gas += quote.gas;
    done.push({ ...hop, amountIn, amountOut: quote.amountOut, gas: quote.gas });
  }
  return { ok: true, hops: done, output: balances.get(buy) ?? 0n, gas };
}
