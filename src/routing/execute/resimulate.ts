import type { PoolView } from '../../snapshot/snapshot.ts';
import type { QuoteMoment, QuoteRefusal } from '../../venues/venues.ts';
import { UNWRAP_GAS, WRAP_GAS } from '../gas/gas-rule.ts';
import type { ExactPool } from '../market/pool-models.ts';

/** One hop of a split plan: which pool, which way, and its share in bps of what is left of its token when its turn comes (decisions S6). */
export type SplitHop = {
  readonly pool: PoolView;
  readonly slotIn: number;
  readonly slotOut: number;
  readonly bps: number;
  /** The side that is the native token itself; absent where there is none, and where native and wrapped are one token, as in the search. */
  readonly native?: 'in' | 'out';
};

/** A hop that no pool makes: a share of the native token's balance becomes the wrapped token, or the other way round. */
export type WrapHop = { readonly pool: null; readonly unwraps: boolean; readonly wrapped: number; readonly bps: number };

export type Step = SplitHop | WrapHop;

/** A hop with its exact amounts, in base units, and gas units. */
export type ExactHop = SplitHop & ExactAmounts;
export type ExactStep = ExactHop | (WrapHop & ExactAmounts);
type ExactAmounts = { readonly amountIn: bigint; readonly amountOut: bigint; readonly gas: number };

/** `hops`: the steps that pools make. */
export type Resimulation =
  | { readonly ok: true; readonly hops: readonly ExactHop[]; readonly steps: readonly ExactStep[]; readonly output: bigint; readonly gas: number }
  /** A hop that its venue would not fill whole, with what came to it; no route may contain it. */
  | { readonly ok: false; readonly pool: PoolView; readonly reason: QuoteRefusal; readonly amountIn: bigint };

/** What the native token goes by among snapshot token ids, where it is another token than its wrapped form. */
export const NATIVE_ID = -1;

/**
 * The border between the two number worlds: steps in execution order and an input amount in, exact amounts out, with the contracts' own roundings. Pool
 * states are carried from hop to hop. A step whose share rounds to nothing is left out; the last hop of a token takes all that is left. `sell` and `buy` are
 * snapshot token ids or NATIVE_ID, `at` the moment that venues price at. Pure.
 */
export function resimulate(
  planned: readonly Step[],
  sell: number,
  buy: number,
  input: bigint,
  exact: (pool: PoolView) => ExactPool | null,
  at: QuoteMoment,
): Resimulation {
  const balances = new Map<number, bigint>([[sell, input]]);
  const states = new Map<PoolView, unknown>();
  const hops: ExactHop[] = [];
  const steps: ExactStep[] = [];
  let gas = 0;
  for (const step of planned) {
    const [tokenIn, tokenOut] = endsOf(step);
    const balance = balances.get(tokenIn) ?? 0n;
    const amountIn = step.bps === 10_000 ? balance : (balance * BigInt(step.bps)) / 10_000n;
    if (amountIn === 0n) continue;
    let done: ExactStep;
    if (step.pool === null) done = { ...step, amountIn, amountOut: amountIn, gas: step.unwraps ? UNWRAP_GAS : WRAP_GAS };
    else {
      const pool = exact(step.pool);
      if (pool === null) return { ok: false, pool: step.pool, reason: 'reverts', amountIn };
      const state = states.get(step.pool) ?? pool.state;
      const quote = pool.price.exactIn(state, step.slotIn, step.slotOut, amountIn, at);
      if (!quote.ok) return { ok: false, pool: step.pool, reason: quote.reason, amountIn };
      if (quote.amountIn !== amountIn) return { ok: false, pool: step.pool, reason: 'partial', amountIn };
      if (quote.amountOut <= 0n) return { ok: false, pool: step.pool, reason: 'reverts', amountIn };
      states.set(step.pool, quote.next);
      done = { ...step, amountIn, amountOut: quote.amountOut, gas: quote.gas };
      hops.push(done);
    }
    balances.set(tokenIn, balance - amountIn);
    balances.set(tokenOut, (balances.get(tokenOut) ?? 0n) + done.amountOut);
    gas += done.gas;
    steps.push(done);
  }
  return { ok: true, hops, steps, output: balances.get(buy) ?? 0n, gas };
}

function endsOf(step: Step): readonly [tokenIn: number, tokenOut: number] {
  if (step.pool === null) return step.unwraps ? [step.wrapped, NATIVE_ID] : [NATIVE_ID, step.wrapped];
  const { pool, slotIn, slotOut, native } = step;
  return [native === 'in' ? NATIVE_ID : (pool.tokens[slotIn] as number), native === 'out' ? NATIVE_ID : (pool.tokens[slotOut] as number)];
}
