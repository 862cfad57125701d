import type { BudgetState } from '../metering/metering.ts';

/** Every answer has these. A price must not be cached, a body must not be sniffed into HTML, and browsers may call from any origin (decisions S12, S13). */
export const COMMON_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, X-Request-Id',
} as const;

/** Added to the answer of OPTIONS. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'x-api-key, x-request-id',
  'Access-Control-Max-Age': '86400',
} as const;

export function rateHeaders(budget: BudgetState): { readonly 'X-RateLimit-Limit': string; readonly 'X-RateLimit-Remaining': string } {
  return { 'X-RateLimit-Limit': String(budget.limit), 'X-RateLimit-Remaining': String(budget.remaining) };
}
