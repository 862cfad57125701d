import { operationsOf, TAGS } from './openapi-routes.ts';
import { flatten, isObject, type Json, type JsonObject, type MessageName, without } from './schema-files.ts';

const BASE = '#/components/schemas/';

/** The OpenAPI 3.1 document of the public interface, with the captured answers as examples. The schemas in it are the message files; only those that an operation needs are taken in. */
export function buildOpenApi(messages: ReadonlyMap<MessageName, JsonObject>, examples: JsonObject): JsonObject {
  // Our own keywords: a TypeScript type, and the words of a refusal.
  const schemas = without(withWidths(withoutDeepReferences(flatten(messages, BASE))), new Set(['tsType', 'x-expected']));
  if (!isObject(schemas)) throw new Error('the message files give no table of schemas');
  const paths = operationsOf(schemas, BASE, examples);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Braid',
      version: '1.0.0',
      summary: 'A decentralized-exchange aggregation service.',
      description: DESCRIPTION,
      contact: { name: 'Whoever operates this service: keys, budgets and partners are theirs to give.' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // A running service names its own address here (src/http/public-document.ts).
    servers: [{ url: 'http://127.0.0.1:8080', description: 'npm start' }],
    tags: TAGS,
    paths,
    components: {
      // The examples of the message files say less than the captured answers.
      schemas: without(needed(paths, schemas), new Set(['examples'])),
      headers: HEADERS,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Optional. An unrecognised key counts as none.' } },
    },
  };
}

const DESCRIPTION = [
  'Prices trades over every exchange that is indexed on a chain, and returns transactions that settle them.',
  'Amounts are decimal strings of base units. JSON integers may exceed 2^53: those are marked x-big-integer.',
  'Prices must not be cached. Branch on the status of an answer and on code, never on the text of an error.',
  'Every route works without a key; x-api-key brings its own budget and fee.',
].join('\n\n');

/** A copy of what a reference into the inside of another schema leads to, in its place: some generators know references to whole schemas alone. */
function withoutDeepReferences(table: JsonObject): JsonObject {
  const copy = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isObject(value)) return value;
    const { $ref, ...beside } = value;
    const [name = '', ...inside] = typeof $ref === 'string' ? $ref.slice(BASE.length).split('/') : [];
    if (inside.length === 0) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
    const target = inside.reduce<Json | undefined>((schema, key) => (isObject(schema) ? schema[key] : undefined), table[name]);
    if (!isObject(target)) throw new Error(`nothing at ${JSON.stringify($ref)}`);
    return copy({ ...target, ...beside });
  };
  return copy(table) as JsonObject;
}

/** Integers of 64 bits, as the interface specification declares them. */
const INT64 = new Set(['chainId', 'gas', 'blockNumber', 'deadline', 'rfqExpiry']);

/** Says how wide an integer may be: generators of clients take 32 bits or a float where nothing does. */
function withWidths(value: Json): Json {
  if (Array.isArray(value)) return value.map(withWidths);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, item]): [string, Json] => [name, withWidths(item)]);
  const widened = members.map(([name, item]): [string, Json] => {
    if (!isObject(item) || !/integer/.test(JSON.stringify(item.type ?? null))) return [name, item];
    const exact = typeof item.tsType === 'string' && item.tsType.includes('bigint');
    return [name, { ...item, ...(INT64.has(name) ? { format: 'int64' } : {}), ...(exact ? { 'x-big-integer': true } : {}) }];
  });
  return Object.fromEntries(widened);
}

const HEADERS: JsonObject = {
  'X-RateLimit-Limit': {
    description: 'Sustained requests per second of the caller.',
    required: true,
    schema: { type: 'number', exclusiveMinimum: 0 },
    example: 3,
  },
  'X-RateLimit-Remaining': { description: 'Whole tokens left in the burst allowance.', required: true, schema: { type: 'integer', minimum: 0 }, example: 3 },
  'Retry-After': { description: 'Seconds to wait; equals retryAfterSeconds.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  'x-request-id': {
    description: "Names the request in the service's log: the caller's own id when it is well formed, else a new one.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
};

/** The schemas that the paths refer to, directly or through others, in the order of the table. */
function needed(paths: JsonObject, schemas: JsonObject): JsonObject {
  const names = new Set<string>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (key !== '$ref' || typeof item !== 'string' || !item.startsWith(BASE)) {
        visit(item);
        continue;
      }
      const name = item.slice(BASE.length).split('/')[0] ?? '';
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name] ?? null);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}
