import type { BenchRequest, BenchSet } from './bench-set.ts';
import { createBraid, type Outcome, singlePathOutcomes } from './candidates.ts';
import { gasInSought, type Selection, selectRequests } from './measure.ts';

/** The depths that are compared; null: the service's own, by size. */
export const FYND_DEPTHS = [3, 7, null] as const;
/** Depth of the best single path, and of what counts as routable. */
export const FYND_HOPS = 3;

/** One depth on one request. */
export type FyndSolve = {
  readonly answered: boolean;
  readonly millis: number;
  /** Output less gas over that of the best single path, in basis points of it; NaN where gas eats that path's output. */
  readonly gainBps: number;
  /** Less, net of gas, than the best single path gives. */
  readonly below: boolean;
};

export type FyndTrade = { readonly id: string; readonly usd: number; readonly solves: readonly FyndSolve[] };

export type FyndMeasured = {
  readonly selection: Selection;
  readonly trades: readonly FyndTrade[];
  /** Requests without a way within the hops, or with none that takes the amount: found out in so many milliseconds each. */
  readonly noRoute: { readonly asked: number; readonly answered: number; readonly millis: readonly number[] };
  /** Searches for the best single path that were cut off. */
  readonly cutOff: number;
};

const WARM_UP = 40;
/** A difference below this share is rounding. */
const DRAW = 1e-7;

/** Fynd's own requests, gas-aware, beside the best single path net of gas. Every n-th request; null: all. */
export function measureFynd(set: BenchSet, gasPriceWei: bigint, every: number | null, repeat: number): FyndMeasured {
  const selection = selectRequests(set, FYND_HOPS, set.requests.length, every);
  const braid = createBraid(set, repeat);
  for (const request of selection.requests.slice(0, WARM_UP)) for (const depth of FYND_DEPTHS) braid(request, depth, gasPriceWei);
  let cutOff = 0;
  const refused: Outcome[] = [];
  const trades = selection.requests.flatMap((request): FyndTrade[] => {
    const perGas = gasInSought(set, request, gasPriceWei);
    const single = singlePathOutcomes(set, request, request.amount, FYND_HOPS, perGas);
    if (!single.complete) cutOff++;
    const ours = FYND_DEPTHS.map((depth) => braid(request, depth, gasPriceWei));
    if ([single.net, ...ours].every(({ output }) => output === null)) {
      refused.push(...ours.slice(0, 1));
      return [];
    }
    return [{ id: request.id, usd: usdOf(set, request), solves: ours.map((outcome) => compare(outcome, single.net, perGas)) }];
  });
  const routable = new Set(selectRequests(set, FYND_HOPS, set.requests.length, 1).requests);
  const others = set.requests.filter((request) => !routable.has(request)).filter((_, index) => index % selection.every === 0);
  refused.push(...others.map((request) => braid(request, FYND_HOPS, gasPriceWei)));
  const noRoute = { asked: refused.length, answered: refused.filter(({ output }) => output !== null).length, millis: refused.map(({ millis }) => millis) };
  return { selection, trades, noRoute, cutOff };
}

function compare(ours: Outcome, single: Outcome, perGas: number): FyndSolve {
  const net = ({ output, gas }: Outcome): number => (output === null ? Number.NEGATIVE_INFINITY : Number(output) - perGas * gas);
  const [mine, theirs] = [net(ours), net(single)];
  const gross = Number(single.output ?? 0n);
  return {
    answered: ours.output !== null,
    millis: ours.millis,
    gainBps: theirs > 0 ? ((mine - theirs) / theirs) * 10_000 : Number.NaN,
    below: mine < theirs - gross * DRAW,
  };
}

function usdOf({ tokens }: BenchSet, { sell, amount }: BenchRequest): number {
  const token = tokens[sell];
  return token === undefined ? Number.NaN : (Number(amount) / 10 ** token.decimals) * token.usd;
}
