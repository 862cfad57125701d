import { openBenchSet, SetAbsentError } from '../bench-set.ts';
import { measureFynd } from '../measure-fynd.ts';
import { measureScaling, type Scaling } from '../measure-scaling.ts';
import { measureSet } from '../measure-set.ts';
import type { ReferenceChoice } from '../reference/reference-outcomes.ts';
import { isTinesInstalled } from '../tines.ts';
import { FURTHER_PARTS, runFurtherPart } from './further-parts.ts';
import { fyndRows } from './fynd-rows.ts';
import { GAS_PRICE_WEI, MAX_HOPS, type Scale } from './scale.ts';
import { scalingRows } from './scaling-rows.ts';
import { setRows } from './set-rows.ts';
import { NO_FIGURES, type TableRow } from './table-row.ts';

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
export const PARTS: readonly string[] = [...Object.keys(SET_PARTS), FYND.part, SCALING.part, ...FURTHER_PARTS];

/** The rows of one part; a real set that is not there is one row that says so. */
export async function runPart(part: string, scale: Scale): Promise<readonly TableRow[]> {
  try {
    if (part === FYND.part) return await runFynd(scale);
    if (part === SCALING.part) return await runScaling(scale);
    const further = await runFurtherPart(part, scale);
    if (further !== null) return further;
    const found = SET_PARTS[part];
    if (found === undefined) throw new RangeError(`no part '${part}'; there are ${PARTS.join(', ')}`);
    return await runSet(found, scale);
  } catch (error) {
    if (!(error instanceof SetAbsentError)) throw error;
    const set = SET_PARTS[part]?.label ?? (part === FYND.part ? FYND.label : part);
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
