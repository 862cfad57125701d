import type { SwapWarning } from '../../schemas/types.gen.ts';
import type { HostedChain } from '../chains/chains.ts';
import type { AppliedFee } from '../quoting/quoting.ts';
import type { Plan, SolveJob } from '../routing/routing.ts';
import type { Caller, SolveOutcome, Solving } from '../solving/solving.ts';
import type { DurationMs, InstantMs } from '../units/units.ts';
import type { TradeRequest } from '../validation/validation.ts';
import type { FirmHops } from '../venues/venues.ts';
import type { BegunCertification } from './certification.ts';
import type { SurplusPolicy } from './encode/encode-payload.ts';
import type { LegEncoder } from './encode/leg-encoder.ts';
import type { SignedHop } from './firming/firm-hops.ts';

/** What one swap is built from. */
export type SwapBuild = {
  readonly request: TradeRequest;
  readonly hosted: HostedChain;
  readonly fee: AppliedFee | null;
  readonly job: SolveJob;
  /** A lower-case uuid. */
  readonly quoteId: string;
  /** Of the caller's key; null without one. */
  readonly partnerId: string | null;
  readonly surplus: SurplusPolicy;
  /** Unix seconds; what is encoded in the calldata is this, or what a signed hop of the route allows. */
  readonly deadline: bigint;
  readonly solving: Pick<Solving, 'solve' | 'solveAgain' | 'certify'>;
  readonly legs: LegEncoder;
  readonly firmHops: FirmHops;
  readonly clock: BuildClock;
  readonly caller: Caller;
  /** Hears of every solve, for metrics. */
  readonly onSolved: (outcome: SolveOutcome) => void;
  /** Hears how long it was waited for hops to be signed, ms. */
  readonly onFirmed: (millis: number) => void;
};

/** The time that a build goes by, that of its job's deadline. `after` calls once when so much of it has passed, unless what it returned is called before. */
export type BuildClock = { now(): InstantMs; after(delay: DurationMs, call: () => void): () => void };

/** Why a swap could not be built, as its solve said; 'dust': nothing is left for the recipient. */
export type SwapRefusal = Exclude<SolveOutcome['result'], { readonly ok: true }> | { readonly ok: false; readonly reason: 'dust' };

/** How far a build is: how often it was solved, whether the next solve may use what is priced off the chain, and what the caller is to be told. */
export type BuildFacts = { readonly solves: number; readonly offChain: boolean; readonly warnings: readonly SwapWarning[] };

/**
 * The build sequence of the interface specification as states: solve → firm → certify → encode. Where a hop can not be made firm it goes back to solve once, without anything that is priced off the chain (decisions B10), and where the
 * chain has moved, or the route is lost otherwise, a bounded number of times (decisions B20).
 */
export type BuildState =
  | (BuildFacts & { readonly step: 'solve' })
  | (BuildFacts & { readonly step: 'firm'; readonly plan: Plan })
  | (BuildFacts & { readonly step: 'certify'; readonly plan: Plan; readonly signed: readonly SignedHop[]; readonly begun: BegunCertification | null })
  | { readonly step: 'encode'; readonly plan: Plan; readonly signed: readonly SignedHop[]; readonly warnings: readonly SwapWarning[] }
  | { readonly step: 'refused'; readonly refusal: SwapRefusal; readonly block: number | null };

export const FIRST_STATE: BuildState = { step: 'solve', solves: 0, offChain: true, warnings: [] };
