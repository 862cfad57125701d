import { LIMITS } from '../../config/limits.ts';
import { MAX_WEI } from '../../units/units.ts';
import { exactToll } from '../gas/gas-rule.ts';
import type { Tolls } from '../gas/tolls.ts';
import type { Problem } from '../problem.ts';
import { leastInput } from './least-input.ts';
import { type ExactHop, type ExactStep, NATIVE_ID, outputOf, type Route, resimulate, type SplitHop, type Step } from './resimulate.ts';
import { mixedWrapSteps, withForms, wrapSteps } from './wrap-steps.ts';

/** What every finalist is held against. */
export type Trial = { readonly problem: Problem; readonly tolls: Tolls };

/** A route with exact amounts. */
export type Finalist = {
  /** The pools' hops, with their shares of the search's tokens: native and wrapped are one. */
  readonly hops: readonly ExactHop[];
  /** What is executed: the hops with their shares of each form's balance, and a WRAP hop where the form changes. */
  readonly steps: readonly ExactStep[];
  readonly input: bigint;
  readonly output: bigint;
  readonly gas: number;
  /** What the route leaves, net of tolls: larger is better in both modes. */
  readonly net: bigint;
};

export type Priced =
  | { readonly ok: true; readonly finalist: Finalist }
  /** `gas`: that of a route which no transaction can hold; null where that is not why. `refused`: a swap of a sale that its pool does not take. */
  | { readonly ok: false; readonly gas: number | null; readonly refused: Swap | null };

/** A pool in one direction. */
export type Swap = Pick<SplitHop, 'pool' | 'slotIn' | 'slotOut'>;

/**
 * Prices a route exactly. sell: the output of the amount. buy: the smallest input that reaches it, from a guess in base units; where `rival` shows by
 * two simulations that it can not be beaten, the input is not searched for and the answer is that of a route which nobody refused.
 * `most`: input within which it is looked for.
 */
export function priceExactly(trial: Trial, hops: readonly SplitHop[], guess: number, rival: Finalist | null, most = MAX_WEI): Priced {
  const { sell, buy, ends, market } = trial.problem;
  const marked = withForms(hops, ends, market.models);
  const formed = wrapSteps(marked, sell, buy, ends);
  return formed.kind === 'fixed' ? priceSteps(trial, formed.steps, guess, rival, most) : priceMixed(trial, marked, guess, rival, most);
}

/** A route where both forms of the native token leave their node: first as if they were one, then with what each lacks or has over. */
function priceMixed(trial: Trial, hops: readonly SplitHop[], guess: number, rival: Finalist | null, most: bigint): Priced {
  const { sell, buy, ends } = trial.problem;
  const asOne = hops.map(({ native: _, ...hop }) => hop);
  const reference = priceAs(trial, { steps: asOne, sell, buy }, guess, rival, most);
  if (!reference.ok) return reference;
  const { finalist } = reference;
  const exact = withForms(finalist.hops, ends, trial.problem.market.models);
  // A hop whose share came to nothing may have been the only one of its form.
  const formed = wrapSteps(exact, sell, buy, ends);
  let best: Priced = { ok: false, gas: null, refused: null };
  for (const rounding of ['nearest', 'within'] as const) {
    for (const steps of formed.kind === 'fixed' ? [formed.steps] : mixedWrapSteps(exact, finalist.input, { sell, buy }, ends, rounding)) {
      const priced = priceSteps(trial, steps, Number(finalist.input), null, most);
      if (!best.ok || (priced.ok && priced.finalist.net > best.finalist.net)) best = priced;
    }
    if (best.ok || formed.kind === 'fixed') break;
  }
  return best.ok ? { ok: true, finalist: { ...best.finalist, hops: finalist.hops } } : best;
}

function priceSteps(trial: Trial, steps: readonly Step[], guess: number, rival: Finalist | null, most: bigint): Priced {
  const { sell, buy, ends } = trial.problem;
  const idOf = (token: number, native: boolean) => (token === ends.wrapped && native ? NATIVE_ID : token);
  return priceAs(trial, { steps, sell: idOf(sell, ends.sellsNative), buy: idOf(buy, ends.buysNative) }, guess, rival, most);
}

function priceAs(trial: Trial, route: Route, guess: number, rival: Finalist | null, most: bigint): Priced {
  const { mode, fixed, quotes } = trial.problem;
  if (mode === 'buy' && rival !== null && !mayBeat(trial, rival, route)) return { ok: false, gas: null, refused: null };
  const input = mode === 'sell' ? fixed : leastInput((amount) => outputOf(route, amount, quotes), fixed, toInteger(guess), most);
  if (input === null) return { ok: false, gas: null, refused: null };
  const result = resimulate(route, input, quotes);
  if (!result.ok) return { ok: false, gas: null, refused: mode === 'sell' ? result.swap : null };
  if (result.output === 0n || result.output > MAX_WEI) return { ok: false, gas: null, refused: null };
  if (result.gas > LIMITS.routing.routeGas) return { ok: false, gas: result.gas, refused: null };
  const toll = exactToll(trial.tolls, result.gas, result.hops.length);
  const net = (mode === 'sell' ? result.output : -input) - toll;
  return { ok: true, finalist: { hops: result.hops, steps: result.steps, input, output: result.output, gas: result.gas, net } };
}

/** Whether a route reaches the target with the input that would leave as much net of its own tolls as the rival does. */
function mayBeat({ problem, tolls }: Trial, rival: Finalist, route: Route): boolean {
  const atRival = resimulate(route, rival.input, problem.quotes);
  if (!atRival.ok) return true;
  const affordable = -rival.net - exactToll(tolls, atRival.gas, atRival.hops.length);
  if (affordable <= 0n) return false;
  const atMost = affordable === rival.input ? atRival : outputOf(route, affordable, problem.quotes);
  return !atMost.ok || atMost.output >= problem.fixed;
}

/** The better of a known route and one that is priced. */
export function tryHops(trial: Trial, best: Finalist | null, hops: readonly SplitHop[], guess: number): Finalist | null {
  const priced = priceExactly(trial, hops, guess, best);
  return priced.ok ? better(best, priced.finalist) : best;
}

/** The better of two: more net; then fewer hops, then pool keys, so that the choice does not depend on the order of trying. */
export function better(a: Finalist | null, b: Finalist): Finalist {
  if (a === null || b.net > a.net) return b;
  if (b.net < a.net) return a;
  if (a.hops.length !== b.hops.length) return a.hops.length < b.hops.length ? a : b;
  return describe(a) <= describe(b) ? a : b;
}

function describe(finalist: Finalist): string {
  return finalist.hops.map((hop) => `${hop.pool.key}:${hop.slotIn}:${hop.slotOut}:${hop.bps}`).join(' ');
}

/** A float amount as base units, at least one. */
export function toInteger(approx: number): bigint {
  return approx >= 1 && approx < 2 ** 256 ? BigInt(Math.floor(approx)) : approx < 1 ? 1n : MAX_WEI;
}
