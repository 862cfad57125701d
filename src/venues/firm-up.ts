import type { LegFacts } from '../snapshot/snapshot.ts';
import type { Address, EpochSeconds } from '../units/units.ts';
import type { HopToEncode } from './encode.ts';
import type { AskOutside, OutsideSource } from './outside.ts';
import type { ChainAnswer, ChainCall } from './track.ts';

/** A planned hop that somebody has to sign before it can be settled. Amounts in base units. */
export type HopToFirm = HopToEncode & {
  /** Which amount the request fixes: what is worse than planned is then the other one. */
  readonly mode: 'sell' | 'buy';
  /** What is sent, exactly: an order is for a fixed amount. */
  readonly amountIn: bigint;
  /** What the plan expects for it. In `sell` an answer of less than `leastOut` is 'worse'; in `buy` the other side is asked for exactly `amountOut`, and one that wants more than `amountIn` is 'worse'. */
  readonly amountOut: bigint;
  readonly taker: Address;
  /** Who gets what the route gives. */
  readonly recipient: Address;
  /** The user behind the taker, whom makers are told that meter: see toldUser. The taker itself where the request names none. */
  readonly user: Address;
  /** The contract that settles, which an order is made out to. */
  readonly router: Address;
  /** Unix seconds: until when an order had better hold; it says itself when it ends. */
  readonly deadline: EpochSeconds;
};

/** What was signed, as FirmHop has it. */
export type SignedAnswer = {
  readonly ok: true;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly legFacts: LegFacts;
  /** A bigint where a number might not hold it exactly. */
  readonly expiry: EpochSeconds | bigint | null;
};

/** Why there is no signed hop. A closed set, for metrics and warnings. */
export type FirmUpFailure =
  /** They would not, and said so. */
  | 'refused'
  /** They are asked too much, and said so. */
  | 'busy'
  /** Nobody was asked, since they refused or were silent too often a moment ago. */
  | 'throttled'
  /** Nobody was asked, since whoever signs is a party of the swap already, or is none any more of those who are asked: nobody can sign such a hop. */
  | 'unfit'
  /** No answer in time, or none that can be read. */
  | 'unreachable'
  /** Another trade than was asked for, or a signature that does not hold. */
  | 'invalid'
  /** What was signed is what was asked for, and the contract that settles it would not now: its hours, a limit, a pause. */
  | 'barred'
  /** What was answered could not be held against the chain in time: the fault of nobody who signs. */
  | 'unverified'
  /** Less than planned by more than is allowed. */
  | 'worse';

/** What came of it. `retryAfterMs`: how long whoever is busy wants to be left alone, where they said so. `offered`: what a 'worse' answer was, as far as it says so. `legFacts`: what the leg needs of the signed order, added to the hop's before it is encoded. `expiry`: the last second at which it holds; of an attestation, which blocks end, null. */
export type FirmHop =
  | SignedAnswer
  | {
      readonly ok: false;
      readonly reason: FirmUpFailure;
      readonly retryAfterMs?: number;
      readonly offered?: { readonly amountIn: bigint; readonly amountOut: bigint };
    };

/** What a venue firms with on one chain. */
export type FirmUpChain = {
  readonly chainId: number;
  /** Who is asked for the venue, whenever it is looked at: those of configuration, and those of them whom a registry lists now. */
  readonly sources: readonly OutsideSource[];
  readonly ask: AskOutside;
  /** Asks contracts at the newest block that is known. null: they could not be asked, or not before the signal. */
  readonly read: (calls: readonly ChainCall[], signal: AbortSignal) => Promise<readonly ChainAnswer[] | null>;
  /** The later of the wall clock and the newest block's time. */
  readonly now: () => EpochSeconds;
  /** Of the newest block that is known; null: none is yet. */
  readonly blockNumber: () => number | null;
  /** Has each source asked once in each block that is new, while it is not left alone. Absent: nobody tells of blocks. */
  readonly inEachBlock?: (poll: PollSource) => void;
};

/** Asks a source for what a later firm-up may be glad of. null: it came; else why not. Never throws for what the other side sends, and never rejects. */
export type PollSource = (source: OutsideSource, signal: AbortSignal) => Promise<Extract<FirmHop, { readonly ok: false }> | null>;

/**
 * Ends at once when the signal does, as unreachable. Never throws for what the other side sends, and never rejects. `onOffered` hears of what was signed as soon as it is what was asked for, while it is still held against the chain: until
 * that very answer is given, nothing may be answered with it.
 */
export type FirmHopBy = (hop: HopToFirm, signal: AbortSignal, onOffered?: (offer: SignedAnswer) => void) => Promise<FirmHop>;

/** How the hops of one chain are firmed, by venue folder. A hop of a folder that is not here needs nobody's signature, nor one that the folder's `needs` leaves out. */
export type FirmHops = ReadonlyMap<string, Pick<FirmUpFacet, 'signs' | 'needs'> & { readonly firm: FirmHopBy }>;

/** The shape of `firm-up.ts` in a venue folder. Loaded in the main thread. */
export type FirmUpFacet = {
  /** What is signed. An 'order' is a maker's, and its end the `rfqExpiry` of a response; an 'attestation' is a hook's (HOOK_ATTESTATION_UNAVAILABLE where it fails); an 'issuance' an issuer's. */
  readonly signs: 'order' | 'attestation' | 'issuance';
  /** Whether a hop of the venue is one that has to be signed. Absent: all are. */
  needs?(hop: Pick<HopToEncode, 'legFacts' | 'hook'>): boolean;
  /** Who signs a hop, of those that the configuration names for the venue; undefined: nobody. Absent: the one that the pool's `maker` names. */
  sourceOf?(hop: Pick<HopToEncode, 'legFacts' | 'hook'>, sources: readonly OutsideSource[]): OutsideSource | undefined;
  /** The contracts of a chain that somebody may sign for, where the venue knows them itself: nothing is routed through others. Absent: whichever the configuration names. */
  contracts?(chainId: number): readonly Address[];
  /** How hops of the venue are firmed on a chain. */
  open(chain: FirmUpChain): FirmHopBy;
};
