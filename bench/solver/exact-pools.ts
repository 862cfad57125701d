import type { Plan } from '../../src/routing/routing.ts';
import { type SnapshotView, WordReader } from '../../src/snapshot/snapshot.ts';
import { momentOf, type QuoteMoment, type SolverVenue, type SolverVenues } from '../../src/venues/venues.ts';

/** The exact state of a pool, kept after the pin is given up, and the moment of the block that it is of. */
export type ExactPool = {
  readonly key: string;
  readonly tokens: readonly number[];
  readonly venue: SolverVenue;
  readonly state: unknown;
  readonly at: QuoteMoment;
};

/** One swap of a route. It takes `numerator / denominator` of what is left of its input token, rounded down; all of it where both are equal. */
export type RouteLeg = {
  readonly pool: ExactPool;
  readonly slotIn: number;
  readonly slotOut: number;
  readonly numerator: bigint;
  readonly denominator: bigint;
};

export type Execution = { readonly ok: true; readonly output: bigint; readonly gas: number } | { readonly ok: false; readonly reason: string };

export function readExactPools(view: SnapshotView, venues: SolverVenues): ReadonlyMap<string, ExactPool> {
  const at = momentOf(view.block);
  const pools = new Map<string, ExactPool>();
  for (let id = 0; id < view.poolCount; id++) {
    const pool = view.pool(id);
    const venue = pool === undefined ? undefined : venues.get(pool.venue);
    if (pool === undefined || venue === undefined) continue;
    pools.set(pool.key, { key: pool.key, tokens: [...pool.tokens], venue, state: venue.state.unpack(new WordReader(pool.words)), at });
  }
  return pools;
}

/** Runs a route as the contracts would, swap by swap, by the venues' own exact mathematics. */
export function execute(legs: readonly RouteLeg[], sell: number, buy: number, input: bigint): Execution {
  const balances = new Map<number, bigint>([[sell, input]]);
  const states = new Map<string, unknown>();
  let gas = 0;
  for (const { pool, slotIn, slotOut, numerator, denominator } of legs) {
    const [tokenIn, tokenOut] = [pool.tokens[slotIn] as number, pool.tokens[slotOut] as number];
    const balance = balances.get(tokenIn) ?? 0n;
    const amount = (balance * numerator) / denominator;
    if (amount === 0n) continue;
    const quote = pool.venue.price.exactIn(states.get(pool.key) ?? pool.state, slotIn, slotOut, amount, pool.at);
    if (!quote.ok) return { ok: false, reason: `${pool.key} ${quote.reason}` };
    if (quote.amountIn !== amount) return { ok: false, reason: `${pool.key} partial` };
    states.set(pool.key, quote.next);
    balances.set(tokenIn, balance - amount);
    balances.set(tokenOut, (balances.get(tokenOut) ?? 0n) + quote.amountOut);
    gas += quote.gas;
  }
  return { ok: true, output: balances.get(buy) ?? 0n, gas };
}

/** A plan's hops as legs. */
export function legsOf(plan: Plan, pools: ReadonlyMap<string, ExactPool>, idOf: (address: string) => number): readonly RouteLeg[] {
  return plan.hops.map(({ poolKey, tokenIn, tokenOut, bps }) => {
    const pool = pools.get(poolKey);
    if (pool === undefined) throw new Error(`the plan uses the pool ${poolKey}, which the set does not have`);
    return { pool, slotIn: pool.tokens.indexOf(idOf(tokenIn)), slotOut: pool.tokens.indexOf(idOf(tokenOut)), numerator: BigInt(bps), denominator: 10_000n };
  });
}
