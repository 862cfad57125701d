// The solver's table of design/goals, filled by one command: npm run bench:solver -- [--quick] [--only PART,…] [--requests N] [--totals 1000,…] [--pairs N] [--no-reference] [--json] [--record]
// Each part runs in a process of its own, one after the other. tines needs: npm ci --prefix bench/solver/peers

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { recordFigures } from '../history/history.ts';
import { PARTS } from './table/parts.ts';
import { GAS_PRICE_WEI, MAX_HOPS, scaleOf } from './table/scale.ts';
import { missesOf, NO_FIGURES, type TableRow, toMarkdown } from './table/table-row.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    requests: { type: 'string' },
    totals: { type: 'string' },
    pairs: { type: 'string' },
    'no-reference': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const parts = values.only === undefined ? PARTS : values.only.split(',');
const unknown = parts.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) throw new RangeError(`no part '${unknown.join("', '")}'; there are ${PARTS.join(', ')}`);
const scale = scaleOf({
  quick: values.quick,
  requests: values.requests === undefined ? null : integerOption('--requests', values.requests, 1),
  totals: values.totals === undefined ? null : values.totals.split(',').map((total) => integerOption('--totals', total, 1)),
  pairs: values.pairs === undefined ? null : integerOption('--pairs', values.pairs, 1),
  reference: !values['no-reference'],
});

const PROCESS = fileURLToPath(new URL('table/part-process.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const started = performance.now();
const rows: TableRow[] = [];
for (const part of parts) {
  const begun = performance.now();
  rows.push(...(await rowsOf(part)));
  console.error(`${part}: ${seconds(begun)} s`);
}

if (values.record) recordFigures('solver', rows);
if (values.json) console.log(JSON.stringify(rows));
else {
  console.log(
    `${values.quick ? 'A quick run, for trying: too few requests for a figure. ' : ''}Node ${process.version}, maxHops ${MAX_HOPS} unless said, ${Number(GAS_PRICE_WEI) / 1e9} gwei, times the best of ${scale.repeat}; lost: bps below the bound; net lost: bps below the best known output less gas; ${seconds(started)} s in all.\n`,
  );
  console.log(toMarkdown(rows));
  const judged = rows.map(missesOf).filter((misses) => misses !== null);
  console.log(`\n${judged.filter((misses) => misses.length === 0).length} of ${judged.length} rows with targets meet all of them.`);
}

/** A part that fails is a row that says why, so that the others are not lost. */
async function rowsOf(part: string): Promise<readonly TableRow[]> {
  const args = ['--import', './scripts/typescript.mjs', PROCESS, part, JSON.stringify(scale)];
  try {
    const { stdout } = await run(process.execPath, args, { cwd: ROOT, maxBuffer: 64 * 2 ** 20 });
    return JSON.parse(stdout, withNotANumber);
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
    return [{ ...NO_FIGURES, set: part, solver: '–', requests: '', absent: '**failed**: see standard error' }];
  }
}

/** JSON has null for it. */
function withNotANumber(key: string, value: unknown): unknown {
  return key === 'values' && Array.isArray(value) ? value.map((each) => each ?? Number.NaN) : value;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}
