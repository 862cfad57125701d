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
 * Where budgets are kept. Asynchronous, so that a store shared between replicas can stand in for the one in memory; no method rejects: a store that is
 * out of reach answers from a local bucket.
 */
export type BudgetStore = {
  /** Takes one token. */
  take(owner: BudgetOwner, now: InstantMicros): Promise<BudgetDecision>;
  /** Gives one token back. The caller does so at most once for each token taken. */
  refund(owner: BudgetOwner, now: InstantMicros): Promise<BudgetState>;
  /** Looks without taking. */
  peek(owner: BudgetOwner, now: InstantMicros): Promise<BudgetState>;
};
