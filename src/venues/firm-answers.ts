import { LIMITS } from '../config/limits.ts';
import type { FirmHop, FirmUpFailure } from './firm-up.ts';

type Failed = Extract<FirmHop, { ok: false }>;

/** What came of asking somebody to sign, where it was no answer of theirs: see OutsideAnswer. */
type Unanswered = { readonly reason: 'busy' | 'refused' | 'unreachable' | 'garbled' | 'crowded'; readonly retryAfterMs?: number | null };

export function failed(reason: FirmUpFailure): Failed {
  return { ok: false, reason };
}

/** What it means for a hop that nobody answered it. */
export function failedBy({ reason, retryAfterMs = null }: Unanswered): Failed {
  switch (reason) {
    case 'busy':
      return { ok: false, reason, ...(retryAfterMs === null ? {} : { retryAfterMs }) };
    case 'crowded':
      return failed('throttled');
    case 'garbled':
      return failed('unreachable');
    default:
      return failed(reason);
  }
}

/** Names of the last things that were given out, each of which can settle once: what was given out before can not settle beside itself. */
export class GivenOnce {
  readonly #names = new Set<string>();

  takes(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size > LIMITS.outbound.orders.remembered && oldest !== undefined) this.#names.delete(oldest);
    return true;
  }
}
