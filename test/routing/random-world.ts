import fc from 'fast-check';
import { concentratedPool, type PoolEntry, pairPool } from './world.ts';

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
