import type { BenchRequest, BenchSet } from './bench-set.ts';
import { type Braid, createBraid, type Outcome } from './candidates.ts';
import { gasInToken } from './gas-in-token.ts';
import { DEEP_HOPS } from './measure.ts';

/** Two answers, of which the second may not be worth less than the first. */
export type Comparison = {
  readonly what: string;
  /** Basis points of the first answer's output by which the second is worth less; not above 0 where it is not. 10,000 where the first is an answer and the second none. */
  readonly lessBps: number;
};

/** Sizes over that of the request, in hundredths: 1.1, 2 and 10 times. */
const SIZES = [110n, 200n, 1000n] as const;

export type Monotony = {
  readonly hops: readonly Comparison[];
  readonly sizes: readonly Comparison[];
  /** Milliseconds of every solve, of all depths and sizes. */
  readonly solves: readonly { readonly id: string; readonly millis: number }[];
};

const WARM_UP = 20;

/** Worth is output, less gas where gas has a price. Each depth against the one below it, each size against the next smaller one. */
export function measureMonotony(set: BenchSet, requests: readonly BenchRequest[], maxHops: number, gasPriceWei: bigint | null): Monotony {
  const solve = createBraid(set, 1);
  const solves: { id: string; millis: number }[] = [];
  const braid: Braid = (request, hops, gas) => {
    const outcome = solve(request, hops, gas);
    solves.push({ id: `${request.id}, ${request.amount} at ${hops} hops`, millis: outcome.millis });
    return outcome;
  };
  const sells = requests.filter(({ mode }) => mode === 'sell');
  for (const request of sells.slice(0, WARM_UP)) solve(request, maxHops, gasPriceWei);
  return {
    hops: sells.flatMap((request) => compareDepths(set, braid, request, gasPriceWei)),
    sizes: sells.flatMap((request) => compareSizes(set, braid, request, maxHops, gasPriceWei)),
    solves,
  };
}

function compareDepths(set: BenchSet, braid: Braid, request: BenchRequest, gasPriceWei: bigint | null): readonly Comparison[] {
  const perGas = gasPriceWei === null ? 0 : gasInToken(set, request.buy, gasPriceWei);
  const depths = Array.from({ length: DEEP_HOPS }, (_, index) => ({ name: `${index + 1} hops`, outcome: braid(request, index + 1, gasPriceWei) }));
  return compareNeighbours(request.id, depths, perGas);
}

function compareSizes(set: BenchSet, braid: Braid, request: BenchRequest, maxHops: number, gasPriceWei: bigint | null): readonly Comparison[] {
  const perGas = gasPriceWei === null ? 0 : gasInToken(set, request.buy, gasPriceWei);
  const sizes = [100n, ...SIZES].map((size) => ({
    name: `${Number(size) / 100} times`,
    outcome: braid({ ...request, amount: (request.amount * size) / 100n }, maxHops, gasPriceWei),
  }));
  // More than the pools take has no route, and that is no loss.
  const answered = sizes.findLastIndex(({ outcome }) => outcome.output !== null);
  return compareNeighbours(request.id, sizes.slice(0, answered + 1), perGas);
}

type Named = { readonly name: string; readonly outcome: Outcome };

function compareNeighbours(id: string, answers: readonly Named[], perGas: number): readonly Comparison[] {
  return answers.slice(1).map(({ name, outcome }, index) => {
    const before = answers[index] as Named;
    return { what: `${id}, ${name} after ${before.name}`, lessBps: lessBps(before.outcome, outcome, perGas) };
  });
}

/** Basis points of the first output by which the second answer is worth less. */
export function lessBps(first: Outcome, second: Outcome, perGas: number): number {
  if (first.output === null) return 0;
  if (second.output === null) return 10_000;
  // Outputs as integers: their difference is exact however large they are.
  const less = Number(first.output - second.output) - perGas * (first.gas - second.gas);
  return (less / Number(first.output)) * 10_000;
}
