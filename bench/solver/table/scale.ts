export const MAX_HOPS = 4;
export const GAS_PRICE_WEI = 5_000_000_000n;

/** How much of each part is run. */
export type Scale = {
  readonly requests: number;
  readonly repeat: number;
  readonly tinesRequests: number;
  /** On 10,000 pools a solve of tines takes a second. */
  readonly tinesRequestsLarge: number;
  /** So many of a set's requests; 0: the reference is left out. */
  readonly referenceRequests: number;
  /** On 10,000 pools a search takes seconds. */
  readonly referenceRequestsLarge: number;
  /** Milliseconds of the processor for a search of the reference. */
  readonly referenceBudget: number;
  /** Every n-th of Fynd's requests. */
  readonly fyndEvery: number;
  readonly scaling: { readonly totals: readonly number[]; readonly requests: number; readonly rounds: number };
  /** `rowMs`: a row of the largest set ends after so much time; `singles`: requests whose best single path is searched there. */
  readonly large: { readonly requests: number; readonly rowMs: number; readonly singles: number };
  /** Each needs a handful of bounds, and on 10,000 pools one of them takes a second. */
  readonly buys: { readonly requests: number; readonly requestsLarge: number };
  readonly roundTrips: number;
  readonly meshes: number;
  /** Of each set. */
  readonly monotony: number;
  readonly pairs: number;
  /** `slowest` of so many `requests` of each set. */
  readonly anytime: { readonly requests: number; readonly slowest: number };
  /** Of each hostile set. */
  readonly hostile: number;
};

export const WHOLE: Scale = {
  requests: 100,
  repeat: 2,
  tinesRequests: 100,
  tinesRequestsLarge: 20,
  referenceRequests: 100,
  referenceRequestsLarge: 25,
  referenceBudget: 3000,
  fyndEvery: 1,
  scaling: { totals: [1_000, 10_000, 100_000], requests: 40, rounds: 5 },
  large: { requests: 100, rowMs: 30_000, singles: 4 },
  buys: { requests: 60, requestsLarge: 25 },
  roundTrips: 528,
  meshes: 601,
  monotony: 30,
  pairs: 2_000,
  anytime: { requests: 60, slowest: 8 },
  hostile: 20,
};

export const QUICK: Scale = {
  requests: 4,
  repeat: 1,
  tinesRequests: 2,
  tinesRequestsLarge: 1,
  referenceRequests: 4,
  referenceRequestsLarge: 1,
  referenceBudget: 500,
  fyndEvery: 50,
  scaling: { totals: [1_000, 10_000, 100_000], requests: 4, rounds: 2 },
  large: { requests: 4, rowMs: 5_000, singles: 1 },
  buys: { requests: 4, requestsLarge: 2 },
  roundTrips: 8,
  meshes: 8,
  monotony: 2,
  pairs: 10,
  anytime: { requests: 6, slowest: 2 },
  hostile: 3,
};

export type ScaleOptions = {
  readonly quick: boolean;
  /** So many of everything that is asked; null: as the scale has it. */
  readonly requests: number | null;
  readonly totals: readonly number[] | null;
  /** Pairs of markets with one pool more; null: as the scale has it. */
  readonly pairs: number | null;
  /** Whether the reference is asked. */
  readonly reference: boolean;
};

export function scaleOf({ quick, requests, totals, pairs, reference }: ScaleOptions): Scale {
  const base = quick ? QUICK : WHOLE;
  const count = (usual: number): number => requests ?? usual;
  return {
    ...base,
    ...(reference ? {} : { referenceRequests: 0, referenceRequestsLarge: 0 }),
    requests: count(base.requests),
    scaling: { ...base.scaling, requests: count(base.scaling.requests), totals: totals ?? base.scaling.totals },
    large: { ...base.large, requests: count(base.large.requests) },
    buys: { requests: count(base.buys.requests), requestsLarge: count(base.buys.requestsLarge) },
    roundTrips: count(base.roundTrips),
    meshes: count(base.meshes),
    monotony: count(base.monotony),
    pairs: pairs ?? count(base.pairs),
    anytime: { requests: count(base.anytime.requests), slowest: Math.min(count(base.anytime.requests), base.anytime.slowest) },
    hostile: count(base.hostile),
  };
}
