import type { BenchRequest, BenchSet } from './bench-set.ts';
import { type BraidOutcome, createBraid, singlePathOutcomes } from './candidates.ts';
import { gasInToken } from './gas-in-token.ts';
import { leastInput } from './least-input.ts';
import { DEEP_HOPS, LOOSE_BPS } from './measure.ts';

export const BUY_FREE = 'braid, buy, gas 0';
export const BUY_DEEP = 'braid, buy, gas 0, 7 hops';
export const BUY_AWARE = 'braid, buy, gas-aware';
export const BUY_SOLVERS = [BUY_FREE, BUY_DEEP, BUY_AWARE] as const;
export type BuySolver = (typeof BUY_SOLVERS)[number];

/** One answer of a request to buy. Basis points; NaN where there is none to tell. */
export type Buy = {
  readonly outcome: BraidOutcome;
  /** Input above the least that could give the target, by the certified bound. */
  readonly lost: number;
  /** Input with gas above the cheapest known one. */
  readonly netLost: number;
  /** Input, with gas where gas counts, above that of the best single path. */
  readonly aboveSingle: number;
};

export type BuyRow = {
  readonly id: string;
  /** false: the bound is too loose to judge by. */
  readonly judged: boolean;
  readonly boundMillis: number;
  readonly buys: Readonly<Record<BuySolver, Buy>>;
};

export type BuyOptions = { readonly maxHops: number; readonly gasPriceWei: bigint; readonly repeat: number };

const WARM_UP = 40;

/**
 * Buys of what the best single path gives for the amount of each sell: that path is a route, so every one of them has an answer, and one that asks for no more than the
 * path took.
 */
export function measureBuys(set: BenchSet, requests: readonly BenchRequest[], options: BuyOptions): readonly BuyRow[] {
  const { maxHops, gasPriceWei } = options;
  const braid = createBraid(set, options.repeat);
  const targets = requests.flatMap((request): Target[] => {
    if (request.mode !== 'sell') return [];
    const { gross } = singlePathOutcomes(set, request, request.amount, maxHops, gasInToken(set, request.buy, gasPriceWei));
    return gross.output === null ? [] : [{ request: { ...request, mode: 'buy', amount: gross.output }, input: request.amount, gas: gross.gas }];
  });
  const solve = (request: BenchRequest): Readonly<Record<BuySolver, BraidOutcome>> => ({
    [BUY_FREE]: braid(request, maxHops, null),
    [BUY_DEEP]: braid(request, DEEP_HOPS, null),
    [BUY_AWARE]: braid(request, maxHops, gasPriceWei),
  });
  for (const { request } of targets.slice(0, WARM_UP)) solve(request);
  return targets.map((target) => judge(set, target, solve(target.request), gasPriceWei));
}

type Target = { readonly request: BenchRequest; readonly input: bigint; readonly gas: number };

function judge(set: BenchSet, { request, input, gas }: Target, outcomes: Readonly<Record<BuySolver, BraidOutcome>>, gasPriceWei: bigint): BuyRow {
  const perGas = gasInToken(set, request.sell, gasPriceWei);
  const asked = (name: BuySolver): number => Number(outcomes[name].plan?.sellAmount ?? Number.NaN);
  const net = (name: BuySolver): number => asked(name) + perGas * outcomes[name].gas;
  const single = { gross: Number(input), net: Number(input) + perGas * gas };
  const reached = Math.min(single.gross, ...BUY_SOLVERS.map(asked).filter((value) => !Number.isNaN(value)));
  const started = performance.now();
  const least = leastInput(set.market, request.sell, request.buy, Number(request.amount), reached);
  const boundMillis = performance.now() - started;
  const judged = least !== null && least.slackBps <= LOOSE_BPS;
  const cheapest = Math.min(single.net, ...BUY_SOLVERS.map(net).filter((value) => !Number.isNaN(value)));
  const above = (value: number, reference: number): number => ((value - reference) / reference) * 10_000;
  const buyOf = (name: BuySolver): Buy => ({
    outcome: outcomes[name],
    lost: judged ? above(asked(name), least.input) : Number.NaN,
    netLost: above(net(name), cheapest),
    aboveSingle: name === BUY_AWARE ? above(net(name), single.net) : above(asked(name), single.gross),
  });
  return { id: request.id, judged, boundMillis, buys: { [BUY_FREE]: buyOf(BUY_FREE), [BUY_DEEP]: buyOf(BUY_DEEP), [BUY_AWARE]: buyOf(BUY_AWARE) } };
}
