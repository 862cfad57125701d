// What the venues that a market has no pool of cost its solves: node --import ./scripts/typescript.mjs bench/presence.ts [--json]
import { createSolver, type SolveJob } from '../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../src/units/units.ts';
import { type BenchRequest, openBenchSet, pinned } from './solver/bench-set.ts';

const ROUNDS = 7;
const REQUESTS = 40;
/** All there was before the other venues came. */
const FIRST_KINDS = ['constantProduct', 'concentrated'];
const FIRST_VENUES = ['uniswap_v2', 'uniswap_v3'];

const set = await openBenchSet({ name: 'M', seed: 3, outside: 0, clear: false, blocks: false, requests: REQUESTS, kinds: FIRST_KINDS });
const chain = { chainId: 31337, wrappedNative: set.loaded.wrappedNative, minimumGasPriceWei: 1n };
const solverOf = (venues: typeof set.venues) => createSolver({ chain, venues, now: instantNow, cancelled: () => false });
const solvers = { all: solverOf(set.venues), first: solverOf(new Map([...set.venues].filter(([name]) => FIRST_VENUES.includes(name)))) };

function job({ mode, sellToken, buyToken, amount }: BenchRequest): SolveJob {
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

/** Processor time of each request, the least of some rounds in which both solvers take turns, in microseconds. */
const least = { all: new Map<string, number>(), first: new Map<string, number>() };
pinned(set.reader, (view) => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const request of set.requests) {
      for (const name of round % 2 === 0 ? (['all', 'first'] as const) : (['first', 'all'] as const)) {
        const before = process.cpuUsage();
        solvers[name].solve(job(request), view);
        const { user, system } = process.cpuUsage(before);
        least[name].set(request.id, Math.min(least[name].get(request.id) ?? Number.POSITIVE_INFINITY, user + system));
      }
    }
  }
});

const sum = (times: ReadonlyMap<string, number>): number => [...times.values()].reduce((total, time) => total + time, 0) / 1000;
const figures = { requests: set.requests.length, allMs: sum(least.all), firstMs: sum(least.first), ratio: sum(least.all) / sum(least.first) };
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(figures)}\n`);
else {
  console.log(
    `${figures.requests} solves of V2 and V3 pools, processor time: ${figures.allMs.toFixed(1)} ms with every venue loaded, ${figures.firstMs.toFixed(1)} ms with those two`,
  );
  console.log(`ratio ${figures.ratio.toFixed(3)} (at most 1.1)`);
}
