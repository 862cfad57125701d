import type { BenchRequest, BenchSet } from './bench-set.ts';
import { createBraid } from './candidates.ts';
import { ROUNDING_UNITS, type RoundTrip, roundTrip } from './round-trip.ts';

/** Tokens of all depths: deep ones, thin ones, one of two decimals and one of none. */
const SYMBOLS = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'GUSD', 'SEAT', 'LINK', 'MKR', 'PEPE', 'NEAR', 'MUTE'];
/** Dollars. The largest are more than some of the pools hold. */
const SIZES = [1e4, 1e5, 1e6, 1e7] as const;

/** Every ordered pair of the tokens at every size, sizes of a pair in order: 528. */
export function roundTripRequests({ tokens }: BenchSet): readonly BenchRequest[] {
  const ids = SYMBOLS.map((symbol) => tokens.findIndex((token) => token.symbol === symbol));
  const pairs = ids.flatMap((sell) => ids.filter((buy) => buy !== sell).map((buy) => ({ sell, buy })));
  return pairs.flatMap(({ sell, buy }) =>
    SIZES.map((usd): BenchRequest => {
      const [sold, bought] = [tokens[sell], tokens[buy]];
      if (sold === undefined || bought === undefined) throw new TypeError('a token of the round trips is not in the set');
      const amount = BigInt(Math.floor((usd / sold.usd) * 10 ** sold.decimals));
      const id = `$${usd.toLocaleString('en-US')} ${sold.symbol}→${bought.symbol}`;
      return { id, mode: 'sell', sell, buy, sellToken: sold.address, buyToken: bought.address, amount };
    }),
  );
}

const WARM_UP = 20;

/** Whole pairs, each n-th of them, so that the sizes of a pair stay together. */
export function measureRoundTrips(
  set: BenchSet,
  limit: number,
  maxHops: number | null,
  gasPriceWei: bigint | null,
): { readonly trips: readonly RoundTrip[]; readonly of: number; readonly every: number } {
  const requests = roundTripRequests(set);
  const pairs = requests.length / SIZES.length;
  const every = Math.max(1, Math.floor(pairs / Math.max(1, Math.ceil(limit / SIZES.length))));
  const chosen = requests.filter((_, index) => Math.floor(index / SIZES.length) % every === 0).slice(0, Math.max(limit, 1));
  const braid = createBraid(set, 1);
  for (const request of chosen.slice(0, WARM_UP)) roundTrip(set, braid, request, maxHops, gasPriceWei);
  return { trips: chosen.map((request) => roundTrip(set, braid, request, maxHops, gasPriceWei)), of: requests.length, every };
}

/** Less for more: by how much each sell gives less than a smaller one of its pair, in basis points of that one. A sell without a route, where a smaller one has one, is not counted: it is more than the pools take. */
export function shortfalls(trips: readonly RoundTrip[]): readonly { readonly id: string; readonly bps: number }[] {
  const most = new Map<string, bigint>();
  return trips.flatMap(({ request, sold }) => {
    const pair = `${request.sell} ${request.buy}`;
    const known = most.get(pair) ?? 0n;
    if (sold.output === null) return [];
    if (sold.output > known) most.set(pair, sold.output);
    return sold.output < known - ROUNDING_UNITS ? [{ id: request.id, bps: (Number(known - sold.output) / Number(known)) * 10_000 }] : [];
  });
}
