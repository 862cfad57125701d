import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { flatten, isObject, type Json, type JsonObject, type MessageName, titleOf, without } from './schema-files.ts';

const BASE = '#/$defs/';

/** Examples and hints for messages would only repeat in comments. */
const NOISE = new Set(['examples', 'x-expected', 'x-value']);

/** The types of every message, in one file. */
export async function messageTypes(messages: ReadonlyMap<MessageName, JsonObject>): Promise<string> {
  const table = flatten(messages, BASE);
  const root = { title: 'Messages', type: 'object', additionalProperties: false, $defs: byName(table, table) };
  const text = await typesOf(root, 'schemas/*.schema.json');
  return text
    .replace(/\nexport interface Messages \{\}\n/, '\n')
    .replace(/ \*\n \* This interface was referenced by [^\n]*\n \* via the `definition` [^\n]*\n/g, '');
}

/** The types of a schema that stands alone. */
export function standaloneTypes(name: string, schema: JsonObject): Promise<string> {
  titleOf(schema);
  const { $id: _id, $schema: _dialect, ...own } = schema;
  return typesOf(own, `schemas/${name}.schema.json`);
}

/** Names a referenced type instead of copying it: the generator makes a numbered copy for each reference that has a description of its own. */
function byName(value: Json, table: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => byName(item, table));
  if (!isObject(value)) return value;
  const { $ref, ...rest } = value;
  if (typeof $ref !== 'string') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, byName(item, table)]));
  const [name = '', ...path] = $ref.slice(BASE.length).split('/');
  if (path.length === 0) return { ...rest, tsType: name };
  const target = path.reduce<Json | undefined>((schema, key) => (isObject(schema) ? schema[key] : undefined), table[name]);
  if (target === undefined) throw new Error(`nothing at ${$ref}`);
  return byName(target, table);
}

/** What the generator says of every definition: who refers to it. */
const REFERRERS = / \*\n \* This interface was referenced by [^\n]*\n \* via the `definition` [^\n]*\n/g;

async function typesOf(schema: Json, source: string): Promise<string> {
  const root = without(schema, NOISE) as JSONSchema;
  const text = await compile(root, 'Root', {
    bannerComment: `// Generated from ${source} by \`npm run generate\`. Do not edit.`,
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    format: true,
    style: { printWidth: 160, singleQuote: true },
  });
  return text.replace(REFERRERS, '');
}
