import { parseSafeInteger } from '../../units/units.ts';

const LONGEST_SECONDS = 30;

/** Retry-After in seconds (the date form is not used by nodes), capped so that a bad header can not silence us; 0 where there is none. */
export function retryAfterMs(header: string | null): number {
  const seconds = parseSafeInteger(header ?? '', 0, 9_999) ?? 0;
  return Math.min(seconds, LONGEST_SECONDS) * 1000;
}
