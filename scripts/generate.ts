// Writes what is derived from schemas/*.schema.json: TypeScript types and openapi.json. `--check` writes nothing and exits 1 naming the files that differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from './generate/openapi.ts';
import { readSchemas } from './generate/schema-files.ts';
import { messageTypes, standaloneTypes } from './generate/types.ts';

const folder = fileURLToPath(new URL('../schemas/', import.meta.url));

/** The text of every derived file, by its name in schemas/. */
async function derive(): Promise<Map<string, string>> {
  const { messages, standalone } = readSchemas(folder);
  const files = new Map([['types.gen.ts', await messageTypes(messages)]]);
  for (const [name, schema] of standalone) files.set(`${name}.gen.ts`, await standaloneTypes(name, schema));
  return files.set('openapi.json', `${JSON.stringify(buildOpenApi(messages), null, 2)}\n`);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const changed = [...(await derive())].filter(([name, text]) => read(join(folder, name)) !== text);
if (process.argv.includes('--check')) {
  for (const [name] of changed) console.error(`schemas/${name} differs from what the schemas give: run npm run generate`);
  if (changed.length > 0) process.exitCode = 1;
} else {
  for (const [name, text] of changed) {
    writeFileSync(join(folder, name), text);
    console.log(`wrote schemas/${name}`);
  }
}
