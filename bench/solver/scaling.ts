// Time and memory of the same solves while pools are added outside the pairs' neighbourhood:
//   node --import ./scripts/typescript.mjs bench/solver/scaling.ts [--requests 40] [--max-hops 4] [--rounds 5] [--totals 1000,10000,100000]

import { parseArgs } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { measureScaling, type Scaling } from './measure-scaling.ts';
import { short } from './statistics.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '40' },
    'max-hops': { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    totals: { type: 'string', default: '1000,10000,100000' },
  },
});
const options = {
  requests: integerOption('--requests', values.requests),
  maxHops: integerOption('--max-hops', values['max-hops']),
  rounds: integerOption('--rounds', values.rounds),
};
let first: Scaling | null = null;
console.log('pools     ms median / p95 / max     against the smallest, median / p95     MB of the solver');
for (const total of values.totals.split(',').map((total) => integerOption('--totals', total, 1))) {
  const scaling = await measureScaling(total, options);
  first ??= scaling;
  const { median, p95, max } = scaling.times;
  const ratio = `${short(median / first.times.median)} / ${short(p95 / first.times.p95)}`;
  const times = `${short(median)} / ${short(p95)} / ${short(max)}`;
  console.log(`${String(total).padEnd(9)} ${times.padEnd(25)} ${ratio.padEnd(38)} ${short(scaling.solverBytes / 2 ** 20)}`);
}
