import type { BenchRequest, BenchSet } from './bench-set.ts';
import type { Braid, BraidOutcome } from './candidates.ts';
import { gasInToken } from './gas-in-token.ts';

/** A sell, then the buy of what it gave. */
export type RoundTrip = {
  readonly request: BenchRequest;
  readonly sold: BraidOutcome;
  /** null where the sell has no route, so that there is nothing to buy. */
  readonly bought: BraidOutcome | null;
  /** What the buy costs above the sell, gas of both counted where gas is: basis points of the amount sold, and no more than the buy of a little less does. NaN without both answers. */
  readonly dearerBps: number;
};

/**
 * The little less: shares are whole basis points, so that sales of like amounts give up to a tenth of one more or less. Mostly that is as much of the input; where a market drains, any input may lie between. And a base unit.
 */
const ROUNDING_PART = 100_000n;

/** Base units that rounding may cost; of a token without decimals one is several basis points of a small trade. */
export const ROUNDING_UNITS = 1n;

/** At a depth and gas price; `null` as in a job. A buy may always take the sell's own route, so more than rounding above 0 is a miss of the search. */
export function roundTrip(set: BenchSet, braid: Braid, request: BenchRequest, maxHops: number | null, gasPriceWei: bigint | null): RoundTrip {
  const sold = braid(request, maxHops, gasPriceWei);
  if (sold.output === null) return { request, sold, bought: null, dearerBps: Number.NaN };
  const bought = braid({ ...request, mode: 'buy', amount: sold.output }, maxHops, gasPriceWei);
  const dearer = (buy: BraidOutcome): number => {
    const asked = buy.plan?.sellAmount ?? null;
    if (asked === null) return Number.NaN;
    const gas = gasPriceWei === null ? 0 : gasInToken(set, request.sell, gasPriceWei) * (buy.gas - sold.gas);
    const more = asked - request.amount;
    return ((Number(more === ROUNDING_UNITS ? 0n : more) + gas) / Number(request.amount)) * 10_000;
  };
  const asked = dearer(bought);
  if (!(asked > 0)) return { request, sold, bought, dearerBps: asked };
  const less = sold.output - sold.output / ROUNDING_PART - ROUNDING_UNITS;
  const askedForLess = less > 0n ? dearer(braid({ ...request, mode: 'buy', amount: less }, maxHops, gasPriceWei)) : asked;
  return { request, sold, bought, dearerBps: askedForLess < asked ? askedForLess : asked };
}
