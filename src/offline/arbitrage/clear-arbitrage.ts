import { LIMITS } from '../../config/limits.ts';
import type { LoadedPoolSet } from '../../pool-set/pool-set.ts';
import type { SnapshotReader } from '../../snapshot/snapshot.ts';
import type { Address } from '../../units/units.ts';
import type { SolverVenues } from '../../venues/venues.ts';
import { deepestCycle, promiseOf } from './deepest-cycle.ts';
import { factsAfter, type MarketEdge, type MarketPool, moveTo, openMarket } from './exact-market.ts';
import { CycleSearch, gainOf, LEAST_GAIN } from './find-cycle.ts';
import { bestCycleTrade } from './trade-cycle.ts';

/** What the arbitrageur did. */
export type ClearedArbitrage = {
  readonly trades: number;
  readonly poolsChanged: number;
  /** Dust pools that offer what whole units can not take out; they are left out of the snapshot, since the offer would stand for ever. */
  readonly poolsLeftOut: number;
  /** Base units taken out, by token. */
  readonly takenOut: ReadonlyMap<Address, bigint>;
  /** false: the bound on trades was reached first. */
  readonly complete: boolean;
};

/** A pool whose offers stay out of reach by more than this (a logarithm: 10 bps) is dust. */
const DUST = 1e-3;

/**
 * Free arbitrage makes an upper bound on a trade's output meaningless, since a small trade would harvest it. Lets an arbitrageur trade every cycle that pays,
 * by the exact mathematics of the venues, and publishes the pools as that leaves them.
 */
export function clearArbitrage(loaded: LoadedPoolSet, reader: SnapshotReader, venues: SolverVenues): ClearedArbitrage {
  const market = openMarket(reader, venues);
  const search = new CycleSearch(market);
  const takenOut = new Map<Address, bigint>();
  let trades = 0;
  let found = search.next();
  for (; found !== null && trades < LIMITS.files.arbitrageTrades; found = search.next()) {
    const cycle = deepestCycle(market, found);
    const done = trade(cycle, ({ from }) => market.addresses[from] === loaded.wrappedNative) ?? trade(cycle, finest(cycle));
    if (done === null) {
      const pool = coarsest(cycle);
      // Blunter than the gain by a hair, so that rounding can not find the cycle again.
      pool.blunt += gainOf(cycle) + LEAST_GAIN;
      if (pool.blunt > DUST) pool.blunt = Number.POSITIVE_INFINITY;
      search.changed(pool);
      continue;
    }
    trades++;
    const token = market.addresses[done.token] as Address;
    takenOut.set(token, (takenOut.get(token) ?? 0n) + done.gain);
    for (const { pool } of cycle) search.changed(pool);
  }
  const leftOut = market.pools.filter(({ blunt }) => blunt === Number.POSITIVE_INFINITY);
  const changed = market.pools.filter(({ traded, blunt }) => traded && blunt !== Number.POSITIVE_INFINITY);
  for (const pool of leftOut) loaded.writer.removePool(pool.identity.key);
  for (const pool of changed) loaded.writer.setPool(factsAfter(pool));
  loaded.writer.publish(loaded.block);
  return { trades, poolsChanged: changed.length, poolsLeftOut: leftOut.length, takenOut, complete: found === null };
}

const LARGEST_GUESS = 2 ** 200;

/** Trades a cycle from the first edge that qualifies; null when that takes nothing out. */
function trade(cycle: readonly MarketEdge[], qualifies: (edge: MarketEdge) => boolean): { readonly token: number; readonly gain: bigint } | null {
  const ordered = startingWith(cycle, qualifies);
  const { input } = promiseOf(ordered);
  const best = bestCycleTrade(ordered, input >= 1 && input < LARGEST_GUESS ? BigInt(Math.floor(input)) : 1n);
  if (best === null) return null;
  for (const [hop, { pool }] of ordered.entries()) moveTo(pool, best.states[hop]);
  return { token: ordered[0]?.from ?? -1, gain: best.amountOut - best.amountIn };
}

/** The same cycle from another start; as it is when no edge qualifies. */
function startingWith(cycle: readonly MarketEdge[], qualifies: (edge: MarketEdge) => boolean): readonly MarketEdge[] {
  const at = Math.max(0, cycle.findIndex(qualifies));
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}

/** The edge whose input token counts most units for the same worth: there the smallest gain is still a whole unit. */
function finest(cycle: readonly MarketEdge[]): (edge: MarketEdge) => boolean {
  let units = 0;
  let most = { edge: cycle[0], units };
  for (const edge of cycle) {
    if (units > most.units) most = { edge, units };
    units += edge.logRate;
  }
  return (edge) => edge === most.edge;
}

/** The pool that is shallowest, measured in the token that the cycle starts with: the one whose rate halves first. */
function coarsest(cycle: readonly MarketEdge[]): MarketPool {
  let logPrice = 0;
  let least: { readonly pool: MarketPool; readonly depth: number } | null = null;
  for (const edge of cycle) {
    const depth = Math.log(Number(halvingInput(edge))) - logPrice;
    if (least === null || depth < least.depth) least = { pool: edge.pool, depth };
    logPrice += edge.logRate;
  }
  if (least === null) throw new TypeError('a cycle has an edge');
  return least.pool;
}

/** Most input, to a factor of four, that still gives half of what the first unit would; searched from above, since dust gives nothing. */
function halvingInput({ pool, slotIn, slotOut, logRate }: MarketEdge): bigint {
  let amount = 1n << 128n;
  for (; amount > 1n; amount >>= 2n) {
    const quote = pool.venue.price.exactIn(pool.state, slotIn, slotOut, amount, pool.at);
    if (quote.ok && Math.log(Number(quote.amountOut)) - Math.log(Number(amount)) > logRate - Math.LN2) break;
  }
  return amount;
}
