import { LIMITS } from '../config/limits.ts';
import { MAX_WEI } from '../units/units.ts';
import type { AttemptInput } from './attempt.ts';
import { better, type Finalist, priceExactly } from './finalists.ts';
import type { GasRule } from './gas-rule.ts';
import { trialFor, worthBy } from './second-opinion.ts';
import { BY_AMOUNT, findSinglePaths } from './single-path.ts';
import { SELL_WALK } from './walk.ts';

/** A buy is searched again where selling a thousandth less than its input would do, and until the input is known this closely. */
const CLOSE = 1_000n;
/** How much more is tried each time; where that adds less than a hundredth, the market has given what it has. */
const GROWTH = 4n;

/**
 * A second opinion on `buy`: what the search finds for selling an input. Near what a market can give at all, the model of a buy is ill-conditioned (the input per unit of output grows
 * without bound) where that of a sell is not. So a buy that found nothing looks for an input that sells into the target; and where selling a little less than the input would still reach it, the least
 * such input is bisected. The shares of that sell then get their own least input. Returns the better of that and `found`.
 */
export function buyBySelling(input: AttemptInput, found: Finalist | null, sell: (input: AttemptInput) => Finalist | null): Finalist | null {
  const ledger = input.ledger.aside();
  const run = (amount: bigint): Finalist | null => sell({ ...input, mode: 'sell', amount, gas: ruleForSelling(input.gas, amount, input.amount), ledger });
  const least = leastStart(input);
  if (least === null) return found;
  const best = found ?? firstReach(input, least, run);
  if (best === null || input.pace.halted() !== null) return best;
  let high = best.input - best.input / CLOSE;
  let sold = run(high);
  if (sold === null || sold.output < input.amount) return best;
  let low = least < high ? least : 0n;
  for (let round = 0; round < LIMITS.routing.buyBySellingRounds && (high - low) * CLOSE > high && input.pace.halted() === null; round++) {
    const middle = (low + high) >> 1n;
    const there = run(middle);
    if (there !== null && there.output >= input.amount) {
      high = middle;
      sold = there;
    } else low = middle;
  }
  return leastOf(input, sold, best) ?? best;
}

/** What the target would cost at the market's first price: no route asks less. null where there is no price. */
function leastStart({ area, amount, pace }: AttemptInput): bigint | null {
  const price = findSinglePaths(area, SELL_WALK, 1, BY_AMOUNT, pace).paths[0]?.amount ?? 0;
  const start = Number(amount) / price;
  return start < 2 ** 255 ? BigInt(Math.max(1, Math.ceil(start))) : null;
}

/** Grows an input until selling it reaches the target; null where more input gives hardly more output. */
function firstReach(input: AttemptInput, start: bigint, run: (amount: bigint) => Finalist | null): Finalist | null {
  let most: Finalist | null = null;
  let amount = start;
  for (let round = 0; round < LIMITS.routing.buyBySellingSteps && amount <= MAX_WEI && input.pace.halted() === null; round++, amount *= GROWTH) {
    const sold = run(amount);
    if (sold === null) continue;
    if (sold.output >= input.amount) return leastOf(input, sold, null);
    const stalled = most !== null && sold.output * 100n <= most.output * 101n;
    if (most === null || sold.output > most.output) most = sold;
    if (stalled) break;
  }
  // Its shares may yet reach with more.
  return most === null || most.output * 100n < input.amount * 95n ? null : leastOf(input, most, null);
}

/** The sell's shares with the least input that reaches the target, if that is better than `best`. */
function leastOf(input: AttemptInput, sold: Finalist, best: Finalist | null): Finalist | null {
  const trial = trialFor(input, best?.input ?? sold.input);
  const priced = priceExactly(trial, sold.hops, Number(sold.input), null);
  if (!priced.ok) return null;
  const rival = best === null ? null : worthBy(trial, best);
  return better(rival, priced.finalist) === rival ? null : priced.finalist;
}

/** Gas is valued in the sell token for a buy and in the buy token for a sell: carried over at the trade's own rate. */
function ruleForSelling(rule: GasRule, sellAmount: bigint, buyAmount: bigint): GasRule {
  return { ...rule, perGas: (rule.perGas * Number(buyAmount)) / Number(sellAmount) };
}
