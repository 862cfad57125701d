// Writes a generated pool set and requests for it:
//   node --import ./scripts/typescript.mjs bench/solver/generate-pool-set.ts --size M|L|XL --out FOLDER [--seed 1] [--requests 1000] [--outside POOLS]

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { integerOption } from '../../scripts/integer-option.ts';
import { generateSet, isSize, SIZES } from './generate/generate.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '1000' },
    outside: { type: 'string', default: '0' },
  },
});
const { size, out } = values;
if (size === undefined || !isSize(size) || out === undefined) throw new Error(`name a size (--size ${Object.keys(SIZES).join('|')}) and a folder (--out)`);
const { poolSet, requests } = generateSet({
  size,
  seed: integerOption('--seed', values.seed),
  requests: integerOption('--requests', values.requests),
  outside: integerOption('--outside', values.outside),
});
mkdirSync(out, { recursive: true });
for (const [name, content] of [
  [`generated-${size}-${values.seed}.snapshot.json.gz`, poolSet],
  [`generated-${size}-${values.seed}.requests.json.gz`, requests],
] as const) {
  const file = path.join(out, name);
  writeFileSync(file, gzipSync(JSON.stringify(content)));
  console.log(file);
}
