// What the second opinions share: routes found by different searches are worth what one rule says.
import type { AttemptInput } from './attempt.ts';
import type { Finalist, Trial } from './finalists.ts';
import { exactToll, tollsOf } from './gas-rule.ts';

/** The trial of a trade whose tolls are measured by `reference`, an amount of the side that the trade does not fix. */
export function trialFor({ area, mode, amount, gas, models }: AttemptInput, reference: bigint): Trial {
  return { mode, amount, sell: area.sell, buy: area.buy, tolls: tollsOf(gas, Number(reference)), models };
}

/** A finalist of another search with its net counted by this trial's tolls. */
export function worthBy({ mode, tolls }: Trial, finalist: Finalist): Finalist {
  const toll = exactToll(tolls, finalist.gas, finalist.hops.length);
  return { ...finalist, net: (mode === 'sell' ? finalist.output : -finalist.input) - toll };
}
