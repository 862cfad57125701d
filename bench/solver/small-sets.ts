// Braid against a slow exact solver (all simple paths, all splits on a grid) on small random markets, with the markets where Braid is behind:
//   node --import ./scripts/typescript.mjs bench/solver/small-sets.ts [--cases 1000] [--seed 1] [--wild] [--show 5] [--parts 8]

import { parseArgs } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { dualBound, readMarket } from '../../src/bound/bound.ts';
import { createSolver, type SolveJob } from '../../src/routing/routing.ts';
import { asAddress, asWei, type InstantMs, instantNow } from '../../src/units/units.ts';
import { loadSolverVenues } from '../../src/venues/venues.ts';
import { bruteForce } from '../../test/routing-oracle/brute-force.ts';
import { openMarket, randomPools, tokenAddress } from '../../test/routing-oracle/small-market.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { medianP95Max, short } from './statistics.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '5' },
    parts: { type: 'string', default: '8' },
    wild: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const venues = await loadSolverVenues();
const random = seededRandom(`small sets ${values.wild}`, integerOption('--seed', values.seed));
type Behind = { readonly run: number; readonly bps: number; readonly text: string };
const behind: Behind[] = [];
const lost: number[] = [];
let solved = 0;
for (let run = 0; run < integerOption('--cases', values.cases); run++) {
  const tokens = random.integer(2, 5);
  const pools = randomPools(random, tokens, random.integer(1, 7), values.wild);
  const amount = 10n ** 6n + random.logUniform(10n ** 18n);
  const maxHops = random.integer(1, 4);
  const slow = bruteForce(pools, venues, tokenAddress(0), tokenAddress(1), amount, maxHops, integerOption('--parts', values.parts));
  if (slow.best === 0n) continue;
  solved++;
  const { loaded, read } = openMarket(pools, tokens, venues);
  const context = { chain: { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 0n }, venues, now: instantNow, cancelled: () => false };
  const job: SolveJob = {
    chainId: 1,
    mode: 'sell',
    sellToken: asAddress(tokenAddress(0)),
    buyToken: asAddress(tokenAddress(1)),
    amount: asWei(amount),
    maxHops,
    gasPriceWei: null,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: Number.POSITIVE_INFINITY as InstantMs,
  };
  const result = read((view) => createSolver(context).solve(job, view));
  const output = result.ok ? result.plan.grossAmount : 0n;
  const bound = read((view) => dualBound(readMarket(view), view.tokenId(job.sellToken), view.tokenId(job.buyToken), Number(amount)))?.bound ?? Number.NaN;
  lost.push(((bound - Number(output)) / bound) * 1e4);
  const bps = (Number(slow.best - output) / Number(slow.best)) * 1e4;
  // A unit or two of rounding is no loss.
  if (slow.best - output <= 2n || bps < 0.01) continue;
  const hops = result.ok ? result.plan.hops.map((hop) => `${hop.tokenIn.slice(-1)}→${hop.tokenOut.slice(-1)} ${hop.poolKey.slice(-3)} ${hop.bps}`) : [];
  const why = result.ok ? result.plan.facts.stopped : result.reason;
  const text = `amount ${amount}, maxHops ${maxHops}: slow ${slow.best} (single ${slow.single}), braid ${output}, bound ${bound.toPrecision(12)}\n    plan (${why}): ${hops.join(', ')}\n    pools ${JSON.stringify(pools)}`;
  behind.push({ run, bps, text });
}
behind.sort((a, b) => b.bps - a.bps);
if (values.json) console.log(JSON.stringify({ cases: integerOption('--cases', values.cases), solved, lost, behind }));
else {
  console.log(`${solved} small markets with a route; below the bound by bps ${medianP95Max(lost)} (the bound knows no hop limit)`);
  console.log(`behind the slow solver in ${behind.length}: bps ${medianP95Max(behind.map(({ bps }) => bps))}`);
  for (const { run, bps, text } of behind.slice(0, integerOption('--show', values.show))) console.log(`  case ${run}, ${short(bps)} bps behind: ${text}`);
}
