import type { SolveJob } from '../../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';

const BUDGET_MS = 60_000;

export const tokenOf = (number: number) => asAddress(`0x${number.toString(16).padStart(40, '0')}`);

/** A job with nothing special but what is given. Threads that misbehave take `maxHops` for how, and the amount for how long, ms. */
export function solveJob(given: Partial<SolveJob> = {}): SolveJob {
  return {
    chainId: 1,
    mode: 'sell',
    sellToken: tokenOf(1),
    buyToken: tokenOf(9),
    amount: asWei(1n),
    maxHops: null,
    gasPriceWei: null,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: (instantNow() + BUDGET_MS) as InstantMs,
    ...given,
  };
}
