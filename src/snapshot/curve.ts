/**
 * Float64 models of one directed edge, for the search only: concave, increasing, with a capacity. No amount on the wire ever comes from one.
 * Amounts are base units as float64. `keep` is 1 − fee. `capacity` is the largest input the edge takes (Infinity when unbounded).
 */
export type Curve = SegmentsCurve | WeightedCurve | StableCurve;

/**
 * Pieces of a constant product, best price first. Four numbers a piece in `columns`: x0, y0, reserveIn, reserveOut, where x0 and y0 are the
 * input (after fee) and the output at which the piece starts. For an input a: x = a · keep, d = x − x0, out = y0 + reserveOut · d / (reserveIn + d).
 */
export type SegmentsCurve = {
  readonly kind: 'segments';
  readonly keep: number;
  readonly capacity: number;
  /** Gas units of a swap that stays in the first piece. */
  readonly gas: number;
  /** Further gas units for each later piece that the flow reaches. */
  readonly gasPerPiece: number;
  /**
   * Further gas units for each unit by which the natural logarithm of the marginal price falls, gaps between pieces included: what a walk over a bitmap of ticks
   * costs. 0 where a venue has none.
   */
  readonly gasPerLogPrice: number;
  readonly columns: Float64Array;
};

/** Balancer weighted: out = balanceOut · (1 − (balanceIn / (balanceIn + a · keep)) ^ exponent), exponent = weightIn / weightOut. */
export type WeightedCurve = {
  readonly kind: 'weighted';
  readonly keep: number;
  readonly capacity: number;
  readonly gas: number;
  readonly balanceIn: number;
  readonly balanceOut: number;
  readonly exponent: number;
};

/** StableSwap at fixed D, on balances scaled to a common unit: y from the invariant; fee on the input or on the output. */
export type StableCurve = {
  readonly kind: 'stable';
  readonly keep: number;
  readonly feeOnOutput: boolean;
  readonly capacity: number;
  readonly gas: number;
  readonly slotIn: number;
  readonly slotOut: number;
  /** Amplification times the number of coins: A·n in A·n·Σx + D = A·n·D + D^(n+1) / (n^n · Πx). */
  readonly ann: number;
  readonly invariant: number;
  /** Scaled balances by slot. */
  readonly balances: Float64Array;
  /** Multiply base units of a slot by this to get the common unit. */
  readonly scaleIn: number;
  readonly scaleOut: number;
};

/** A curve and the direction it serves: slots are indices into the pool's token list. */
export type EdgeCurve = { readonly slotIn: number; readonly slotOut: number; readonly curve: Curve };
