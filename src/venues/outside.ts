import type { Address } from '../units/units.ts';

/** Somebody off the chain who gives prices and signs, as configuration names them, or as a registry lists them whom configuration allows. */
export type OutsideSource = {
  /** Label of metrics and logs. */
  readonly name: string;
  /** Where they answer: scheme, host and port. No other place is asked. */
  readonly origin: string;
  /** The path there; absent: the root. */
  readonly path?: string;
  /** The contract that settles what they sign. */
  readonly contract: Address;
  /** Whose funds an order moves: nobody else's order is taken from them. */
  readonly signer: Address;
};

/** Somebody whom a registry on the chain lists: configuration gives a name, the one place where they may answer and the contract; the registry says whether they do, on which path, and whose orders they are. */
export type ListedSource = {
  readonly name: string;
  readonly origin: string;
  readonly contract: Address;
  /** Whose entry of the registry counts; null: whoever's names the origin, where that is one alone. */
  readonly staker: Address | null;
  /** Whose funds an order moves; null: the staker's. */
  readonly signer: Address | null;
};

/** How others are asked, within what configuration allows (the room `outbound`): a text is posted, a text comes back. Never rejects. */
export type AskOutside = (source: OutsideSource, body: string, signal: AbortSignal) => Promise<OutsideAnswer>;

/**
 * 'busy': they said that they are asked too much; `retryAfterMs` where they said for how long. 'refused': another status than success, a redirect among them. 'garbled': what came is no
 * text, compressed, or too long. 'crowded': they were not asked, since as many requests to them are under way as there may be. 'unreachable': nothing whole came in time.
 */
export type OutsideAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'busy'; readonly retryAfterMs: number | null }
  | { readonly ok: false; readonly reason: 'refused' | 'garbled' | 'crowded' | 'unreachable' };
