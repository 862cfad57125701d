import type fc from 'fast-check';
import type { Curve } from '../../src/snapshot/snapshot.ts';

/**
 * What the conformance suite needs to know of a venue that the venue's own facets do not say. One file per venue: test/venues/samples/<folder>.ts exports
 * `sample`.
 */
export type VenueSample<State> = {
  /** Valid states of usual size: integer rounding is small against amounts of 10^6 units. */
  readonly states: fc.Arbitrary<State>;
  /** A pool-set entry of a routable pool; absent where pool sets know no such pools. */
  readonly entry?: Readonly<Record<string, unknown>>;
  /** Which of its fields may be left out. */
  readonly optionalFields?: readonly string[];
  /** Two, unless told otherwise. */
  readonly tokenCount?: number;
  /** Decimals of the entry's tokens, where the venue needs them. */
  readonly decimals?: readonly number[];
  /** How far integer rounding may move the output for an input from the curve, in output base units. */
  roundingUnits(state: State, curve: Curve, amountIn: number): number;
  /** How much more than the smallest possible input the venue's exact output may take by its own rounding, in input base units. */
  excessInput(state: State, curve: Curve, amountIn: number): bigint;
  /** Where the venue's exact output has a limit of its own: whether the contract refuses this one. Absent: what an exact input gives can be asked for. */
  refusesExactOut?(state: State, slotOut: number, amountOut: bigint): boolean;
  /** How much less than asked for the input of an exact output may give as an exact input, by the contract's own rounding. Absent: nothing. */
  missedOutput?(state: State, curve: Curve, amountIn: number): bigint;
  /** How many states each property is tried on, where a state of this venue costs much time. Absent: as many as of any other. */
  readonly runs?: number;
};
