import { type Answer, JSON_TYPE, TEXT_TYPE } from './answer.ts';

/** Admission-control refusals: the only ones with a `code` and a Retry-After (interface specification, Errors; decisions S21). */
type RetryLater = { readonly status: 429 | 503; readonly code: 'rate_limited' | 'overloaded'; readonly message: string };
type Plain = { readonly status: number; readonly message: string };

/** The one table of refusals. A message says what was wrong and what would be right; it may be replaced by a more precise one, never parsed. */
export const ERRORS = {
  'invalid-request': { status: 400, message: 'a parameter is missing or malformed' },
  'malformed-http': { status: 400, message: 'the bytes received are no HTTP request' },
  'unknown-path': { status: 404, message: 'no such path; the service has /v1/quote, /v1/swap, /v1/{chain}/sources and /healthz' },
  'unknown-chain': { status: 404, message: 'the chain is unknown or not hosted here' },
  'no-route': { status: 404, message: 'no route for this pair and size: try another size, more hops or fewer excluded venues' },
  'token-refused': { status: 404, message: 'a token of the pair can not be traded: what its transfers do was measured on chain' },
  'token-unmeasured': { status: 404, message: 'what transfers of a token of the pair do could not be measured at this block; try again at a later one' },
  'method-not-allowed': { status: 405, message: 'this path takes other methods: see the Allow header' },
  'too-slow': { status: 408, message: 'the request did not arrive in time' },
  'headers-too-large': { status: 431, message: 'the request line and headers are too large or too many' },
  internal: { status: 500, message: 'the request could not be served because of an internal failure; it may be tried again' },
  'coming-up': { status: 500, message: 'the chain is still coming up; try again soon' },
  stale: { status: 503, message: 'the view of the chain is older than the freshness bound; try again with backoff and use no cached quote' },
} as const satisfies Record<string, Plain>;

export const RETRY_LATER = {
  'rate-limited': { status: 429, code: 'rate_limited', message: 'the request budget of this caller is used up' },
  overloaded: { status: 503, code: 'overloaded', message: 'demand exceeds what the solver can answer in time; the request was not counted' },
} as const satisfies Record<string, RetryLater>;

/** A refusal whose body has exactly one member. */
export function refuse(refusal: keyof typeof ERRORS, message: string = ERRORS[refusal].message, headers: Answer['headers'] = {}): Answer {
  return { status: ERRORS[refusal].status, body: JSON.stringify({ error: message }), contentType: JSON_TYPE, headers, outcome: refusal };
}

/** A refusal by admission control: exactly three members, and a header that says the same. */
export function refuseForNow(refusal: keyof typeof RETRY_LATER, retryAfterSeconds: number): Answer {
  const { status, code, message } = RETRY_LATER[refusal];
  const body = JSON.stringify({ error: message, code, retryAfterSeconds });
  return { status, body, contentType: JSON_TYPE, headers: { 'Retry-After': String(retryAfterSeconds) }, outcome: refusal };
}

/** The one refusal that is not JSON: a chain that sources does not know (decisions B2). */
export function unknownChainText(): Answer {
  return { status: ERRORS['unknown-chain'].status, body: 'chain not hosted\n', contentType: TEXT_TYPE, headers: {}, outcome: 'unknown-chain' };
}
