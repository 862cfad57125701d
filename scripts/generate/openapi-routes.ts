import { isObject, type Json, type JsonObject } from './schema-files.ts';

const SWAP_ONLY = new Set(['userAddress', 'deadline', 'funding']);

/**
 * The published routes that are served, by path. `schemas` is the flat table, `base` the address of a schema in the document, `examples` the captured
 * answers by operation, status and name.
 */
export function operationsOf(schemas: JsonObject, base: string, examples: JsonObject): JsonObject {
  const make = { schemas, base, examples };
  return {
    '/v1/quote': {
      get: tradeOperation(
        make,
        'quote',
        'QuoteResponse',
        'Price a trade',
        'Finds the best route at the current block and returns exact integer amounts. Nothing is reserved or stored: to execute, ask /v1/swap straight away, which solves anew.',
      ),
    },
    '/v1/swap': {
      get: tradeOperation(
        make,
        'swap',
        'SwapResponse',
        'Price a trade and return an executable transaction',
        'Prices as /v1/quote, certifies the route on the newest block and encodes it. The transaction reverts where it would deliver less than minBuyAmount, and after its deadline. Estimate its gas right before sending: that is the last check.',
      ),
    },
    '/v1/{chain}/sources': { get: sourcesOperation(make) },
    '/healthz': { get: healthOperation(make) },
  };
}

type Make = { readonly schemas: JsonObject; readonly base: string; readonly examples: JsonObject };

function tradeOperation(make: Make, endpoint: 'quote' | 'swap', response: string, summary: string, description: string): JsonObject {
  return {
    operationId: endpoint,
    tags: ['Trades'],
    summary,
    description,
    security: OPTIONAL_KEY,
    parameters: tradeParameters(make, endpoint),
    responses: answers(make, endpoint, {
      '200': ['The priced route.', response],
      '400': ['A parameter is missing, malformed or inconsistent with another.', 'ErrorBody'],
      '404': ['The chain is not hosted, no route exists for the pair and size, or a token can not be traded.', 'ErrorBody'],
      '429': ['The caller used up its request budget.', 'ErrorBody', RETRY],
      '500': ['The request could not be served. Retryable.', 'ErrorBody'],
      '503': ["Without code: the chain's state is stale. With code overloaded: refused rather than queued.", 'ErrorBody', RETRY],
    }),
  };
}

function sourcesOperation(make: Make): JsonObject {
  const chain = 'A canonical chain name or an alias, in any letter case, or a numeric chain id.';
  return {
    operationId: 'sources',
    tags: ['Venues and liveness'],
    summary: 'List the venue labels routable on a chain',
    description: 'The labels that excludeVenues and includeVenues take. The list grows: read it, do not keep it in a program.',
    security: OPTIONAL_KEY,
    parameters: [{ name: 'chain', in: 'path', required: true, description: chain, schema: { type: 'string' }, example: EXAMPLE_CHAIN }],
    responses: answers(make, 'sources', {
      '200': ['The labels.', 'SourcesResponse'],
      '404': ['The chain is not hosted.', null],
      '429': ['The caller used up its request budget.', 'ErrorBody', RETRY],
    }),
  };
}

function healthOperation(make: Make): JsonObject {
  return {
    operationId: 'healthz',
    tags: ['Venues and liveness'],
    summary: 'Report liveness',
    description: 'Takes no key and costs nothing of a budget. A degraded service answers 503 with the same body, which says which chain is behind.',
    security: [],
    responses: answers(make, 'healthz', {
      '200': ['Serving.', 'HealthResponse'],
      '503': ["A hosted chain's view has fallen behind, or is still coming up.", 'HealthResponse'],
    }),
  };
}

export const TAGS: Json = [
  { name: 'Trades', description: 'Prices, and transactions that settle them.' },
  { name: 'Venues and liveness', description: 'What is served, and whether it is up to date.' },
];

const OPTIONAL_KEY: Json = [{}, { apiKey: [] }];

const RETRY = ['Retry-After'] as const;

/** What a status means, the schema of its body (null: plain text), and headers beside those of every answer. */
type AnswerKind = readonly [description: string, schema: string | null, extraHeaders?: readonly string[]];

/** The answers of an operation, with the examples that were captured. Throws where there is none. */
function answers({ base, examples }: Make, operation: string, kinds: { readonly [status: string]: AnswerKind }): JsonObject {
  const captured = examples[operation];
  return Object.fromEntries(
    Object.entries(kinds).map(([status, [description, schema, extraHeaders]]) => {
      const bodies = isObject(captured) ? captured[status] : undefined;
      if (!isObject(bodies)) throw new Error(`no example of ${operation} ${status}: see scripts/capture-examples.ts`);
      const named = { examples: Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }])) };
      const content: JsonObject =
        schema === null ? { 'text/plain': { schema: { type: 'string' }, ...named } } : { 'application/json': { schema: { $ref: base + schema }, ...named } };
      return [status, { description, headers: headers(extraHeaders), content }];
    }),
  );
}

function headers(extra: readonly string[] = []): JsonObject {
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'x-request-id', ...extra];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const EXAMPLE_CHAIN = 'ethereum';

/** What an example request sends: these together, and nothing else. A running service puts its own chain in their place (src/http/public-document.ts). */
const EXAMPLE_PARAMETERS = new Set(['chainId', 'mode', 'sellToken', 'buyToken', 'sellAmount']);

/** The parameters of a trade route: the members of TradeQuery, each as the value that its text stands for (x-value), or as the text where it stands for itself. */
function tradeParameters({ schemas }: Make, endpoint: 'quote' | 'swap'): Json[] {
  const query = schemas.TradeQuery;
  if (!isObject(query) || !isObject(query.properties) || !Array.isArray(query.required)) throw new Error('TradeQuery describes no parameters');
  const required = new Set<Json>(endpoint === 'swap' ? [...query.required, 'taker'] : query.required);
  const isExample = (name: string) => EXAMPLE_PARAMETERS.has(name) || (name === 'taker' && endpoint === 'swap');
  return Object.entries(query.properties).flatMap(([name, parameter]) => {
    if (!isObject(parameter) || (endpoint === 'quote' && SWAP_ONLY.has(name))) return [];
    const { description = '', examples, 'x-value': value, ...text } = parameter;
    const example = Array.isArray(examples) && isExample(name) ? { example: exampleOf(examples[0] ?? '', value) } : {};
    return [{ name, in: 'query', required: required.has(name), description, schema: isObject(value) ? value : text, ...example }];
  });
}

function exampleOf(text: Json, value: Json | undefined): Json {
  return isObject(value) ? Number(text) : text;
}
