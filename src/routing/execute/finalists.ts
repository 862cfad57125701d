import { LIMITS } from '../../config/limits.ts';
import { MAX_WEI } from '../../units/units.ts';
import { momentOf } from '../../venues/venues.ts';
import { exactToll } from '../gas/gas-rule.ts';
import type { Tolls } from '../gas/tolls.ts';
import type { Problem } from '../problem.ts';
import { leastInput } from './least-input.ts';
import { type ExactHop, type Resimulation, resimulate, type SplitHop } from './resimulate.ts';

/** What every finalist is held against. */
export type Trial = { readonly problem: Problem; readonly tolls: Tolls };

/** A route with exact amounts. */
export type Finalist = {
  readonly hops: readonly ExactHop[];
  readonly input: bigint;
  readonly output: bigint;
  readonly gas: number;
  /** What the route leaves, net of tolls: larger is better in both modes. */
  readonly net: bigint;
};

export type Priced =
  | { readonly ok: true; readonly finalist: Finalist }
  /** `gas`: that of a route which no transaction can hold; null where that is not why. */
  | { readonly ok: false; readonly gas: number | null };

/**
 * Prices a route exactly. sell: the output of the amount. buy: the smallest input that reaches it, from a guess in base units; where `rival` shows by
 * two simulations that it can not be beaten, the input is not searched for and the answer is that of a route which nobody refused.
 */
export function priceExactly(trial: Trial, hops: readonly SplitHop[], guess: number, rival: Finalist | null): Priced {
  const { mode, fixed, sell, buy, market, view } = trial.problem;
  const at = momentOf(view.block);
  const run = (input: bigint): Resimulation => resimulate(hops, sell, buy, input, (pool) => market.models.exact(pool), at);
  if (mode === 'buy' && rival !== null && !mayBeat(trial, rival, run)) return { ok: false, gas: null };
  const input = mode === 'sell' ? fixed : leastInput(run, fixed, toInteger(guess), MAX_WEI);
  if (input === null) return { ok: false, gas: null };
  const result = run(input);
  if (!result.ok || result.output === 0n || result.output > MAX_WEI) return { ok: false, gas: null };
  if (result.gas > LIMITS.routing.routeGas) return { ok: false, gas: result.gas };
  const toll = exactToll(trial.tolls, result.gas, result.hops.length);
  const net = (mode === 'sell' ? result.output : -input) - toll;
  return { ok: true, finalist: { hops: result.hops, input, output: result.output, gas: result.gas, net } };
}

/** Whether a route reaches the target with the input that would leave as much net of its own tolls as the rival does. */
function mayBeat(trial: Trial, rival: Finalist, run: (input: bigint) => Resimulation): boolean {
  const atRival = run(rival.input);
  if (!atRival.ok) return true;
  const affordable = -rival.net - exactToll(trial.tolls, atRival.gas, atRival.hops.length);
  if (affordable <= 0n) return false;
  const atMost = run(affordable);
  return !atMost.ok || atMost.output >= trial.problem.fixed;
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

function toInteger(approx: number): bigint {
  return approx >= 1 && approx < 2 ** 256 ? BigInt(Math.floor(approx)) : approx < 1 ? 1n : MAX_WEI;
}
