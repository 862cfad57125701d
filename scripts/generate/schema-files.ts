import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value of a JSON document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/** Schema files that belong to the messages of the interface and to configuration, in the order in which their types are declared. */
const MESSAGE_FILES = [
  'scalars',
  'trade-query',
  'route-hop',
  'fee-breakdown',
  'swap-warning',
  'quote-response',
  'transaction',
  'permit2',
  'swap-response',
  'error-body',
  'health-response',
  'sources-response',
  'config',
  'key-file',
  'token-list',
] as const;

export type MessageName = (typeof MESSAGE_FILES)[number];

const SUFFIX = '.schema.json';

/** Reads schemas/. `standalone` are the files that no message refers to: each gets a file of types of its own. Throws on a file that is not a JSON object. */
export function readSchemas(folder: string): { messages: Map<MessageName, JsonObject>; standalone: Map<string, JsonObject> } {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort();
  const messages = new Map(MESSAGE_FILES.map((name) => [name, readObject(join(folder, name + SUFFIX))]));
  const known: ReadonlySet<string> = new Set(MESSAGE_FILES);
  const standalone = new Map(names.filter((name) => !known.has(name)).map((name) => [name, readObject(join(folder, name + SUFFIX))]));
  return { messages, standalone };
}

/** Answers of a running service, by operation, status and name: what scripts/capture-examples.ts wrote. */
export function readExamples(folder: string): JsonObject {
  return readObject(join(folder, 'openapi-examples.gen.json'));
}

function readObject(path: string): JsonObject {
  const value: Json = JSON.parse(readFileSync(path, 'utf8'));
  if (!isObject(value)) throw new Error(`${path} is not a JSON object`);
  return value;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name of a schema's type. Throws when it has none. */
export function titleOf(schema: JsonObject): string {
  if (typeof schema.title !== 'string') throw new Error(`schema ${String(schema.$id)} has no title`);
  return schema.title;
}

/**
 * One flat table of named schemas out of the message files: a file's own schema under its title, its $defs under their names. References between files
 * become references into the table, whose address in the final document is `base`, for example '#/$defs/'.
 */
export function flatten(messages: ReadonlyMap<MessageName, JsonObject>, base: string): JsonObject {
  const table: JsonObject = {};
  const put = (name: string, schema: Json) => {
    if (name in table) throw new Error(`two schemas are named ${name}`);
    table[name] = schema;
  };
  for (const [file, schema] of messages) {
    const { $schema: _dialect, $id: _id, $defs, ...own } = schema;
    const title = titleOf(schema);
    const rewrite = (reference: string) => flatReference(reference, title, messages, base);
    if (isObject($defs)) for (const [name, definition] of Object.entries($defs)) put(name, rewriteReferences(definition, rewrite));
    if (file !== 'scalars') put(title, rewriteReferences(own, rewrite));
  }
  return table;
}

function flatReference(reference: string, title: string, messages: ReadonlyMap<string, JsonObject>, base: string): string {
  const [file = '', pointer = ''] = reference.split('#');
  if (pointer.startsWith('/$defs/')) return base + pointer.slice('/$defs/'.length);
  if (file === '') return base + title + pointer;
  const target = messages.get(file.slice(0, -SUFFIX.length));
  if (target === undefined) throw new Error(`${title} refers to ${file}, which is no message file`);
  return base + titleOf(target) + pointer;
}

function rewriteReferences(value: Json, rewrite: (reference: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => rewriteReferences(item, rewrite));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === '$ref' && typeof item === 'string' ? rewrite(item) : rewriteReferences(item, rewrite)]),
  );
}

/** A copy without the members of those names, at any depth. */
export function without(value: Json, names: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !names.has(key))
      .map(([key, item]) => [key, without(item, names)]),
  );
}
