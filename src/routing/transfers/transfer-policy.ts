import type { Address } from '../../units/units.ts';

/** How far the verdicts in a chain's snapshot are relied on (decision 122). */
export type TransferPolicy = {
  /** A verdict serves where it was measured at most so many blocks before the pinned one, or one after it. */
  readonly verdictBlocks: number;
  /**
   * Tokens that the operator knows. Their verdicts serve for so many blocks; where they have none, or only one that says nothing against them, they are served on trust.
   */
  readonly wellKnown: { readonly tokens: readonly Address[]; readonly blocks: number };
  readonly routeThrough: RouteThrough;
};

/** Which tokens may lie between the two of a request: those that the operator lists as well known, or those too that were measured clean. */
export type RouteThrough = 'listed' | 'measured';

/** Of a chain where nobody measures and every token is clean: a pool set (design/architecture). */
export const EVERY_TOKEN_CLEAN = 'every-token-clean';
