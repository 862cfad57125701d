import type { PoolView } from '../../snapshot/snapshot.ts';
import type { QuoteMoment } from '../../venues/venues.ts';
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
 * all that is left, can be asked for more than the model meant. Where that one refuses, what leads to its token is held back, more each time.
 */
export function roundFlows(flows: readonly TokenFlow[], sell: number, input: bigint, exact: (pool: PoolView) => ExactPool | null, at: QuoteMoment): Rounded {
  const held = new Map<number, number>();
  for (;;) {
    const attempt = roundOnce(flows, sell, input, exact, at, held);
    if (attempt.ok) return attempt;
    // What is a small part of its token is not worth holding the others back for.
    if (attempt.small && (held.get(attempt.token) ?? 0) >= SMALL_TIMES) return attempt;
    if (attempt.token === sell || !holdBack(flows, sell, attempt.token, held)) return attempt;
  }
}

/** What is left of a flow whose pool refuses it, time after time; then it has to go without. */
const EASED = [1, 0.9999, 0.999, 0.99, 0.9, 0.5] as const;

/** Gives a token less, and with it those whose hops all lead to tokens that are given less. False where that was done often enough, or would hold back the sell token. */
function holdBack(flows: readonly TokenFlow[], sell: number, token: number, held: Map<number, number>): boolean {
  const times = held.get(token) ?? -1;
  if (times + 1 >= EASED.length) return false;
  held.set(token, times + 1);
  for (const { token: before, hops } of flows.toReversed()) {
    if (before === token || !hops.some((hop) => tokenOut(hop) === token) || !hops.every((hop) => held.has(tokenOut(hop)) || isFull(hop))) continue;
    if (before === sell || !holdBack(flows, sell, before, held)) return before === sell;
  }
  return true;
}

/** How often a token is given less for a hop that should take less than this share of it. */
const SMALL_TIMES = 2;
const SMALL_SHARE = 0.01;

/** `token`: whose last hop refuses; `small`: that hop was meant to take little of it. */
type RoundedOnce = Extract<Rounded, { ok: true }> | (Extract<Rounded, { ok: false }> & { readonly token: number; readonly small: boolean });

function roundOnce(
  flows: readonly TokenFlow[],
  sell: number,
  input: bigint,
  exact: (pool: PoolView) => ExactPool | null,
  at: QuoteMoment,
  held: ReadonlyMap<number, number>,
): RoundedOnce {
  const balances = new Map<number, bigint>([[sell, input]]);
  const states = new Map<PoolView, unknown>();
  const hops: SplitHop[] = [];
  for (const { token, hops: leaving } of flows) {
    let balance = balances.get(token) ?? 0n;
    const ordered = inOrder(leaving, Number(balance), held);
    const wanted = targets(ordered, Number(balance));
    for (const [index, hop] of ordered.entries()) {
      const last = index === ordered.length - 1;
      const { pool, slotIn, slotOut } = hop.edge;
      const venue = exact(pool);
      if (venue === null) return { ok: false, refused: pool, token, small: true };
      let share = last ? WHOLE : shareOf(hop, (wanted[index] as number) / Number(balance));
      for (let attempt = 1; share > 0; attempt++) {
        const amountIn = share === WHOLE ? balance : (balance * BigInt(share)) / BigInt(WHOLE);
        if (amountIn === 0n) break;
        const quote = venue.price.exactIn(states.get(pool) ?? venue.state, slotIn, slotOut, amountIn, at);
        if (quote.ok && quote.amountIn === amountIn && quote.amountOut > 0n) {
          states.set(pool, quote.next);
          const received = tokenOut(hop);
          balances.set(received, (balances.get(received) ?? 0n) + quote.amountOut);
          balance -= amountIn;
          hops.push({ pool, slotIn, slotOut, bps: share });
          break;
        }
        if (last) return { ok: false, refused: pool, token, small: hop.input < SMALL_SHARE * sumOf(ordered) };
        share = attempt < EASED.length ? Math.min(share - 1, Math.floor(share * (EASED[attempt] as number))) : 0;
      }
    }
  }
  return { ok: true, hops };
}

function tokenOut({ edge }: HopFlow): number {
  return edge.pool.tokens[edge.slotOut] as number;
}

/** A hop with what it is meant to take; `full`: no more than that. */
type Meant = HopFlow & { readonly full: boolean };

/**
 * A share is rounded by half a basis point of what is left of the token, so the largest flows go first: what is left for the small ones is then small, and their shares are fine. Before them go the
 * edges that are full or lead to a token that is held back; last comes the smallest edge with room for what rounding leaves, and where far more arrives than the model has use for, the one that takes it with the least gas.
 */
function inOrder(hops: readonly HopFlow[], balance: number, held: ReadonlyMap<number, number>): readonly Meant[] {
  const meant = hops.map((hop): Meant => {
    const times = held.get(tokenOut(hop));
    return { ...hop, input: hop.input * (EASED[times ?? 0] as number), full: times !== undefined || isFull(hop) };
  });
  const ordered = meant.sort((a, b) => Number(b.full) - Number(a.full) || b.input - a.input);
  const open = ordered.filter(({ full }) => !full);
  const last = isSpill(ordered, balance)
    ? open.reduce<Meant | undefined>((least, hop) => (least === undefined || gasOfMore(hop) < gasOfMore(least) ? hop : least), undefined)
    : (open.findLast(({ input, capacity }) => capacity - input > ROOM * balance) ??
      open.reduce<Meant | undefined>((most, hop) => (most === undefined || roomOf(hop) > roomOf(most) ? hop : most), undefined));
  return last === undefined ? ordered : [...ordered.filter((hop) => hop !== last), last];
}

/** Share of a balance that rounding leaves over at most. */
const ROOM = 1e-3;

function roomOf({ input, capacity }: HopFlow): number {
  return capacity - input;
}

/** Far more arrives than the model has use for: what is over has no route that pays. */
function isSpill(hops: readonly HopFlow[], balance: number): boolean {
  return balance > SPILL * sumOf(hops);
}

const SPILL = 1.01;

function gasOfMore({ edge: { curve } }: HopFlow): number {
  return curve.kind === 'segments' ? curve.gasPerLogPrice : 0;
}

function sumOf(hops: readonly HopFlow[]): number {
  return hops.reduce((total, { input }) => total + input, 0);
}

/** What each hop should take of the balance that arrived: full edges what the model says at most, the others the rest in the model's proportions, or what the model says where the rest has no use. */
function targets(hops: readonly Meant[], balance: number): readonly number[] {
  const full = sumOf(hops.filter((hop) => hop.full));
  const open = sumOf(hops) - full;
  const rest = Math.max(0, balance - full);
  const share = isSpill(hops, balance) ? 1 : rest / open;
  const fits = Math.min(1, balance / (open > 0 ? full : full + open));
  return hops.map((hop) => hop.input * (hop.full ? fits : share));
}

function shareOf({ full }: Meant, part: number): number {
  const share = full ? Math.floor(part * WHOLE) : Math.round(part * WHOLE);
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
