import { LIMITS } from '../config/limits.ts';
import type { AttemptInput } from './attempt.ts';
import { better, type Finalist, priceExactly } from './finalists.ts';
import type { PoolModels } from './pool-models.ts';
import { resimulate, type SplitHop } from './resimulate.ts';
import { trialFor, worthBy } from './second-opinion.ts';
import { sumOfRoutes } from './sum-of-routes.ts';

/** A hop that gives less than this part of its pool's first price drains the pool. */
const DRAINED = 0.7;
/** Rounding alone makes a hop of fewer units look like draining. */
const LEAST_UNITS = 1_000n;
/** Parts of the amount whose routes are tried for all of it, with amounts that fit: the nearer ones in percent, then hundredths of hundredths while a part still drains pools. */
const NEARER_PARTS = [100n, 95n, 80n, 50n, 20n, 5n] as const;
const SMALLER = 100n;

/**
 * A second opinion on a `sell` that drains pools: there the search may settle on shares worse than those it finds for less. Pools give no less for more, so the shares of a smaller sell, with
 * all of the amount, give at least what the smaller sell gives. Where a pool of it takes no more, the route that was found may take the rest. Asked only where a hop of the route drains its
 * pool, or where nothing was found.
 */
export function sellByLess(input: AttemptInput, found: Finalist | null, sell: (input: AttemptInput) => Finalist | null): Finalist | null {
  if (found !== null && !drains(found, input.models)) return found;
  const ledger = input.ledger.aside();
  let best = found;
  const tryPart = (amount: bigint): Finalist | null => {
    const less = sell({ ...input, amount, fitting: true, ledger });
    if (less === null) return null;
    const trial = trialFor(input, best?.output ?? less.output);
    for (const hops of [less.hops, withRest(input, less, best)]) {
      const priced = hops === null ? null : priceExactly(trial, hops, Number(input.amount), null);
      if (priced?.ok) best = better(best === null ? null : worthBy(trial, best), priced.finalist);
    }
    return less;
  };
  for (const part of NEARER_PARTS) {
    const amount = (input.amount * part) / 100n;
    if (amount > 0n && input.pace.halted() === null) tryPart(amount);
  }
  let amount = input.amount / SMALLER;
  for (let step = 0; step < LIMITS.routing.drainedSteps && amount > 0n && input.pace.halted() === null; step++, amount /= SMALLER) {
    const less = tryPart(amount);
    if (less !== null && !drains(less, input.models)) break;
  }
  return best;
}

/** The route of a smaller sell, with what is left of the amount over another route. */
function withRest({ area, amount, models }: AttemptInput, less: Finalist, other: Finalist | null): readonly SplitHop[] | null {
  if (other === null || less.input >= amount) return null;
  const rest = resimulate(other.hops, area.sell, area.buy, amount - less.input, (pool) => models.exact(pool));
  return rest.ok ? sumOfRoutes(less.hops, rest.hops, area, models) : null;
}

/** Whether a hop of a route takes most of what its pool has to give. */
export function drains({ hops }: Finalist, models: PoolModels): boolean {
  return hops.some(({ pool, slotIn, slotOut, amountIn, amountOut }) => {
    const edge = models.edge(pool, slotIn, slotOut);
    if (edge === null || amountIn < LEAST_UNITS) return false;
    const expected = edge.startPrice * Number(amountIn);
    return expected >= Number(LEAST_UNITS) && Number(amountOut) < DRAINED * expected;
  });
}
