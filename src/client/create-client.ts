import createClient from 'openapi-fetch';
import { accept, type BraidAnswer, type HealthResponse, type QuoteResponse, refuse, type SourcesResponse, type SwapResponse } from './answer.ts';
import type { paths } from './openapi.gen.ts';
import { type QuoteParameters, type SwapParameters, toQuery } from './parameters.ts';

export type BraidClientOptions = {
  /** Where the service is, for example https://braid.example. */
  readonly baseUrl: string;
  /** A secret: kept on a server, never in a page. Without one the anonymous rate and fee apply. */
  readonly apiKey?: string | undefined;
  /** Stands in for the global fetch. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
};

export type CallOptions = {
  /** Ends the call early; the service then drops the work. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * One function a route. A refusal is a value; what fetch itself throws (no connection, an aborted signal) is thrown. Nothing is tried again and nothing is
 * cached: a price is good for its own block.
 */
export type BraidClient = {
  /** Prices a trade. To execute, ask for a swap straight away: it is solved anew. */
  quote(parameters: QuoteParameters, options?: CallOptions): Promise<BraidAnswer<QuoteResponse>>;
  /** Prices a trade and returns the transaction that settles it. */
  swap(parameters: SwapParameters, options?: CallOptions): Promise<BraidAnswer<SwapResponse>>;
  /** The venue labels of a chain, by its name, an alias or its id. */
  sources(chain: string | number, options?: CallOptions): Promise<BraidAnswer<SourcesResponse>>;
  /** Liveness. A degraded service answers too: `body.status` tells. */
  health(options?: CallOptions): Promise<BraidAnswer<HealthResponse>>;
};

/** Makes a client. Throws TypeError when baseUrl is no absolute URL. */
export function createBraidClient({ baseUrl, apiKey, fetch }: BraidClientOptions): BraidClient {
  const { GET } = createClient<paths>({
    baseUrl: new URL(baseUrl).href,
    // A redirect would carry the key to another host.
    redirect: 'error',
    ...(apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  // The body is taken as text: read as JSON by the library, integers beyond 2^53 would be rounded.
  const call = ({ signal }: CallOptions) => ({ parseAs: 'text', ...(signal === undefined ? {} : { signal }) }) as const;
  return {
    async quote(parameters, options = {}) {
      const { data, error, response } = await GET('/v1/quote', { params: { query: toQuery(parameters) }, ...call(options) });
      return response.ok ? accept(response, data) : refuse(response, error);
    },
    async swap(parameters, options = {}) {
      const { data, error, response } = await GET('/v1/swap', { params: { query: toQuery(parameters) }, ...call(options) });
      return response.ok ? accept(response, data) : refuse(response, error);
    },
    async sources(chain, options = {}) {
      const { data, error, response } = await GET('/v1/{chain}/sources', { params: { path: { chain: String(chain) } }, ...call(options) });
      return response.ok ? accept(response, data) : refuse(response, error);
    },
    async health(options = {}) {
      const { data, error, response } = await GET('/healthz', { ...call(options), headers: { 'x-api-key': null } });
      if (response.ok) return accept(response, data);
      // 503 is an answer here, with the same body.
      const degraded = typeof error === 'object' && error !== null && 'status' in error;
      return degraded ? accept(response, JSON.stringify(error)) : refuse(response, error);
    },
  };
}
