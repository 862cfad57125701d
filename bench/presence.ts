// What the venues that a market has no pool of cost its solves: node --import ./scripts/typescript.mjs bench/presence.ts [--json]

import { createSolver } from '../src/routing/routing.ts';
import { instantNow } from '../src/units/units.ts';
import { openReport } from './history/history.ts';
import { openBenchSet } from './solver/bench-set.ts';
import { solveInTurns } from './solver/solve-in-turns.ts';

const REQUESTS = 40;
/** All there was before the other venues came. */
const FIRST_KINDS = ['constantProduct', 'concentrated'];
const FIRST_VENUES = ['uniswap_v2', 'uniswap_v3'];

const report = openReport('presence');
const set = await openBenchSet({ name: 'M', seed: 3, outside: 0, clear: false, blocks: false, requests: REQUESTS, kinds: FIRST_KINDS });
const chain = { chainId: 31337, wrappedNative: set.loaded.wrappedNative, minimumGasPriceWei: 1n };
const solverOf = (venues: typeof set.venues) => createSolver({ chain, venues, now: instantNow, cancelled: () => false });
const { all, first } = solveInTurns(set, {
  all: solverOf(set.venues),
  first: solverOf(new Map([...set.venues].filter(([name]) => FIRST_VENUES.includes(name)))),
});
const figures = { requests: set.requests.length, allMs: all, firstMs: first, ratio: all / first };
report(figures, () => {
  console.log(
    `${figures.requests} solves of V2 and V3 pools, processor time: ${all.toFixed(1)} ms with every venue loaded, ${first.toFixed(1)} ms with those two`,
  );
  console.log(`ratio ${figures.ratio.toFixed(3)} (at most 1.1)`);
});
