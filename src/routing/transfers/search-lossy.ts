import { MAX_WEI } from '../../units/units.ts';
import type { Finalist } from '../execute/finalists.ts';
import { type ExactHop, NATIVE_ID, resimulate } from '../execute/resimulate.ts';
import type { Problem } from '../problem.ts';
import { search } from '../search.ts';
import type { Ledger } from '../solve-facts.ts';
import type { LossyEnds } from './judge-trade.ts';
import { arrivingDown, type EndLosses, losesNothing, NO_LOSS } from './transfer-loss.ts';

/** A sale where less arrives than is sent, at one end or both. */
export type LossySale = {
  /** Base units that leave the seller. */
  readonly amount: bigint;
  readonly ends: LossyEnds;
  /** Whether the sell token is moved from the seller only once (see SolveJob). */
  readonly pullsOnce: boolean;
  /** Whether a venue's leg may be given less than was sent. */
  readonly takesTaxedInput: (venue: string) => boolean;
};

/**
 * The best route of a sale with transfers that lose something: that of what arrives, which is the same share of every split, priced again exactly with each transfer's own loss. What is sold enters
 * only pools whose legs measure their input. null where there is none.
 */
export function searchLossy(problem: Problem, sale: LossySale, ledger: Ledger): Finalist | null {
  const losses = lossesOf(sale.ends);
  const fixed = arrivingDown(sale.amount, losses.sell);
  if (fixed === 0n) return null;
  const { admits, sell, gas } = problem;
  const takes = losesNothing(losses.sell)
    ? admits
    : (pool: Parameters<NonNullable<Problem['admits']>>[0]) =>
        (admits === null || admits(pool)) && (!pool.tokens.includes(sell) || sale.takesTaxedInput(pool.venue));
  // Gas is held against what arrives, and the search counts what is sent.
  const sent = { ...problem, fixed, admits: takes, gas: { ...gas, perGas: gas.perGas / (1 - losses.buy.ppm / 1e6) } };
  const found = search(sent, ledger);
  const firsts = found === null ? [] : firstHops(found, sell);
  if (!(sale.pullsOnce && firsts.length > 1 && losesEverywhere(sale.ends))) return found === null ? null : repriced(problem, found, sale.amount, losses);
  // Moved once, it comes to the Router before it is split, and loses as much again.
  const { pool: only } = firsts.reduce((most, hop) => (hop.amountIn > most.amountIn ? hop : most));
  const alone = search({ ...sent, admits: (pool) => (takes === null || takes(pool)) && (!pool.tokens.includes(sell) || pool === only) }, ledger);
  return alone === null ? null : repriced(problem, alone, sale.amount, losses);
}

function repriced({ ends, sell, buy, quotes }: Problem, found: Finalist, amount: bigint, losses: EndLosses): Finalist | null {
  const idOf = (token: number, native: boolean) => (token === ends.wrapped && native ? NATIVE_ID : token);
  const route = { steps: found.steps, sell: idOf(sell, ends.sellsNative), buy: idOf(buy, ends.buysNative), losses };
  const result = resimulate(route, amount, quotes);
  if (!result.ok || result.output === 0n || result.output > MAX_WEI) return null;
  return { ...found, hops: result.hops, steps: result.steps, input: amount, output: result.output, gas: result.gas };
}

export function lossesOf({ sell, buy }: LossyEnds): EndLosses {
  return { sell: sell?.loss ?? NO_LOSS, buy: buy?.loss ?? NO_LOSS };
}

function firstHops({ hops }: Finalist, sell: number): readonly ExactHop[] {
  return hops.filter(({ pool, slotIn }) => pool.tokens[slotIn] === sell);
}

/** Whether the sell token loses on transfers to anybody, and not on those to pools alone. */
function losesEverywhere({ sell }: LossyEnds): boolean {
  return sell !== null && !losesNothing(sell.loss) && (sell.tax === null || sell.tax.scope === 'universal');
}
