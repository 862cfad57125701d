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
  /** Whose funds an order moves: nobody else's order is taken from them. Of an issuer, who attests: nobody else's attestation is taken. */
  readonly signer: Address;
  /** Sent with every request as x-api-key: secret. Absent: none is. */
  readonly apiKey?: string;
  /** Of an issuer alone. */
  readonly issues?: Issuance;
  /** Of a maker alone: it screens the wallet that swaps and meters nobody, so it is told the taker in the place of the user. Absent: false. */
  readonly screens?: boolean;
};

/** What an issuer mints and redeems. */
export type Issuance = {
  /** What it calls the chain. */
  readonly chain: string;
  /** The token in which its assets are paid for. */
  readonly dollar: Address;
  readonly assets: readonly IssuedAsset[];
};

/** An asset, and the sizes that the issuer is asked to quote: base units, the smallest first. */
export type IssuedAsset = { readonly symbol: string; readonly token: Address; readonly sizes: readonly bigint[] };

/** Somebody whom a registry on the chain lists: configuration gives a name, the one place where they may answer and the contract; the registry says whether they do, on which path, and whose orders they are. */
export type ListedSource = {
  readonly name: string;
  readonly origin: string;
  readonly contract: Address;
  /** Whose entry of the registry counts; null: whoever's names the origin, where that is one alone. */
  readonly staker: Address | null;
  /** Whose funds an order moves; null: the staker's. */
  readonly signer: Address | null;
  /** OutsideSource.screens. */
  readonly screens?: boolean;
};

/** How others are asked, within what configuration allows (the room `outbound`): a text is posted, a text comes back. Never rejects. `under`: a path of the protocol's own under the source's, from its slash on; absent: the source's path itself. */
export type AskOutside = (source: OutsideSource, body: string, signal: AbortSignal, under?: string) => Promise<OutsideAnswer>;

/**
 * 'busy': they said that they are asked too much; `retryAfterMs` where they said for how long. 'refused': they would not, by a status of 4xx. 'garbled': what came is a redirect, no
 * text, compressed, or too long. 'crowded': they were not asked, since as many requests to them are under way as there may be. 'unreachable': nothing whole came in time, or only that their server is broken (5xx).
 */
export type OutsideAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'busy'; readonly retryAfterMs: number | null }
  | { readonly ok: false; readonly reason: 'refused' | 'garbled' | 'crowded' | 'unreachable' };
