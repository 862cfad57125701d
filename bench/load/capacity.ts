import type { TradeQuery } from './arrivals.ts';
import { arrivalsOf } from './arrivals.ts';
import { generate, type LoadTarget } from './generator.ts';
import type { LoadClient, Scenario } from './scenario.ts';
import { summarise } from './summary.ts';

export type CapacitySearch = {
  readonly target: LoadTarget;
  readonly trades: readonly TradeQuery[];
  readonly clients: readonly LoadClient[];
  readonly secondsPerStep: number;
  readonly seed: number;
  readonly onStep: (perSecond: number, holds: boolean) => void;
};

const FIRST = 16;
const MOST = 50_000;
const GROWTH = 1.6;
const HALVINGS = 4;
/** A rate is within the capacity while so little of it is not answered in time, and no queue grows: budgets of seconds would hide one for a while. */
const TOLERATED = 0.01;
const P99_MS = 1000;
/** What is measured is work, so budgets give it room. */
const BUDGETS_MS = [5000];

/** The highest arrival rate, per second, that is answered but for a hundredth and within a second: grown until it does not hold, then halved in between. */
export async function findCapacity({ target, trades, clients: given, secondsPerStep, seed, onStep }: CapacitySearch): Promise<number> {
  const clients = given.map((client) => ({ ...client, budgetsMs: BUDGETS_MS }));
  const holds = async (perSecond: number): Promise<boolean> => {
    const scenario: Scenario = {
      name: `capacity ${perSecond}`,
      title: '',
      clients,
      steps: [{ seconds: secondsPerStep, from: 1, to: 1 }],
      faults: [],
      checks: [],
    };
    const results = await generate(target, arrivalsOf(scenario, trades, perSecond, seed), () => undefined);
    const { requests, goodputPerSecond, answered } = summarise(scenario, results);
    const fine = goodputPerSecond * secondsPerStep >= (1 - TOLERATED) * requests && (answered.p99 ?? 0) <= P99_MS;
    onStep(perSecond, fine);
    return fine;
  };
  // Code that has never run is slow: what a first step finds says nothing.
  await holds(FIRST);
  let low = 0;
  let high = FIRST;
  while (high < MOST && (await holds(high))) {
    low = high;
    high *= GROWTH;
  }
  if (low === 0) return FIRST / 2;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = Math.sqrt(low * high);
    if (await holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
