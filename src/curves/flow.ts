/** What a curve carries at a given marginal price. Written into by the evaluators: the inner loops allocate nothing. */
export type CurveFlow = {
  /** Base units in. */
  input: number;
  /** Base units out. */
  output: number;
};

export function emptyFlow(): CurveFlow {
  return { input: 0, output: 0 };
}
