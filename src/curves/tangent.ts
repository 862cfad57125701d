/** A curve at an input. Written into by the evaluators: the inner loops allocate nothing. */
export type CurveTangent = {
  /** Base units out. */
  output: number;
  /** Marginal price: base units out per base unit in. */
  marginal: number;
  /** How fast the marginal price falls as the input grows: not negative. */
  bend: number;
};

export function emptyTangent(): CurveTangent {
  return { output: 0, marginal: 0, bend: 0 };
}
