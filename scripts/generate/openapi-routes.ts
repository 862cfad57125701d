import { isObject, type Json, type JsonObject } from './schema-files.ts';

const SWAP_ONLY = new Set(['userAddress', 'deadline', 'funding']);

/** The published routes that are served, by path. `schemas` is the flat table, `base` the address of a schema in the document. */
export function operationsOf(schemas: JsonObject, base: string): JsonObject {
  const make = { schemas, base };
  return {
    '/v1/quote': {
      get: tradeOperation(
        make,
        'quote',
        'QuoteResponse',
        'Price a trade',
        'Solves at the current block and returns exact integer amounts. Nothing is reserved.',
      ),
    },
    '/v1/swap': {
      get: tradeOperation(
        make,
        'swap',
        'SwapResponse',
        'Price a trade and return an executable transaction',
        'Prices as /v1/quote, certifies the route on the newest block and encodes it.',
      ),
    },
    '/v1/{chain}/sources': { get: sourcesOperation(make) },
    '/healthz': { get: healthOperation(make) },
  };
}

type Make = { readonly schemas: JsonObject; readonly base: string };

function tradeOperation(make: Make, endpoint: 'quote' | 'swap', response: string, summary: string, description: string): JsonObject {
  return {
    operationId: endpoint,
    summary,
    description,
    security: OPTIONAL_KEY,
    parameters: tradeParameters(make, endpoint),
    responses: {
      '200': answer(make, 'The priced route.', response, examplesOf(make, response)),
      '400': answer(make, 'A parameter is missing, malformed or inconsistent with another.', 'ErrorBody', REFUSALS.badRequest),
      '404': answer(make, 'The chain is not hosted, no route exists for the pair and size, or a token can not be traded.', 'ErrorBody', REFUSALS.notFound),
      '429': answer(make, 'The caller used up its request budget.', 'ErrorBody', REFUSALS.rateLimited, RETRY),
      '500': answer(make, 'The request could not be served. Retryable.', 'ErrorBody', REFUSALS.failed),
      '503': answer(
        make,
        "Without code: the chain's state is stale. With code overloaded: refused rather than queued.",
        'ErrorBody',
        REFUSALS.unavailable,
        RETRY,
      ),
    },
  };
}

function sourcesOperation(make: Make): JsonObject {
  const chain = 'A canonical chain name or an alias, in any letter case, or a numeric chain id.';
  return {
    operationId: 'sources',
    summary: 'List the venue labels routable on a chain',
    security: OPTIONAL_KEY,
    parameters: [{ name: 'chain', in: 'path', required: true, description: chain, schema: { type: 'string' }, example: 'ethereum' }],
    responses: {
      '200': answer(make, 'The labels.', 'SourcesResponse', examplesOf(make, 'SourcesResponse')),
      '404': {
        description: 'The chain is not hosted.',
        headers: headers(),
        content: { 'text/plain': { schema: { type: 'string' }, example: 'chain is not hosted here' } },
      },
      '429': answer(make, 'The caller used up its request budget.', 'ErrorBody', REFUSALS.rateLimited, RETRY),
    },
  };
}

function healthOperation(make: Make): JsonObject {
  const { example1, example2 } = examplesOf(make, 'HealthResponse');
  return {
    operationId: 'healthz',
    summary: 'Report liveness',
    security: [],
    responses: {
      '200': answer(make, 'Serving.', 'HealthResponse', { ok: example1 ?? null }),
      '503': answer(make, "A hosted chain's view has fallen behind, or is still coming up.", 'HealthResponse', { degraded: example2 ?? null }),
    },
  };
}

const OPTIONAL_KEY: Json = [{}, { apiKey: [] }];

const RETRY = ['Retry-After'] as const;

const REFUSALS = {
  badRequest: {
    malformed: { value: { error: "sellAmount is '1e18'; expected a decimal integer of base units from 1 to 2^256-1" } },
    inconsistent: { value: { error: 'feeBps is sent without feeRecipient; expected both or neither' } },
  },
  notFound: {
    chain: { value: { error: 'chain 424242 is not hosted here' } },
    route: { value: { error: 'no route for this pair and size' } },
  },
  rateLimited: { budget: { value: { error: 'the request budget is used up', code: 'rate_limited', retryAfterSeconds: 1 } } },
  failed: { starting: { value: { error: 'the chain is still coming up' } } },
  unavailable: {
    stale: { value: { error: 'the state of the chain is stale' } },
    overloaded: { value: { error: 'demand outran the solver', code: 'overloaded', retryAfterSeconds: 1 } },
  },
} as const satisfies { [kind: string]: JsonObject };

function answer(make: Make, description: string, schema: string, examples: JsonObject, extraHeaders: readonly string[] = []): JsonObject {
  return {
    description,
    headers: headers(extraHeaders),
    content: { 'application/json': { schema: { $ref: make.base + schema }, examples } },
  };
}

function headers(extra: readonly string[] = []): JsonObject {
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'x-request-id', ...extra];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The examples of a message file as OpenAPI wants them: named example1, example2, … */
function examplesOf({ schemas }: Make, name: string): JsonObject {
  const schema = schemas[name];
  const examples = isObject(schema) && Array.isArray(schema.examples) ? schema.examples : [];
  if (examples.length === 0) throw new Error(`${name} has no example`);
  return Object.fromEntries(examples.map((value, i) => [`example${i + 1}`, { value }]));
}

/** The parameters of a trade route: the members of TradeQuery, text as it is validated. */
function tradeParameters({ schemas }: Make, endpoint: 'quote' | 'swap'): Json[] {
  const query = schemas.TradeQuery;
  if (!isObject(query) || !isObject(query.properties) || !Array.isArray(query.required)) throw new Error('TradeQuery describes no parameters');
  const required = new Set<Json>(endpoint === 'swap' ? [...query.required, 'taker'] : query.required);
  return Object.entries(query.properties).flatMap(([name, parameter]) => {
    if (!isObject(parameter) || (endpoint === 'quote' && SWAP_ONLY.has(name))) return [];
    const { description = '', examples, ...schema } = parameter;
    const example = Array.isArray(examples) ? examples[0] : undefined;
    return [{ name, in: 'query', required: required.has(name), description, schema, ...(example === undefined ? {} : { example }) }];
  });
}
