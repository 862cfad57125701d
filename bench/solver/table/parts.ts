import { openBenchSet, SetAbsentError } from '../bench-set.ts';
import { measureFynd } from '../measure-fynd.ts';
import { measureScaling, type Scaling } from '../measure-scaling.ts';
import { measureSet } from '../measure-set.ts';
import type { ReferenceChoice } from '../reference/reference-outcomes.ts';
import { isTinesInstalled } from '../tines.ts';
import { fyndRows } from './fynd-rows.ts';
import { scalingRows } from './scaling-rows.ts';
import { setRows } from './set-rows.ts';
import { NO_FIGURES, type TableRow } from './table-row.ts';

/** How much of each part is run. */
export type Scale = {
  readonly requests: number;
  readonly repeat: number;
  readonly tinesRequests: number;
  /** On 10,000 pools a solve of tines takes a second. */
  readonly tinesRequestsLarge: number;
  /** So many of a set's requests; 0: the reference is left out. */
  readonly referenceRequests: number;
  /** On 10,000 pools a search takes seconds. */
  readonly referenceRequestsLarge: number;
  /** Milliseconds of the processor for a search of the reference. */
  readonly referenceBudget: number;
  /** Every n-th of Fynd's requests. */
  readonly fyndEvery: number;
  readonly scaling: { readonly totals: readonly number[]; readonly requests: number; readonly rounds: number };
};

export const WHOLE: Scale = {
  requests: 100,
  repeat: 2,
  tinesRequests: 100,
  tinesRequestsLarge: 20,
  referenceRequests: 100,
  referenceRequestsLarge: 25,
  referenceBudget: 3000,
  fyndEvery: 1,
  scaling: { totals: [1_000, 10_000, 100_000], requests: 40, rounds: 5 },
};

export const QUICK: Scale = {
  requests: 4,
  repeat: 1,
  tinesRequests: 2,
  tinesRequestsLarge: 1,
  referenceRequests: 4,
  referenceRequestsLarge: 1,
  referenceBudget: 500,
  fyndEvery: 50,
  scaling: { totals: [1_000, 10_000, 100_000], requests: 4, rounds: 2 },
};

export const MAX_HOPS = 4;
export const GAS_PRICE_WEI = 5_000_000_000n;
/** The kinds that tines knows. */
const TINES_KINDS = ['constantProduct', 'concentrated'];

type SetPart = { readonly set: string; readonly label: string; readonly tinesKinds: boolean };

const SET_PARTS: Readonly<Record<string, SetPart>> = {
  M: { set: 'M', label: 'M, all kinds', tinesKinds: false },
  'M-v2v3': { set: 'M', label: 'M, V2 and V3', tinesKinds: true },
  L: { set: 'L', label: 'L, all kinds', tinesKinds: false },
  'L-v2v3': { set: 'L', label: 'L, V2 and V3', tinesKinds: true },
  tycho: { set: 'tycho', label: 'tycho', tinesKinds: true },
  cow: { set: 'cow', label: 'cow, all kinds', tinesKinds: false },
  'cow-v2v3': { set: 'cow', label: 'cow, V2 and V3', tinesKinds: true },
};
const FYND = { part: 'fynd', label: "tycho, Fynd's requests" } as const;
const SCALING = { part: 'scaling', label: 'M and pools outside' } as const;

/** In the order of the table. */
export const PARTS: readonly string[] = [...Object.keys(SET_PARTS), FYND.part, SCALING.part];

/** The rows of one part; a real set that is not there is one row that says so. */
export async function runPart(part: string, scale: Scale): Promise<readonly TableRow[]> {
  try {
    if (part === FYND.part) return await runFynd(scale);
    if (part === SCALING.part) return await runScaling(scale);
    const found = SET_PARTS[part];
    if (found === undefined) throw new RangeError(`no part '${part}'; there are ${PARTS.join(', ')}`);
    return await runSet(found, scale);
  } catch (error) {
    if (!(error instanceof SetAbsentError)) throw error;
    const set = SET_PARTS[part]?.label ?? FYND.label;
    return [{ ...NO_FIGURES, set, solver: '–', requests: '', absent: 'the real sets are not here' }];
  }
}

async function runSet({ set, label, tinesKinds }: SetPart, scale: Scale): Promise<readonly TableRow[]> {
  const { requests, repeat, tinesRequests, tinesRequestsLarge } = scale;
  const tines = tinesKinds && isTinesInstalled();
  const tinesLimit = set === 'L' ? tinesRequestsLarge : tinesRequests;
  const measured = await measureSet({
    choice: { name: set, seed: 1, outside: 0, clear: true, blocks: false, requests: Math.max(1000, requests), ...(tinesKinds ? { kinds: TINES_KINDS } : {}) },
    options: { maxHops: MAX_HOPS, gasPriceWei: GAS_PRICE_WEI, repeat, tinesLimit: tines ? tinesLimit : 0, bound: true, reference: referenceOf(scale, set) },
    limit: requests,
    every: null,
  });
  const rows = setRows(label, measured);
  if (!tinesKinds || tines) return rows;
  return [...rows, { ...NO_FIGURES, set: label, solver: 'tines', requests: '', absent: 'not installed: npm ci --prefix bench/solver/peers' }];
}

function referenceOf({ requests, referenceRequests, referenceRequestsLarge, referenceBudget }: Scale, set: string): ReferenceChoice | null {
  const asked = set === 'L' ? referenceRequestsLarge : referenceRequests;
  return asked === 0 ? null : { every: Math.max(1, Math.ceil(requests / asked)), budget: referenceBudget };
}

/** On the set as it is after its block deltas, arbitrage and all: there is no bound to hold against. */
async function runFynd({ fyndEvery, repeat }: Scale): Promise<readonly TableRow[]> {
  const choice = { name: 'tycho', seed: 1, outside: 0, blocks: true, requests: 1000 };
  const { tokens: prices } = await openBenchSet({ ...choice, clear: true });
  const set = await openBenchSet({ ...choice, clear: false, prices });
  return fyndRows(FYND.label, measureFynd(set, GAS_PRICE_WEI, fyndEvery, repeat));
}

async function runScaling({ scaling }: Scale): Promise<readonly TableRow[]> {
  const { totals, requests, rounds } = scaling;
  const measured: Scaling[] = [];
  for (const total of totals) measured.push(await measureScaling(total, { requests, maxHops: MAX_HOPS, rounds }));
  return scalingRows(SCALING.label, measured);
}
