import { parseExactly } from './exact-json.ts';
import { BIG_INTEGERS, type components } from './openapi.gen.ts';

type Schemas = components['schemas'];

export type QuoteResponse = Schemas['QuoteResponse'];
export type SwapResponse = Schemas['SwapResponse'];
export type SourcesResponse = Schemas['SourcesResponse'];
export type HealthResponse = Schemas['HealthResponse'];

/** What the caller's rate budget looked like after the call. */
export type RateBudget = {
  /** Sustained requests per second. */
  readonly limit: number;
  /** Whole requests left in the burst allowance. */
  readonly remaining: number;
};

/** What came with every answer. null where a proxy took it out. */
type Envelope = { readonly httpStatus: number; readonly requestId: string | null; readonly rate: RateBudget | null };

export type BraidAnswer<Body> = ({ readonly ok: true; readonly body: Body } & Envelope) | BraidRefusal;

/** A refusal. Branch on `status` and `code`; `error` is for people. */
export type BraidRefusal = { readonly ok: false; readonly error: string } & Envelope &
  (
    | ({
        /** 400: the request. 404: no such chain, no route, or a token that can not be traded. 500: may be tried again. */ readonly status: 400 | 404 | 500;
      } & NotTold)
    | { readonly status: 429; readonly code: 'rate_limited'; readonly retryAfterSeconds: number }
    | { /** Cost nothing. */ readonly status: 503; readonly code: 'overloaded'; readonly retryAfterSeconds: number }
    | ({ /** The view of the chain is too old. */ readonly status: 503 } & NotTold)
    | ({ /** Nothing that the interface knows: most likely not the service's own answer. */ readonly status: 'unexpected' } & NotTold)
  );

type NotTold = { readonly code: null; readonly retryAfterSeconds: null };

const UNKNOWN_BODY = 'the answer has a body that the interface does not know: most likely it is not from the service';

const NOT_TOLD: NotTold = { code: null, retryAfterSeconds: null };

/** A body of 200, read without losing a digit. */
export function accept<Body>(response: Response, text: string | undefined): BraidAnswer<Body> {
  const envelope = envelopeOf(response);
  try {
    return { ok: true, body: parseExactly(text ?? '', BIG_INTEGERS) as Body, ...envelope };
  } catch {
    return { ok: false, status: 'unexpected', error: UNKNOWN_BODY, ...NOT_TOLD, ...envelope };
  }
}

/** A body of any other status. `body` is what it was read to: a JSON value, or its text. */
export function refuse(response: Response, body: unknown): BraidRefusal {
  const { status } = response;
  const envelope = { ok: false, ...envelopeOf(response) } as const;
  // The 404 of sources is plain text; any other text is not the service's.
  const said = typeof body === 'string' && status === 404 ? { error: body.trim() } : body;
  if (!isErrorBody(said)) return { ...envelope, ...NOT_TOLD, status: 'unexpected', error: UNKNOWN_BODY };
  const { error, code, retryAfterSeconds } = said;
  if (typeof retryAfterSeconds === 'number') {
    if (status === 429 && code === 'rate_limited') return { ...envelope, error, status, code, retryAfterSeconds };
    if (status === 503 && code === 'overloaded') return { ...envelope, error, status, code, retryAfterSeconds };
  }
  const isPlain = code === undefined && (status === 400 || status === 404 || status === 500 || status === 503);
  return { ...envelope, ...NOT_TOLD, error, status: isPlain ? status : 'unexpected' };
}

function isErrorBody(body: unknown): body is { readonly error: string; readonly code?: unknown; readonly retryAfterSeconds?: unknown } {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';
}

function envelopeOf({ status, headers }: Response): Envelope {
  const [limit, remaining] = [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
  const rate = limit === null || remaining === null ? null : { limit: Number(limit), remaining: Number(remaining) };
  return { httpStatus: status, requestId: headers.get('x-request-id'), rate };
}
