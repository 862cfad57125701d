import { BPS_WHOLE } from '../../units/units.ts';
import { type HopInRoute, hopRuns, joinedWithin, type QuoteRefusal } from '../../venues/venues.ts';
import { UNWRAP_GAS, WRAP_GAS } from '../gas/gas-rule.ts';
import type { ExactQuotes } from '../market/exact-quotes.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import { transferGas } from '../transfers/transfer-gas.ts';
import type { EndLosses } from '../transfers/transfer-loss.ts';
import { ExactRun } from './exact-run.ts';

/** One hop of a split plan: which pool, which way, and its share in bps of what is left of its token when its turn comes (decisions S6). */
export type SplitHop = Pick<EdgeModel, 'pool' | 'slotIn' | 'slotOut'> & {
  readonly bps: number;
  /** The side that is the native token itself; absent where there is none, and where native and wrapped are one token, as in the search. */
  readonly native?: 'in' | 'out';
};

/** All that is left of its token. */
export function wholeHop({ pool, slotIn, slotOut }: EdgeModel): SplitHop {
  return { pool, slotIn, slotOut, bps: BPS_WHOLE };
}

/** A hop that no pool makes: a share of the native token's balance becomes the wrapped token, or the other way round. */
export type WrapHop = { readonly pool: null; readonly unwraps: boolean; readonly wrapped: number; readonly bps: number };

/** A hop that somebody signed: of its share it takes and gives what was signed, whatever their pool would. The rest of its share stays. */
export type SignedHop = { readonly pool: null; readonly signed: SignedAmounts; readonly tokenIn: number; readonly tokenOut: number; readonly bps: number };
export type SignedAmounts = { readonly amountIn: bigint; readonly amountOut: bigint };

export type Step = SplitHop | WrapHop | SignedHop;

/** A hop with its exact amounts, in base units, and gas units. */
export type ExactHop = SplitHop & ExactAmounts;
export type ExactStep = ExactHop | ((WrapHop | SignedHop) & ExactAmounts);
type ExactAmounts = { readonly amountIn: bigint; readonly amountOut: bigint; readonly gas: number };

/** `hops`: the steps that pools make. */
export type Resimulation =
  | { readonly ok: true; readonly hops: readonly ExactHop[]; readonly steps: readonly ExactStep[]; readonly output: bigint; readonly gas: number }
  | Refusal;

/** A hop that its venue would not fill whole, with what came to it; no route may contain it. */
type Refusal = {
  readonly ok: false /** null: one that was signed for more than came to it. */;
  readonly swap: SplitHop | null;
  readonly reason: QuoteRefusal;
  readonly amountIn: bigint;
};

/** Steps in execution order between two tokens: snapshot ids, or NATIVE_ID. */
export type Route = {
  readonly steps: readonly Step[];
  readonly sell: number;
  readonly buy: number;
  /** Absent: all that is sent arrives. */
  readonly losses?: EndLosses;
};

/** What the native token goes by among snapshot token ids, where it is another token than its wrapped form. */
export const NATIVE_ID = -1;

/** The border between the two number worlds: a route and an input amount in, exact amounts out. Pure. */
export function resimulate(route: Route, input: bigint, quotes: ExactQuotes): Resimulation {
  const done: ExactStep[] = [];
  const result = execute(route, input, quotes, (step, amountIn, amountOut, gasOfStep) => {
    done.push({ ...step, amountIn, amountOut, gas: gasOfStep });
  });
  if (!result.ok) return result;
  const steps = withTransferGas(withJoinedGas(done, quotes), route);
  const hops = steps.filter((step) => step.pool !== null);
  return { ok: true, hops, steps, output: result.output, gas: steps.reduce((sum, step) => sum + step.gas, 0) };
}

/** Takes off each hop's gas what it saves where it is joined to the hop before it. */
function withJoinedGas(steps: readonly ExactStep[], quotes: ExactQuotes): readonly ExactStep[] {
  const joins = steps.map(({ pool }) => (pool === null ? undefined : quotes.joinedHops(pool)));
  if (joins.filter((join) => join !== undefined).length < 2) return steps;
  const facts = steps.map((step, index): HopInRoute => {
    const [tokenIn, tokenOut] = endsOf(step);
    const ends = { tokenIn, tokenOut, bps: step.bps };
    if (step.pool === null) return { within: null, pool: '', hook: null, ...ends };
    const { venue, source, address, key, hook } = step.pool;
    return { within: joinedWithin(joins[index], venue, address, source), pool: key, hook, ...ends };
  });
  const joined = new Set(hopRuns(facts).flatMap((run) => run.slice(1)));
  return steps.map((step, index) => (joined.has(index) ? { ...step, gas: step.gas - (joins[index]?.saves ?? 0) } : step));
}

/** Adds what transfers that lose something take more than plain ones. */
function withTransferGas(steps: readonly ExactStep[], { sell, buy, losses }: Route): readonly ExactStep[] {
  if (losses === undefined) return steps;
  const ends = steps.map((step) => {
    const [tokenIn, tokenOut] = endsOf(step);
    return { tokenIn, tokenOut };
  });
  const added = transferGas(ends, { sell, buy, losses });
  return steps.map((step, at) => ({ ...step, gas: step.gas + (added[at] ?? 0) }));
}

/** Only what comes out: a search for an input asks that of many. */
export function outputOf(route: Route, input: bigint, quotes: ExactQuotes): { readonly ok: true; readonly output: bigint } | Refusal {
  return execute(route, input, quotes, () => {});
}

/**
 * Executes a route with the contracts' own roundings. Pool states are carried from hop to hop. A step whose share rounds to nothing is left out; the last hop of a token takes all that is left.
 */
function execute(
  { steps, sell, buy, losses }: Route,
  input: bigint,
  quotes: ExactQuotes,
  done: (step: Step, amountIn: bigint, amountOut: bigint, gas: number) => void,
): { readonly ok: true; readonly output: bigint } | Refusal {
  const run = new ExactRun(quotes, sell, input, losses === undefined ? null : { ...losses, sold: sell, bought: buy });
  for (const step of steps) {
    const [tokenIn, tokenOut] = endsOf(step);
    const amountIn = run.share(tokenIn, step.bps);
    if (amountIn === 0n) continue;
    if ('signed' in step) {
      const { signed } = step;
      const amountOut = run.signed(tokenIn, tokenOut, amountIn, signed);
      if (amountOut === null) return { ok: false, swap: null, reason: 'partial', amountIn };
      done(step, signed.amountIn, amountOut, 0);
      continue;
    }
    if (step.pool === null) {
      run.exchange(tokenIn, tokenOut, amountIn, amountIn);
      done(step, amountIn, amountIn, step.unwraps ? UNWRAP_GAS : WRAP_GAS);
      continue;
    }
    const swap = run.swap(step.pool, step.slotIn, step.slotOut, tokenIn, tokenOut, amountIn);
    if (!swap.ok) return { ok: false, swap: step, reason: swap.reason, amountIn };
    done(step, amountIn, swap.amountOut, swap.gas);
  }
  return { ok: true, output: run.balance(buy) };
}

function endsOf(step: Step): readonly [tokenIn: number, tokenOut: number] {
  if ('signed' in step) return [step.tokenIn, step.tokenOut];
  if (step.pool === null) return step.unwraps ? [step.wrapped, NATIVE_ID] : [NATIVE_ID, step.wrapped];
  const { pool, slotIn, slotOut, native } = step;
  return [native === 'in' ? NATIVE_ID : (pool.tokens[slotIn] as number), native === 'out' ? NATIVE_ID : (pool.tokens[slotOut] as number)];
}
