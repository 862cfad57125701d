import { fetchPatiently } from '../../../support/fetch-patiently.ts';

/** Headers of a request. `x-api-key: null` sends none, whatever key the suite has. */
export type Ask = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A key instead of the suite's; null: none. */
  readonly key?: string | null;
};

export type Client = {
  /** The suite's key. */
  readonly key: string | null;
  /** Sends a request as soon as the caller's budget has a token, by what its last answer's rate headers said, and again after Retry-After if it had none after all. */
  ask(pathAndQuery: string, options?: Ask): Promise<Response>;
  /** Sends it at once. */
  askNow(pathAndQuery: string, options?: Ask): Promise<Response>;
};

/** What the rate headers of an identity's last answer said. */
type Seen = { readonly limit: number; readonly remaining: number; readonly at: number };

/** How often a request that somebody else's traffic made late is sent again. */
const TRIES = 5;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function createClient(url: string, key: string | null): Client {
  const seen = new Map<string, Seen>();
  // One request of an identity at a time: two at once would both count on the same token.
  const turns = new Map<string, Promise<unknown>>();
  const keyOf = (options: Ask) => (options.key === undefined ? key : options.key);
  const identityOf = (options: Ask) => keyOf(options) ?? '';

  async function askNow(pathAndQuery: string, options: Ask = {}): Promise<Response> {
    const sent = keyOf(options);
    const headers = { ...(sent === null ? {} : { 'x-api-key': sent }), ...options.headers };
    const response = await fetchPatiently(`${url}${pathAndQuery}`, { method: options.method ?? 'GET', headers, redirect: 'manual' });
    // Probes are metered by address whatever key they carry.
    note(pathAndQuery === '/healthz' ? '' : identityOf(options), response);
    return response;
  }

  function note(identity: string, response: Response): void {
    const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => Number(response.headers.get(name) ?? Number.NaN));
    if (limit !== undefined && remaining !== undefined && limit > 0) seen.set(identity, { limit, remaining, at: performance.now() });
  }

  async function inTurn(pathAndQuery: string, options: Ask): Promise<Response> {
    for (let tries = 1; ; tries++) {
      await sleep(waitOf(seen.get(identityOf(options))));
      const response = await askNow(pathAndQuery, options);
      if (response.status !== 429 || tries === TRIES) return response;
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
    }
  }

  return {
    key,
    askNow,
    ask(pathAndQuery, options = {}) {
      const identity = identityOf(options);
      const turn = (turns.get(identity) ?? Promise.resolve()).then(() => inTurn(pathAndQuery, options));
      turns.set(
        identity,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}

/** Until a whole token has flowed in at the sustained rate, if the last answer left none. */
function waitOf(seen: Seen | undefined): number {
  if (seen === undefined || seen.remaining > 0) return 0;
  return Math.max(0, seen.at + Math.ceil(1000 / seen.limit) - performance.now());
}
