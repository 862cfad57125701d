import { type ExactPool, execute, type RouteLeg } from '../../bench/solver/exact-pools.ts';

/** A direction of a pool. */
export type Hop = { readonly pool: ExactPool; readonly slotIn: number; readonly slotOut: number };

export type Subset = { readonly legs: readonly RouteLeg[]; readonly output: bigint; readonly gas: number; readonly net: number };

export type SubsetQuestion = {
  readonly pools: Iterable<ExactPool>;
  readonly sell: number;
  readonly buy: number;
  readonly amount: bigint;
  readonly perGas: number;
  readonly maxHops: number;
  /** Hops of a route at most. */
  readonly size: number;
};

const WHOLE = 10_000n;
const SWEEPS = 4;

/**
 * Every set of a few hops that is a route within the limit, with the shares of each searched one after the other by exact runs: slow, of tiny markets only, and with nothing in common with the
 * reference but the exact run. null where nothing executes.
 */
export function bestOfSubsets(question: SubsetQuestion): Subset | null {
  const hops = hopsOf(question);
  let best: Subset | null = null;
  const choose = (from: number, chosen: readonly Hop[]): void => {
    const order = orderOf(question, chosen);
    if (order !== null) {
      const found = bestShares(question, order);
      if (found !== null && (best === null || found.net > best.net)) best = found;
    }
    if (chosen.length === question.size) return;
    for (let next = from; next < hops.length; next++) choose(next + 1, [...chosen, hops[next] as Hop]);
  };
  choose(0, []);
  return best;
}

function hopsOf({ pools, sell, buy }: SubsetQuestion): readonly Hop[] {
  return [...pools].flatMap((pool) =>
    pool.tokens.flatMap((from, slotIn) =>
      pool.tokens.flatMap((to, slotOut): Hop[] => (from === to || to === sell || from === buy ? [] : [{ pool, slotIn, slotOut }])),
    ),
  );
}

const fromOf = ({ pool, slotIn }: Hop): number => pool.tokens[slotIn] as number;
const toOf = ({ pool, slotOut }: Hop): number => pool.tokens[slotOut] as number;

/** The hops by token, each token after all that flow into it; null where they are no route: a circle, a dead end, a chain that is too long, a pool of two tokens both ways. */
function orderOf({ sell, buy, maxHops }: SubsetQuestion, hops: readonly Hop[]): readonly (readonly Hop[])[] | null {
  if (hops.length === 0) return null;
  if (
    hops.some((hop, at) => hops.some((other, behind) => behind > at && other.pool === hop.pool && other.slotIn === hop.slotOut && other.slotOut === hop.slotIn))
  )
    return null;
  const levels = new Map([[sell, 0]]);
  for (let round = 0; round <= maxHops; round++) {
    for (const hop of hops) {
      const level = levels.get(fromOf(hop));
      if (level !== undefined) levels.set(toOf(hop), Math.max(levels.get(toOf(hop)) ?? 0, level + 1));
    }
  }
  if (!levels.has(buy) || [...levels.values()].some((level) => level > maxHops)) return null;
  if (hops.some((hop) => !levels.has(fromOf(hop)) || (toOf(hop) !== buy && !hops.some((next) => fromOf(next) === toOf(hop))))) return null;
  const tokens = [...levels].sort((a, b) => a[1] - b[1]).map(([token]) => hops.filter((hop) => fromOf(hop) === token));
  return tokens.filter((own) => own.length > 0);
}

function bestShares({ sell, buy, amount, perGas }: SubsetQuestion, order: readonly (readonly Hop[])[]): Subset | null {
  const shares = order.map((own) => own.map((_, at) => WHOLE / BigInt(own.length - at)));
  const run = (): Subset => {
    const legs = order.flatMap((own, token) => own.map((hop, at) => ({ ...hop, numerator: shares[token]?.[at] as bigint, denominator: WHOLE })));
    const ran = execute(legs, sell, buy, amount);
    return ran.ok
      ? { legs, output: ran.output, gas: ran.gas, net: Number(ran.output) - perGas * ran.gas }
      : { legs, output: 0n, gas: 0, net: Number.NEGATIVE_INFINITY };
  };
  let best = run();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const before = best.net;
    for (const own of shares) {
      for (let at = 0; at < own.length - 1; at++) {
        const tried = new Map<bigint, Subset>();
        const netAt = (share: bigint): number => {
          own[at] = share;
          const found = tried.get(share) ?? run();
          tried.set(share, found);
          if (found.net > best.net) best = found;
          return found.net;
        };
        const known = own[at] as bigint;
        const most = narrow(netAt, known);
        own[at] = most;
      }
    }
    if (!(best.net > before)) break;
  }
  return best.net > Number.NEGATIVE_INFINITY ? best : null;
}

/** The share of the most net, where that rises and then falls; refused runs count as nothing. Between a coarse grid and the basis point by thirds. */
function narrow(netAt: (share: bigint) => number, known: bigint): bigint {
  const grid = [known, ...Array.from({ length: 11 }, (_, at) => BigInt(at) * 1000n)];
  const start = grid.reduce((best, share) => (netAt(share) > netAt(best) ? share : best), known);
  let [low, high] = [start > 1000n ? start - 1000n : 0n, start + 1000n < WHOLE ? start + 1000n : WHOLE];
  while (high - low > 2n) {
    const third = (high - low) / 3n;
    if (netAt(low + third) >= netAt(high - third)) high -= third;
    else low += third;
  }
  return [low, low + 1n, high, start].reduce((best, share) => (netAt(share) > netAt(best) ? share : best));
}
