import type { SolveJob, Solver } from '../../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs } from '../../src/units/units.ts';
import { type BenchRequest, type BenchSet, pinned } from './bench-set.ts';

const ROUNDS = 7;

/** Milliseconds of processor time for all requests of a set at 4 hops and 5 gwei, by two solvers in turns: the least of some rounds for each request, since others keep the machine busy too. */
export function solveInTurns<Name extends string>(set: BenchSet, solvers: Readonly<Record<Name, Solver>>): Readonly<Record<Name, number>> {
  const names = Object.keys(solvers) as Name[];
  const least = new Map(names.map((name) => [name, new Map<string, number>()]));
  pinned(set.reader, (view) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const request of set.requests) {
        for (const name of round % 2 === 0 ? names : [...names].reverse()) {
          const before = process.cpuUsage();
          const result = solvers[name].solve(jobOf(request), view);
          const { user, system } = process.cpuUsage(before);
          if (!result.ok && result.reason !== 'no-route') throw new Error(`request ${request.id} was not solved: ${result.reason}`);
          const times = least.get(name);
          times?.set(request.id, Math.min(times.get(request.id) ?? Number.POSITIVE_INFINITY, user + system));
        }
      }
    }
  });
  return Object.fromEntries(names.map((name) => [name, [...(least.get(name)?.values() ?? [])].reduce((sum, time) => sum + time, 0) / 1000])) as Record<
    Name,
    number
  >;
}

function jobOf({ mode, sellToken, buyToken, amount }: BenchRequest): SolveJob {
  return {
    chainId: 31337,
    mode,
    sellToken: asAddress(sellToken),
    buyToken: asAddress(buyToken),
    amount: asWei(amount),
    maxHops: 4,
    gasPriceWei: 5_000_000_000n,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: Number.POSITIVE_INFINITY as InstantMs,
  };
}
