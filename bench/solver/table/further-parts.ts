import { type BenchSet, DEVNET, HOSTILE, openBenchSet } from '../bench-set.ts';
import { createBraid } from '../candidates.ts';
import { DEEP_HOPS, selectRequests } from '../measure.ts';
import { measureAnytime } from '../measure-anytime.ts';
import { measureBuys } from '../measure-buys.ts';
import { measureLarge } from '../measure-large.ts';
import { measureMeshes } from '../measure-meshes.ts';
import { measureMonotony } from '../measure-monotony.ts';
import { measureOneMorePool } from '../measure-one-more-pool.ts';
import { measureRoundTrips } from '../measure-round-trips.ts';
import { anytimeRows } from './anytime-rows.ts';
import { buyRows } from './buy-rows.ts';
import { longestFigure } from './effort-figures.ts';
import { ONE_POOL_MORE_ONE_IN, ROUNDING_BPS } from './goals.ts';
import { hostileRow } from './hostile-row.ts';
import { largeRows } from './large-rows.ts';
import { DRAW_BPS, lessFigures } from './less-figures.ts';
import { meshRow, roundTripRow } from './round-trip-rows.ts';
import { GAS_PRICE_WEI, MAX_HOPS, type Scale } from './scale.ts';
import { medianP95Of, present } from './spread-figures.ts';
import { NO_FIGURES, type TableRow } from './table-row.ts';

/** What is measured beside the solvers' own table: large and hostile sets, requests to buy, and what has to hold between two answers. */
const RUNS: Readonly<Record<string, (scale: Scale) => Promise<readonly TableRow[]>>> = {
  XL: runLarge,
  'M-buy': (scale) => runBuys('M', scale.buys.requests, scale),
  'L-buy': (scale) => runBuys('L', scale.buys.requestsLarge, scale),
  'tycho-buy': (scale) => runBuys('tycho', scale.buys.requests, scale),
  'cow-buy': (scale) => runBuys('cow', scale.buys.requests, scale),
  'round-trips': runRoundTrips,
  meshes: async ({ meshes }) => [meshRow('meshes of small pools', await measureMeshes(meshes))],
  'M-monotony': (scale) => runMonotony('M', scale),
  'L-monotony': (scale) => runMonotony('L', scale),
  'tycho-monotony': (scale) => runMonotony('tycho', scale),
  'one-more-pool': runOneMorePool,
  anytime: runAnytime,
  hostile: runHostile,
};

export const FURTHER_PARTS: readonly string[] = Object.keys(RUNS);

/** null for a part that is none of these. */
export async function runFurtherPart(part: string, scale: Scale): Promise<readonly TableRow[] | null> {
  return (await RUNS[part]?.(scale)) ?? null;
}

/** Code runs slow at first; a solver thread is warmed at its start too. */
const WARM_UP = 20;

function open(name: string, clear: boolean): Promise<BenchSet> {
  return openBenchSet({ name, seed: 1, outside: 0, clear, blocks: false, requests: 1000 });
}

async function runLarge({ large }: Scale): Promise<readonly TableRow[]> {
  const options = { ...large, maxHops: MAX_HOPS, gasPriceWei: GAS_PRICE_WEI };
  const small = await measureLarge('L', options);
  return largeRows(await measureLarge('XL', options), small);
}

async function runBuys(name: string, limit: number, { repeat }: Scale): Promise<readonly TableRow[]> {
  const set = await open(name, true);
  const { requests, every, routable } = selectRequests(set, MAX_HOPS, limit, null);
  const rows = measureBuys(set, requests, { maxHops: MAX_HOPS, gasPriceWei: GAS_PRICE_WEI, repeat });
  return buyRows(name, name, `${rows.length}, what the single path gives for every ${every}. of ${routable}`, rows);
}

async function runRoundTrips({ roundTrips }: Scale): Promise<readonly TableRow[]> {
  const set = await open(DEVNET, false);
  const choices = [
    { solver: `braid, gas 0, ${MAX_HOPS} hops`, maxHops: MAX_HOPS, gas: null },
    { solver: `braid, gas-aware, ${MAX_HOPS} hops`, maxHops: MAX_HOPS, gas: GAS_PRICE_WEI },
    { solver: 'braid, gas-aware, default hops', maxHops: null, gas: GAS_PRICE_WEI },
  ];
  return choices.map(({ solver, maxHops, gas }) => {
    const { trips, of, every } = measureRoundTrips(set, roundTrips, maxHops, gas);
    return roundTripRow('round trips on the devnet', solver, `${trips.length} of ${of}, every ${every}. pair`, trips, maxHops !== null);
  });
}

async function runMonotony(name: string, { monotony }: Scale): Promise<readonly TableRow[]> {
  const set = await open(name, true);
  const { requests, every, routable } = selectRequests(set, MAX_HOPS, monotony, null);
  return [null, GAS_PRICE_WEI].map((gas) => {
    const { hops, sizes, solves } = measureMonotony(set, requests, MAX_HOPS, gas);
    return {
      ...NO_FIGURES,
      set: `${name}, more is never worse`,
      solver: `braid, ${gas === null ? 'gas 0' : 'gas-aware'}`,
      requests: `${requests.length}, every ${every}. of ${routable}`,
      millis: medianP95Of(solves.map(({ millis }) => millis)),
      further: present([
        // An answer of fewer hops is an answer: no rounding comes in between.
        ...lessFigures(`1 to ${DEEP_HOPS} hops`, hops, { drawBps: DRAW_BPS, most: 0, worstBps: null }),
        ...lessFigures('1.1, 2 and 10 times the size', sizes, { drawBps: ROUNDING_BPS, most: 0, worstBps: null }),
        longestFigure(solves),
      ]),
    };
  });
}

async function runOneMorePool({ pairs }: Scale): Promise<readonly TableRow[]> {
  const comparisons = await measureOneMorePool(pairs, MAX_HOPS, GAS_PRICE_WEI);
  const row = { ...NO_FIGURES, set: 'one pool more', solver: 'braid, half of them gas-aware', requests: `${pairs} pairs of small markets` };
  return [
    {
      ...row,
      further: lessFigures('one pool more', comparisons, { drawBps: DRAW_BPS, most: Math.ceil(pairs / ONE_POOL_MORE_ONE_IN), worstBps: ROUNDING_BPS }),
    },
  ];
}

/** Cleared of arbitrage, so that what a longer search gains is a better route and not another cycle. */
async function runAnytime({ anytime }: Scale): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for (const name of ['M', 'L', `${HOSTILE}120`]) {
    const set = await open(name, true);
    const { requests } = selectRequests(set, MAX_HOPS, anytime.requests, null);
    const measured = measureAnytime(set, requests, { slowest: anytime.slowest, maxHops: DEEP_HOPS, gasPriceWei: GAS_PRICE_WEI });
    rows.push(...anytimeRows(`${name}, deadlines`, DEEP_HOPS, measured));
  }
  return rows;
}

async function runHostile({ hostile }: Scale): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for (const tokens of [60, 120, 200]) {
    const set = await open(`${HOSTILE}${tokens}`, false);
    const { requests } = selectRequests(set, MAX_HOPS, hostile, null);
    const braid = createBraid(set, 1);
    for (const request of requests.slice(0, WARM_UP)) for (const gas of [null, GAS_PRICE_WEI]) braid(request, DEEP_HOPS, gas);
    for (const gas of [null, GAS_PRICE_WEI]) {
      const solved = requests.map((request) => ({ id: request.id, outcome: braid(request, DEEP_HOPS, gas) }));
      rows.push(hostileRow(`hostile: ${set.pools.size} pools, ${tokens} tokens`, `braid, ${gas === null ? 'gas 0' : 'gas-aware'}, ${DEEP_HOPS} hops`, solved));
    }
  }
  return rows;
}
