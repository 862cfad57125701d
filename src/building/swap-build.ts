import type { SwapWarning } from '../../schemas/types.gen.ts';
import type { HostedChain } from '../chains/chains.ts';
import type { AppliedFee } from '../quoting/quoting.ts';
import type { Plan, SolveJob } from '../routing/routing.ts';
import type { Caller, SolveOutcome, Solving } from '../solving/solving.ts';
import type { TradeRequest } from '../validation/validation.ts';
import type { SurplusPolicy } from './encode/encode-payload.ts';
import type { LegEncoder } from './encode/leg-encoder.ts';

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
  /** Unix seconds, as encoded in the calldata. */
  readonly deadline: bigint;
  readonly solving: Pick<Solving, 'solve' | 'solveAgain' | 'certify'>;
  readonly legs: LegEncoder;
  readonly caller: Caller;
  /** Hears of every solve, for metrics. */
  readonly onSolved: (outcome: SolveOutcome) => void;
};

/** Why a swap could not be built, as its solve said; 'dust': nothing is left for the recipient. */
export type SwapRefusal = Exclude<SolveOutcome['result'], { readonly ok: true }> | { readonly ok: false; readonly reason: 'dust' };

/**
 * The build sequence of the interface specification as states: solve → certify → encode, back to solve where the chain has moved. Steps that ask others (firming a maker's
 * order, fetching an attestation) belong between certify and encode.
 */
export type BuildState =
  | { readonly step: 'solve'; readonly solves: number; readonly warnings: readonly SwapWarning[] }
  | { readonly step: 'certify'; readonly plan: Plan; readonly solves: number; readonly warnings: readonly SwapWarning[] }
  | { readonly step: 'encode'; readonly plan: Plan; readonly warnings: readonly SwapWarning[] }
  | { readonly step: 'refused'; readonly refusal: SwapRefusal; readonly block: number | null };

export const FIRST_STATE: BuildState = { step: 'solve', solves: 0, warnings: [] };
