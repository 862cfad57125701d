import type { InstantMicros } from './token-bucket.ts';

/** Whose budget it is. An id is unique within its kind. */
export type BudgetOwner = {
  /** The address block or the key's id. */
  readonly id: string;
  readonly kind: 'ip' | 'key';
  /** Sustained requests per second: a positive integer. */
  readonly rps: number;
};

/** A budget after a look at it. */
export type BudgetState = {
  /** Sustained requests per second (X-RateLimit-Limit). */
  readonly limit: number;
  /** Whole tokens left in the burst allowance (X-RateLimit-Remaining). */
  readonly remaining: number;
};

export type BudgetDecision = BudgetState &
  ({ readonly allowed: true } | { readonly allowed: false /** Integer, at least 1. */; readonly retryAfterSeconds: number });

/**
 * Where budgets are kept. Asynchronous, so that a store shared between replicas can stand in for the one in memory. What such a store has to keep to:
 * - No method rejects, and each answers within a bound of the store's own: where the others are out of reach it answers from a local bucket.
 * - Taking is atomic: of many takes at the same time no more succeed than there are tokens.
 * - `now` is this process's monotonic clock. It means nothing elsewhere: only local buckets refill by it, a shared one by the store's clock.
 * - A refund that finds no bucket, or a full one, changes nothing; so a token that was taken locally may be given back to the shared bucket and costs at most
 *   itself.
 */
export type BudgetStore = {
  /** Takes one token. */
  take(owner: BudgetOwner, now: InstantMicros): Promise<BudgetDecision>;
  /** Gives one token back. The caller does so at most once for each token taken. */
  refund(owner: BudgetOwner, now: InstantMicros): Promise<BudgetState>;
  /** Looks without taking. */
  peek(owner: BudgetOwner, now: InstantMicros): Promise<BudgetState>;
};
