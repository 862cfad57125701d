// Writes what is derived from schemas/*.schema.json: TypeScript types and openapi.json. `--check` writes nothing and exits 1 naming the files that differ.
// `--folder FOLDER` takes another folder than schemas/.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { derive } from './generate/derive.ts';

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false }, folder: { type: 'string' } } });
const folder = options.folder ?? fileURLToPath(new URL('../schemas/', import.meta.url));

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const changed = [...(await derive(folder))].filter(([name, text]) => read(join(folder, name)) !== text);
for (const [name, text] of changed) {
  if (options.check) {
    console.error(`${name} is not what the schemas give: run npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(folder, name), text);
    console.log(`wrote ${name}`);
  }
}
