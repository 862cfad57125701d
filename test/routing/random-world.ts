import fc from 'fast-check';
import { concentratedPool, type PoolEntry, pairPool, token } from './world.ts';

/** One random pool between two tokens, before prices are known. */
type Draft = {
  readonly ends: readonly [number, number];
  readonly concentrated: boolean;
  readonly depth: number;
  readonly skew: number;
  readonly width: number;
  readonly wild: boolean;
};

/** Worlds of a few tokens and pools: mostly near one set of prices, some mispriced, some of dust. Token numbers 0 … tokenCount − 1. */
export function randomPools(tokenCount: number, maxPools: number): fc.Arbitrary<PoolEntry[]> {
  const end = fc.integer({ min: 0, max: tokenCount - 1 });
  const draft: fc.Arbitrary<Draft> = fc.record({
    ends: fc.tuple(end, end).filter(([a, b]) => a !== b),
    concentrated: fc.boolean(),
    depth: fc.double({ min: 6, max: 26, noNaN: true }),
    skew: fc.double({ min: -0.02, max: 0.02, noNaN: true }),
    width: fc.integer({ min: 1, max: 300 }),
    wild: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  });
  const prices = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: tokenCount, maxLength: tokenCount });
  return fc.tuple(prices, fc.array(draft, { minLength: 1, maxLength: maxPools })).map(([levels, drafts]) => drafts.map((pool, id) => build(pool, id, levels)));
}

function build(pool: Draft, id: number, levels: readonly number[]): PoolEntry {
  const [a, b] = pool.ends[0] < pool.ends[1] ? pool.ends : [pool.ends[1], pool.ends[0]];
  // Logarithm (base 10) of how many units of b one unit of a buys.
  const rate = (levels[a] ?? 0) - (levels[b] ?? 0) + (pool.wild ? pool.skew * 200 : pool.skew);
  if (!pool.concentrated) {
    const reserve = (exponent: number) => BigInt(Math.max(1, Math.round(10 ** Math.min(30, Math.max(0, exponent)))));
    return pairPool(id, [a, b], [reserve(pool.depth - rate / 2), reserve(pool.depth + rate / 2)], pool.width % 2 === 0 ? 30 : 5);
  }
  const tick = Math.round((rate * Math.LN10) / Math.log(1.0001));
  const centre = Math.round(tick / 60) * 60;
  const liquidity = BigInt(Math.round(10 ** pool.depth));
  return concentratedPool(id, [a, b], tick, [
    [centre - 60 * pool.width, centre + 60 * pool.width, liquidity],
    [centre - 60 * (pool.width + 40), centre + 60 * (1 + (pool.width >> 2)), liquidity * 3n],
  ]);
}

/** As randomPools, with weighted and stable pools of three and four tokens among them: the tokens of one pool mostly agree in price, those of different pools less. */
export function randomPoolsOfManyTokens(tokenCount: number, maxPools: number): fc.Arbitrary<PoolEntry[]> {
  const numbers = Array.from({ length: tokenCount }, (_, number) => number);
  const wide = fc
    .record({
      members: fc.shuffledSubarray(numbers, { minLength: 3, maxLength: 4 }),
      stable: fc.boolean(),
      depth: fc.double({ min: 6, max: 24, noNaN: true }),
      skews: fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 4, maxLength: 4 }),
    })
    .map(({ members, stable, depth, skews }) => manyTokenPool(members, stable, 10 ** depth, skews));
  const narrow = randomPools(tokenCount, maxPools);
  return fc
    .tuple(narrow, fc.array(wide, { minLength: 1, maxLength: maxPools }))
    .map(([pairs, wides]) => [...pairs, ...wides.map((pool, index) => ({ ...pool, id: wideId(index) }))]);
}

/** A weighted or stable pool of Balancer without an id; `skews` scale the balances. */
export function manyTokenPool(members: readonly number[], stable: boolean, depth: number, skews: readonly number[]): PoolEntry {
  const balances = members.map((_, slot) => String(BigInt(Math.ceil(depth * (skews[slot] ?? 1)))));
  const pool = { venue: 'balancer_v2', tokens: members.map(token), balances, swapFee: String(10n ** 15n) };
  if (stable) return { ...pool, kind: 'stable', amp: '100', priceRates: members.map(() => String(10n ** 18n)) };
  const weight = 10n ** 18n / BigInt(members.length);
  const weights = members.map((_, slot) => String(slot === 0 ? 10n ** 18n - weight * BigInt(members.length - 1) : weight));
  return { ...pool, kind: 'weighted', weights, version: 'v3Plus' };
}

function wideId(index: number): string {
  return `0x${(0xc0000 + index).toString(16).padStart(40, '0')}`;
}

/** A vault from one token to another that takes up to `cap` units and gives `permille` thousandths of what comes in. */
export function cappedVault(id: string, ends: readonly [number, number], permille: bigint, cap: bigint): PoolEntry {
  const one = 10n ** 18n;
  return { kind: 'erc4626', id, venue: 'erc4626', tokens: ends.map(token), rates: [String(one), String((one * 1000n) / permille)], maxDeposit: String(cap) };
}

/** Worlds that nobody would build: as randomPoolsOfManyTokens, with reserves of one unit and of all that a pool can hold, vaults of any capacity, equal pools, and prices that have nothing to do with each other. */
export function hostilePools(tokenCount: number, maxPools: number): fc.Arbitrary<PoolEntry[]> {
  const end = fc.integer({ min: 0, max: tokenCount - 1 });
  const ends = fc.tuple(end, end).filter(([a, b]) => a !== b);
  const reserve = fc.oneof(fc.constantFrom(1n, 2n, 1000n, 2n ** 112n - 1n), fc.bigInt(1n, 2n ** 100n));
  const extreme = fc
    .tuple(ends, reserve, reserve, fc.constantFrom(0, 30, 9999))
    .map(([[a, b], one, other, fee]) => pairPool(0, [Math.min(a, b), Math.max(a, b)], [one, other], fee));
  const cap = fc.double({ min: 0, max: 27, noNaN: true }).map((exponent) => BigInt(Math.round(10 ** exponent)));
  const vault = fc.tuple(ends, fc.bigInt(1n, 3000n), cap).map(([pair, permille, most]) => cappedVault('', pair, permille, most));
  const odd = fc.array(fc.oneof(extreme, vault), { minLength: 0, maxLength: maxPools });
  const twins = fc.array(fc.nat(), { maxLength: 3 });
  return fc.tuple(randomPoolsOfManyTokens(tokenCount, maxPools), odd, twins).map(([usual, odds, repeated]) => {
    const named = [...usual, ...odds.map((pool, index) => ({ ...pool, id: hex(0xd0000 + index) }))];
    return [...named, ...repeated.map((which, index) => ({ ...named[which % named.length], id: hex(0xe0000 + index) }))];
  });
}

function hex(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}
