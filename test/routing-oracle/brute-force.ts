import type { SolverVenue, SolverVenues } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { DECIMALS, type SmallPool } from './small-market.ts';

// A slow solver that knows nothing of the router: all simple paths, all splits on a grid, exact mathematics of the venues.

/**
 * `once`: a second slice may not follow the first. A plan uses a pool once, for all that flows over it; but two swaps of a pool that takes its fee from the
 * output give more than one, since the second takes of the fee that the first left behind, and two of a weighted pool each have its ratio limit.
 */
type Pool = { readonly tokens: readonly string[]; readonly venue: SolverVenue; readonly state: unknown; readonly once: boolean };
type Hop = { readonly pool: number; readonly slotIn: number };

const MOST_PATHS = 6;

export type BruteForce = { readonly best: bigint; readonly single: bigint };

/** The most that `amount` gives over all simple paths of at most `maxHops`, in all splits into `parts` equal parts over the best few of them; 0 where nothing works. */
export function bruteForce(
  entries: readonly SmallPool[],
  venues: SolverVenues,
  sell: string,
  buy: string,
  amount: bigint,
  maxHops: number,
  parts: number,
): BruteForce {
  const pools = entries.flatMap((entry) => readPool(entry, venues));
  const paths = simplePaths(pools, sell, buy, maxHops);
  const alone = paths.map((path) => ({ path, output: run(pools, [{ path, input: amount }]) })).sort((a, b) => (a.output < b.output ? 1 : -1));
  let best = alone[0]?.output ?? 0n;
  const tried = alone.slice(0, MOST_PATHS).map(({ path }) => path);
  for (const shares of compositions(parts, tried.length)) {
    let left = amount;
    const last = shares.findLastIndex((share) => share > 0);
    const slices = tried.map((path, index) => {
      const input = index === last ? left : (amount * BigInt(shares[index] ?? 0)) / BigInt(parts);
      left -= input;
      return { path, input };
    });
    const output = run(pools, slices);
    if (output > best) best = output;
  }
  return { best, single: alone[0]?.output ?? 0n };
}

function readPool(entry: SmallPool, venues: SolverVenues): readonly Pool[] {
  const ofKind = [...venues.values()].filter(({ venue }) => venue.poolSetKind === entry.kind);
  const venue = ofKind.find((candidate) => candidate.venue.families.some(({ family }) => family === entry.venue));
  if (venue?.state.fromPoolSet === undefined) return [];
  const decimals = entry.tokens.map(() => DECIMALS);
  return [
    {
      tokens: entry.tokens,
      venue,
      state: venue.state.fromPoolSet(entry, entry.tokens.length, decimals),
      once: entry.venue === 'curve' || entry.kind === 'weighted',
    },
  ];
}

function simplePaths(pools: readonly Pool[], from: string, buy: string, maxHops: number): readonly (readonly Hop[])[] {
  const found: (readonly Hop[])[] = [];
  const walk = (token: string, hops: readonly Hop[], visited: ReadonlySet<string>): void => {
    if (token === buy) {
      found.push(hops);
      return;
    }
    if (hops.length === maxHops) return;
    for (const [index, { tokens }] of pools.entries()) {
      const slotIn = tokens.indexOf(token);
      const next = tokens[1 - slotIn];
      if (slotIn < 0 || next === undefined || visited.has(next)) continue;
      walk(next, [...hops, { pool: index, slotIn }], new Set([...visited, next]));
    }
  };
  walk(from, [], new Set([from]));
  return found;
}

/** Runs the slices one after the other, pools keeping their state. 0 when a swap fails. */
function run(pools: readonly Pool[], slices: readonly { readonly path: readonly Hop[]; readonly input: bigint }[]): bigint {
  const states = pools.map(({ state }) => state);
  let total = 0n;
  for (const { path, input } of slices) {
    if (input === 0n) continue;
    let amount = input;
    for (const { pool, slotIn } of path) {
      if (pools[pool]?.once && states[pool] !== pools[pool]?.state) return 0n;
      const quote = pools[pool]?.venue.price.exactIn(states[pool], slotIn, 1 - slotIn, amount, MOMENT);
      if (quote === undefined || !quote.ok || quote.amountIn !== amount) return 0n;
      states[pool] = quote.next;
      amount = quote.amountOut;
    }
    total += amount;
  }
  return total;
}

function compositions(total: number, places: number): readonly (readonly number[])[] {
  if (places === 0) return [];
  if (places === 1) return [[total]];
  return Array.from({ length: total + 1 }, (_, first) => compositions(total - first, places - 1).map((rest) => [first, ...rest])).flat();
}
