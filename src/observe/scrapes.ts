import type { Registry } from 'prom-client';
import { LIMITS } from '../config/config.ts';
import { RefillingBudget } from '../refilling-budget.ts';

/**
 * Gives the text of a scrape, made anew for each up to a rate that no Prometheus comes near; who comes beyond it gets the last one, a fraction of a second old. With thousands of series and connections a text takes
 * milliseconds of the thread that answers requests, whoever it is that asks.
 * `sample`: reads states into gauges right before a text is made. What is returned takes whether the last text will not do.
 */
export function createScrapes(registry: Registry, sample: () => void): (anew?: boolean) => Promise<string> {
  const budget = new RefillingBudget(LIMITS.http.scrapes);
  let last: Promise<string> | null = null;
  return (anew = false) => {
    if (!anew && last !== null && budget.msUntil(1) > 0) return last;
    budget.spend();
    const made = makeText(registry, sample);
    last = made;
    // Not what everybody gets from then on.
    made.catch(() => {
      if (last === made) last = null;
    });
    return made;
  };
}

async function makeText(registry: Registry, sample: () => void): Promise<string> {
  sample();
  return registry.metrics();
}
