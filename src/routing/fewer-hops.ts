import type { AttemptInput } from './attempt.ts';
import { better, type Finalist } from './finalists.ts';
import { trialFor, worthBy } from './second-opinion.ts';
import { drains } from './sell-by-less.ts';
import type { Ledger } from './solve-facts.ts';

const SHALLOW = 2;
/** Share of the trade from which gas matters. */
const GOOD_PART = 2e-4;

/**
 * A second opinion by the same search with fewer hops. Where gas is a good part of a trade, the search may settle on hops that pay for themselves one by one while fewer of them would do; where a
 * trade drains pools, on a worse split than that of a smaller market. `ask` searches within so many hops. Returns the best of them.
 */
export function fewerHops(input: AttemptInput, found: Finalist, ask: (maxHops: number, ledger: Ledger) => Finalist | null): Finalist {
  const { area, mode, models, pace, ledger } = input;
  if (!gasMatters(input, found) && !drains(found, models)) return found;
  // Each search measures tolls by its own reference: all are held to one.
  const trial = trialFor(input, mode === 'sell' ? found.output : found.input);
  let best = worthBy(trial, found);
  for (const maxHops of new Set([SHALLOW, area.maxHops - 1])) {
    if (maxHops < SHALLOW || maxHops >= area.maxHops || pace.halted() !== null) continue;
    const aside = ledger.aside();
    const shorter = ask(maxHops, aside);
    const counted = shorter === null ? best : worthBy(trial, shorter);
    if (counted === best || better(best, counted) !== counted) continue;
    best = counted;
    ledger.adopt(aside);
  }
  return best;
}

function gasMatters({ mode, gas: rule }: AttemptInput, { hops, gas, input, output }: Finalist): boolean {
  return hops.length > SHALLOW && rule.perGas * gas > GOOD_PART * Number(mode === 'sell' ? output : input);
}
