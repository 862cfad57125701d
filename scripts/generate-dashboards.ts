// `npm run dashboards`: writes grafana/dashboards from scripts/dashboards; with --check it only says whether they are in step.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { admission } from './dashboards/admission.ts';
import { indexer } from './dashboards/indexer.ts';
import { overview } from './dashboards/overview.ts';
import { solver } from './dashboards/solver.ts';
import { toGrafana } from './dashboards/to-grafana.ts';
import { venuesAndMakers } from './dashboards/venues-and-makers.ts';

const {
  values: { check },
} = parseArgs({ options: { check: { type: 'boolean', default: false } } });
let different = 0;
for (const [name, dashboard] of Object.entries({ overview, solver, indexer, 'venues-and-makers': venuesAndMakers, admission })) {
  const file = fileURLToPath(new URL(`../grafana/dashboards/${name}.gen.json`, import.meta.url));
  const text = `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  different++;
  if (check) console.error(`${file} is not what scripts/dashboards says: run npm run dashboards`);
  else writeFileSync(file, text);
}
if (check && different > 0) process.exitCode = 1;
