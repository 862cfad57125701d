import type { PoolView } from '../../snapshot/snapshot.ts';
import type { ExactPool } from '../market/pool-models.ts';
import type { SinglePath } from '../paths/path-search.ts';
import type { HopFlow, TokenFlow } from './hop-flows.ts';
import type { SplitHop } from './resimulate.ts';

const WHOLE = 10_000;

/** The hops of a route without splits. */
export function pathHops(path: SinglePath): SplitHop[] {
  return path.hops.map(({ edge }) => ({ pool: edge.pool, slotIn: edge.slotIn, slotOut: edge.slotOut, bps: WHOLE }));
}

/** Hops with their shares; or the pool that would not take what is left of its token, though it was given as little as the others leave. */
export type Rounded = { readonly ok: true; readonly hops: readonly SplitHop[] } | { readonly ok: false; readonly refused: PoolView };

/**
 * Turns flows into sequential bps (decisions S6) while simulating them exactly: shares are chosen from the balance that really arrived, the fullest edges first, rounded down, so that only the last hop of a token, which takes
 * all that is left, can be asked for more than the model meant. A pool that refuses its share is given less, once and again; what it does not take goes to the hops after it.
 */
export function roundFlows(flows: readonly TokenFlow[], sell: number, input: bigint, exact: (pool: PoolView) => ExactPool | null): Rounded {
  const balances = new Map<number, bigint>([[sell, input]]);
  const states = new Map<PoolView, unknown>();
  const hops: SplitHop[] = [];
  for (const { token, hops: leaving } of flows) {
    const arrived = balances.get(token) ?? 0n;
    let balance = arrived;
    const ordered = inOrder(leaving);
    const wanted = targets(ordered, Number(arrived));
    for (const [index, hop] of ordered.entries()) {
      const last = index === ordered.length - 1;
      const { pool, slotIn, slotOut } = hop.edge;
      const venue = exact(pool);
      if (venue === null) return { ok: false, refused: pool };
      let share = last ? WHOLE : shareOf(hop, (wanted[index] as number) / Number(balance));
      for (let attempt = 0; share > 0; attempt++) {
        const amountIn = share === WHOLE ? balance : (balance * BigInt(share)) / BigInt(WHOLE);
        if (amountIn === 0n) break;
        const quote = venue.price.exactIn(states.get(pool) ?? venue.state, slotIn, slotOut, amountIn);
        if (quote.ok && quote.amountIn === amountIn && quote.amountOut > 0n) {
          states.set(pool, quote.next);
          const tokenOut = pool.tokens[slotOut] as number;
          balances.set(tokenOut, (balances.get(tokenOut) ?? 0n) + quote.amountOut);
          balance -= amountIn;
          hops.push({ pool, slotIn, slotOut, bps: share });
          break;
        }
        if (last) return { ok: false, refused: pool };
        share = attempt < EASED.length ? Math.min(share - 1, Math.floor(share * (EASED[attempt] as number))) : 0;
      }
    }
    balances.set(token, balance);
  }
  return { ok: true, hops };
}

/** What is left of a share that its pool refuses, time after time; then it has to go without. */
const EASED = [0.999, 0.99, 0.9, 0.5] as const;

/**
 * A share is rounded by half a basis point of what is left of the token, so the largest flows go first: what is left for the small ones is then small, and their shares are fine. Before them go the
 * edges that are full; last comes an edge with room for what rounding leaves.
 */
function inOrder(hops: readonly HopFlow[]): readonly HopFlow[] {
  const ordered = [...hops].sort((a, b) => Number(isFull(b)) - Number(isFull(a)) || b.input - a.input);
  const last = ordered.findLastIndex((hop) => !isFull(hop));
  if (last >= 0) ordered.push(...ordered.splice(last, 1));
  return ordered;
}

/** What each hop should take of the balance that arrived: full edges what the model says, the others the rest in the model's proportions. */
function targets(hops: readonly HopFlow[], balance: number): readonly number[] {
  const sum = (of: readonly HopFlow[]) => of.reduce((total, { input }) => total + input, 0);
  const full = hops.filter(isFull);
  const open = sum(hops) - sum(full);
  const rest = Math.max(0, balance - sum(full));
  const all = balance / sum(hops);
  return hops.map((hop) => (open === 0 ? hop.input * Math.min(1, all) : isFull(hop) ? Math.min(hop.input, hop.input * Math.max(all, 1)) : (hop.input / open) * rest));
}

function shareOf(hop: HopFlow, part: number): number {
  const share = isFull(hop) ? Math.floor(part * WHOLE) : Math.round(part * WHOLE);
  return Math.max(0, Math.min(WHOLE - 1, share));
}

/** Rounding moves a flow by about a basis point at most: an edge has room when it can take some of them more. */
function isFull({ input, capacity }: HopFlow): boolean {
  return input > capacity * (1 - 1e-3);
}

/** Neighbouring roundings of the largest splits: a basis point more and less on the hops that divide their token most evenly, so many variants at most. */
export function neighbours(hops: readonly SplitHop[], most: number): SplitHop[][] {
  const splits = hops.map((_hop, index) => index).filter((index) => (hops[index]?.bps ?? WHOLE) < WHOLE);
  splits.sort((a, b) => Math.abs((hops[a]?.bps ?? 0) - WHOLE / 2) - Math.abs((hops[b]?.bps ?? 0) - WHOLE / 2) || a - b);
  splits.length = Math.min(splits.length, most);
  const shifted = (index: number, by: number) => hops.map((hop, at) => (at === index ? { ...hop, bps: hop.bps + by } : hop));
  return splits
    .flatMap((index) => [shifted(index, 1), shifted(index, -1)])
    .filter((variant) => variant.every((hop) => hop.bps > 0 && hop.bps < WHOLE + 1))
    .filter((variant) => variant.filter((hop) => hop.bps === WHOLE).length === hops.filter((hop) => hop.bps === WHOLE).length)
    .slice(0, most);
}
