import { LIMITS } from '../config/limits.ts';
import { shown } from './shown.ts';

/** Names and values of a query in the order sent. Names may repeat: what that means is the reader's business. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

export type ParsedQuery = { readonly ok: true; readonly pairs: QueryPairs } | { readonly ok: false; readonly message: string };

/**
 * Splits the raw text after '?' into decoded pairs. Strict where URLSearchParams is lenient: a malformed percent sign or bytes that are not UTF-8 are
 * refused, not replaced. `+` is a space. Empty pairs (`a=1&&b=2`) are skipped; a pair without `=` has an empty value. Names with brackets are plain names.
 * At most 8 KiB and 64 pairs (decisions R16).
 */
export function parseQuery(rawQuery: string): ParsedQuery {
  if (rawQuery.length > LIMITS.queryBytes) return { ok: false, message: `the query has ${rawQuery.length} bytes; expected at most ${LIMITS.queryBytes}` };
  const parts = rawQuery.split('&').filter((part) => part !== '');
  if (parts.length > LIMITS.queryPairs) return { ok: false, message: `the query has ${parts.length} pairs; expected at most ${LIMITS.queryPairs}` };
  const pairs: [string, string][] = [];
  for (const part of parts) {
    const cut = part.indexOf('=');
    const name = decode(cut < 0 ? part : part.slice(0, cut));
    const value = decode(cut < 0 ? '' : part.slice(cut + 1));
    if (name === null || value === null) return { ok: false, message: `the query has ${shown(part)}; expected percent-encoded UTF-8` };
    pairs.push([name, value]);
  }
  return { ok: true, pairs };
}

/** null when a percent sign or the bytes it stands for are malformed. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
