import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export const SCHEMAS_FOLDER = fileURLToPath(new URL('../../schemas/', import.meta.url));

export type SchemaDocument = {
  readonly $id: string;
  readonly title?: string;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: { readonly [keyword: string]: unknown } };
  readonly additionalProperties?: unknown;
  readonly examples?: readonly unknown[];
};

/** Files that stand alone: their own room tests them. */
const STANDALONE = ['pool-set', 'requests'];

/** The schema files of messages, configuration and keys, by name without '.schema.json'. */
export const SCHEMAS: ReadonlyMap<string, SchemaDocument> = new Map(
  readdirSync(SCHEMAS_FOLDER)
    .filter((file) => file.endsWith('.schema.json'))
    .map((file) => file.slice(0, -'.schema.json'.length))
    .filter((name) => !STANDALONE.includes(name))
    .map((name) => [name, JSON.parse(readFileSync(`${SCHEMAS_FOLDER}${name}.schema.json`, 'utf8'))]),
);

/** An Ajv that knows these schema files; strict, so that a misspelt keyword fails. */
export function schemaAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true }).addVocabulary(['x-expected', 'x-value', 'tsType']);
  for (const schema of SCHEMAS.values()) ajv.addSchema(schema);
  return ajv;
}

/** The validator of one schema file. Throws when there is none. */
export function validatorOf(name: string, ajv: Ajv2020 = schemaAjv()): ValidateFunction {
  const schema = SCHEMAS.get(name);
  const validate = schema === undefined ? undefined : ajv.getSchema(schema.$id);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate;
}
