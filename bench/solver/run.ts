// Quality and speed of the solver on one set, beside the bound, the best single path and tines:
//   node --import ./scripts/typescript.mjs bench/solver/run.ts --set tycho|cow|M|L|XL [--max-hops 4] [--limit 100] [--every N] [--json] [--worst 10] [--no-reference]
// tines needs: npm ci --prefix bench/solver/peers

import { parseArgs } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { measureSet } from './measure-set.ts';
import { profileAllocations, profileTime } from './profile.ts';
import { printReport, worstRequests } from './report.ts';
import { isTinesInstalled } from './tines.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    'max-hops': { type: 'string', default: '4' },
    every: { type: 'string' },
    limit: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    outside: { type: 'string', default: '0' },
    kinds: { type: 'string' },
    'gas-gwei': { type: 'string', default: '5' },
    repeat: { type: 'string', default: '2' },
    'tines-limit': { type: 'string', default: '1000' },
    'no-tines': { type: 'boolean', default: false },
    'no-bound': { type: 'boolean', default: false },
    'no-reference': { type: 'boolean', default: false },
    'reference-every': { type: 'string', default: '1' },
    'reference-budget': { type: 'string', default: '3000' },
    'no-clear': { type: 'boolean', default: false },
    blocks: { type: 'boolean', default: false },
    worst: { type: 'string', default: '10' },
    profile: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (values.set === undefined) throw new Error('name a set: --set tycho|cow|M|L|XL');

const useTines = !values['no-tines'] && isTinesInstalled();
if (!values['no-tines'] && !useTines) console.error('tines is not installed and left out: npm ci --prefix bench/solver/peers');
const options = {
  maxHops: integerOption('--max-hops', values['max-hops']),
  gasPriceWei: BigInt(Math.round(Number(values['gas-gwei']) * 1e9)),
  repeat: integerOption('--repeat', values.repeat),
  tinesLimit: useTines ? integerOption('--tines-limit', values['tines-limit']) : 0,
  bound: !values['no-bound'],
  reference: values['no-reference']
    ? null
    : { every: integerOption('--reference-every', values['reference-every']), budget: integerOption('--reference-budget', values['reference-budget']) },
};
const measuredSet = await measureSet({
  choice: {
    name: values.set,
    seed: integerOption('--seed', values.seed),
    outside: integerOption('--outside', values.outside),
    clear: !values['no-clear'],
    blocks: values.blocks,
    requests: Math.max(1000, integerOption('--limit', values.limit)),
    ...(values.kinds === undefined ? {} : { kinds: values.kinds.split(',') }),
  },
  options,
  limit: integerOption('--limit', values.limit),
  every: values.every === undefined ? null : integerOption('--every', values.every),
});
const { set, selection, measured } = measuredSet;
const profiles = values.profile
  ? { time: await profileTime(set, selection.requests, options), allocations: await profileAllocations(set, selection.requests, options) }
  : null;

if (values.json)
  console.log(
    JSON.stringify(
      {
        command: process.argv.slice(2),
        node: process.version,
        selection: { ...selection, requests: undefined },
        ...measured,
        worst: worstRequests(set, measured, integerOption('--worst', values.worst)),
        profiles,
      },
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
else printReport({ ...measuredSet, worst: integerOption('--worst', values.worst), profiles });
