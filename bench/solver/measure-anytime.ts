import type { BenchRequest, BenchSet } from './bench-set.ts';
import { type Braid, createBraid, type Outcome } from './candidates.ts';
import { gasInToken } from './gas-in-token.ts';

/** Milliseconds until the deadline of a job; null: longer than any solve takes. */
export const DEADLINES = [5, 10, 20, 50, 100, null] as const;

/** What one deadline brings for the requests. */
export type AnytimePoint = {
  readonly deadlineMs: number | null;
  readonly answered: number;
  /** Basis points of output by which each answer, net of gas, is below the best of all deadlines; 10,000 without an answer. */
  readonly below: readonly number[];
  readonly millis: readonly { readonly id: string; readonly millis: number }[];
};

export type Anytime = { readonly requests: readonly BenchRequest[]; readonly points: readonly AnytimePoint[] };

const WARM_UP = 40;

/** The slowest of the requests, at shorter and longer deadlines. */
export function measureAnytime(
  set: BenchSet,
  requests: readonly BenchRequest[],
  { slowest, maxHops, gasPriceWei }: { readonly slowest: number; readonly maxHops: number; readonly gasPriceWei: bigint },
): Anytime {
  const braid = createBraid(set, 1);
  for (const request of requests.slice(0, WARM_UP)) braid(request, maxHops, gasPriceWei);
  const timed = requests
    .filter(({ mode }) => mode === 'sell')
    .map((request) => ({ request, ...braid(request, maxHops, gasPriceWei) }))
    .filter(({ output }) => output !== null)
    .sort((a, b) => b.millis - a.millis);
  const chosen = timed.slice(0, slowest).map(({ request }) => request);
  const curves = chosen.map((request) => curveOf(set, braid, request, maxHops, gasPriceWei));
  const points = DEADLINES.map((deadlineMs, at): AnytimePoint => {
    const here = curves.flatMap((curve) => curve[at] ?? []);
    return {
      deadlineMs,
      answered: here.filter(({ outcome }) => outcome.output !== null).length,
      below: here.map(({ below }) => below),
      millis: here.map(({ outcome }, index) => ({ id: chosen[index]?.id ?? '', millis: outcome.millis })),
    };
  });
  return { requests: chosen, points };
}

type CurvePoint = { readonly outcome: Outcome; readonly below: number };

function curveOf(set: BenchSet, braid: Braid, request: BenchRequest, maxHops: number, gasPriceWei: bigint): readonly CurvePoint[] {
  const perGas = gasInToken(set, request.buy, gasPriceWei);
  const outcomes = DEADLINES.map((deadlineMs) => braid(request, maxHops, gasPriceWei, deadlineMs ?? undefined));
  const net = ({ output, gas }: Outcome): number => (output === null ? Number.NEGATIVE_INFINITY : Number(output) - perGas * gas);
  const best = outcomes.reduce((most, outcome) => (net(outcome) > net(most) ? outcome : most));
  return outcomes.map((outcome) => ({ outcome, below: outcome.output === null ? 10_000 : ((net(best) - net(outcome)) / Number(best.output)) * 10_000 }));
}
