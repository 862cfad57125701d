import type { EdgeCurve, LegFacts, WordReader, WordWriter } from '../snapshot/snapshot.ts';
import type { PriceEnd } from './price-end.ts';
import type { QuoteMoment } from './quote-moment.ts';
import type { SaidQuote } from './requote.ts';

/** The shape of `venue.ts` in a venue folder: what the venue is. Loaded in every thread. */
export type VenueFacet = {
  /** The folder's name. */
  readonly name: string;
  /** The pool-set kind whose pools this venue prices, for example 'constantProduct'. Absent where no pool set knows such pools; `state.ts` then reads none. */
  readonly poolSetKind?: string;
  /** Family labels that share these mathematics: forks are families of their own. The first is the default. */
  readonly families: readonly VenueFamily[];
  /** Which hops in a row run as one leg (`path` in encode.ts). Absent: each hop is a leg of its own. */
  readonly joinedHops?: JoinedHops;
  /** Whether the leg may be given an input of which less arrives than is sent: a taxed one. Absent: it may not (decision 102). */
  readonly takesTaxedInput?: boolean;
};

export type JoinedHops = {
  /** Whether all of them have to be by pools of one contract, such as a singleton, or any pools of the venue will do. */
  readonly across: 'one-contract' | 'the-venue';
  /** Gas units that a hop saves by being joined to the hop before it, at least. */
  readonly saves: number;
  /** Labels of pools whose hops are legs of their own all the same. Absent: none. */
  readonly leavesOut?: readonly string[];
};

export type VenueFamily = VenueLabelFacts & {
  /** Label on the wire, for example 'sushiswap_v2'. */
  readonly family: string;
  /** Swap fee in millionths where the contract fixes it; null where each pool has its own. */
  readonly feePpm: number | null;
  /** Variants that differ from their family, for example a hook that needs an attestation. The label is 'family:variant'. */
  readonly variants?: readonly (VenueLabelFacts & { readonly variant: string })[];
};

/** How pools of a label are priced and what they settle: what callers choose venues by, beside names. */
export type VenueLabelFacts = {
  /** By the chain's state (absent), or by a quote that somebody gives off the chain: a maker's order, an attestation, an override stream. Takes longer than a request of less than 300 ms has. */
  readonly pricing?: 'chain' | 'off-chain-quote';
  /** Whether a swap has to carry attestations that somebody signs off the chain: without whom to ask for them the label is not routed. */
  readonly attested?: true;
  /** Crypto (absent), or a real-world asset that an issuer mints and redeems, for approved callers only. */
  readonly settles?: 'crypto' | 'real-world';
};

/** The outcome of an exact swap. `next` is the pool's state after it: a value, the input state is untouched. */
export type Quote<State> =
  | { readonly ok: true; readonly amountIn: bigint; readonly amountOut: bigint; readonly next: State; readonly gas: number }
  | { readonly ok: false; readonly reason: QuoteRefusal };

/**
 * 'reverts': the contract would revert, or what it would give is not a fill (zero out, overflow). 'partial': it would take only a part of the
 * input (price limit, end of the known liquidity), which no route may plan.
 */
export type QuoteRefusal = 'reverts' | 'partial';

/**
 * The shape of `price.ts`: exact integer mathematics, equal to the contract to the wei. Loaded in solver threads. Pure; amounts in base units;
 * slots are indices into the pool's token list. `at` is the block that is priced at: the one time that mathematics know, since a clock would make the same state give two prices.
 */
export type PriceFacet<State> = {
  /** Output for exactly `amountIn`. `gas` in gas units, by the model of design/venues. */
  exactIn(state: State, slotIn: number, slotOut: number, amountIn: bigint, at: QuoteMoment): Quote<State>;
  /** The input that the venue's own exact-out swap takes for exactly `amountOut`; absent where the venue has none. */
  exactOut?(state: State, slotIn: number, slotOut: number, amountOut: bigint, at: QuoteMoment): Quote<State>;
  /** The same state, knowing what the venue's contract said for some amounts at the state's block, and giving that for them. There exactly where the venue has a `requote.ts`. */
  informed?(state: State, quotes: readonly SaidQuote[]): State;
};

/** The shape of `state.ts`: how a pool's exact state lies in the snapshot, and the float model of it. Loaded in the indexer and in solver threads. */
export type StateFacet<State> = {
  pack(state: State, out: WordWriter): void;
  unpack(words: WordReader): State;
  /** What the search has to know of a pool beside its curves; absent where no pool of the venue has any such thing. */
  traits?(state: State): PoolTraits;
  /** What the leg needs of a pool and its state carries, where no log tells it: added to what `track.ts` discovered, and all that a pool of a pool set has. */
  legFacts?(state: State): LegFacts;
  /** The float curve of every direction that can carry flow. */
  curves(state: State): readonly EdgeCurve[];
  /**
   * Reads the state of one pool of a pool set (design/pool-set). `decimals` are those of the pool's tokens as far as the set knows them, for venues whose
   * mathematics depend on them. Throws PoolRefused when the entry is malformed or not routable. There exactly where the venue has a `poolSetKind`.
   */
  fromPoolSet?(entry: Readonly<Record<string, unknown>>, tokenCount: number, decimals?: readonly (number | null)[]): State;
};

/** The same for a venue whose pools pool sets know. */
export type PoolSetStateFacet<State> = StateFacet<State> & Required<Pick<StateFacet<State>, 'fromPoolSet'>>;

/** What a pool says of itself beside its prices. */
export type PoolTraits = {
  /** After it the pool is as absent. */
  readonly pricesEnd?: PriceEnd;
  /** The name of an inventory that other pools pay out of too, unique within the chain: what one of them gives the others no longer have. */
  readonly inventory?: string;
  /** Whether what one pool of the inventory trades changes what the others would give for any token: then only one of them serves in a route. Absent: only for the token that it pays out. */
  readonly inventoryServesOnce?: boolean;
  /** The slot that takes and gives the native token itself, where the list of tokens names its wrapped form. Absent: all are ERC-20. */
  readonly nativeSlot?: number;
};

/** A pool that can not be taken in. It is left out and counted under `reason`, a word from a closed set. */
export class PoolRefused extends Error {
  readonly reason: 'malformed' | 'not-routable';

  constructor(reason: 'malformed' | 'not-routable', message: string) {
    super(message);
    this.name = 'PoolRefused';
    this.reason = reason;
  }
}

/** Whether a check that throws PoolRefused lets a state pass. Other errors are the caller's. */
export function isLetPass(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof PoolRefused) return false;
    throw error;
  }
}
