import { buildOpenApi } from './openapi.ts';
import { readExamples, readSchemas } from './schema-files.ts';
import { messageTypes, standaloneTypes } from './types.ts';

/** The text of every file that is derived from the schemas in a folder, by its name there. The same schemas give the same text. */
export async function derive(folder: string): Promise<ReadonlyMap<string, string>> {
  const { messages, standalone } = readSchemas(folder);
  const files = new Map([['types.gen.ts', await messageTypes(messages)]]);
  for (const [name, schema] of standalone) files.set(`${name}.gen.ts`, await standaloneTypes(name, schema));
  return files.set('openapi.json', `${JSON.stringify(buildOpenApi(messages, readExamples(folder)), null, 2)}\n`);
}
