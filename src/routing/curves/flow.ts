/** What a curve carries at a given marginal price. Written into by the evaluators: the inner loops allocate nothing. */
export type CurveFlow = {
  /** Base units in. */
  input: number;
  /** Base units out. */
  output: number;
  /** How fast the input shrinks as the logarithm of the marginal price grows, in base units in; 0 where the flow is at an end of a piece. */
  slope: number;
};

export function emptyFlow(): CurveFlow {
  return { input: 0, output: 0, slope: 0 };
}
