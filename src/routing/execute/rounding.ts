import { LIMITS } from '../../config/limits.ts';
import { curveOutput, curveTangent, emptyTangent } from '../../curves/curves.ts';
import type { PoolView } from '../../snapshot/snapshot.ts';
import { BPS_WHOLE } from '../../units/units.ts';
import type { ExactQuotes } from '../market/exact-quotes.ts';
import type { EdgeModel } from '../market/pool-models.ts';
import type { SinglePath } from '../paths/path-search.ts';
import { ExactRun } from './exact-run.ts';
import type { HopFlow, TokenFlow } from './hop-flows.ts';
import { type SplitHop, wholeHop } from './resimulate.ts';

/** The hops of a route without splits. */
export function pathHops(path: SinglePath): SplitHop[] {
  return path.hops.map(({ edge }) => wholeHop(edge));
}

/**
 * Hops with their shares, by which part of itself one that must not be exceeded was rounded down most, and a swap whose pool took nothing, so that others have its share; or the swap whose pool did not take what is left of its
 * token, though it was given as little as the others leave.
 */
export type Rounded =
  | { readonly ok: true; readonly hops: readonly SplitHop[]; readonly coarsest: number; readonly refused: EdgeModel | null }
  | { readonly ok: false; readonly refused: EdgeModel };

/**
 * Turns flows into sequential bps (decisions S6) while simulating them exactly: shares are chosen from the balance that really arrived, those that must not be exceeded rounded down, so that only the last hop of a token, which
 * takes all that is left, can be asked for more than the model meant. What rounding gives one hop more or less than it should have, those that follow share. Where that one refuses, what leads to its token is held back, as little as does. Where a pool is left in a state that quotes nothing more, though it is to
 * be entered again, its first entry takes less: an invariant of balances far apart settles or not by chance.
 */
export function roundFlows(rounding: Rounding): Rounded {
  const held: HeldBack = new Map();
  const eased: Eased = new Map();
  let found: Rounded | null = null;
  for (let tries = 0; ; tries++) {
    const attempt = roundOnce(rounding, partsOf(rounding, held), eased);
    const known: Rounded = attempt.ok ? attempt : (found ?? attempt);
    found = attempt.ok ? attempt : found;
    if (attempt.spoiled !== null && ease(eased, attempt.spoiled)) continue;
    if (tries >= LIMITS.routing.heldTries || !(attempt.ok ? easeHold(held) : hold(held, rounding.sell, attempt))) return known;
  }
}

/** What is rounded: the sale of an input. `fine`: where the last hop of a token takes nearly all of it, it takes most of that before the others, whose shares are then finer. */
export type Rounding = {
  readonly flows: readonly TokenFlow[];
  readonly sell: number;
  readonly input: bigint;
  readonly quotes: ExactQuotes;
  readonly fine: boolean;
};

/** Tokens that are given less than the model says: the part of it that they are given now, the most that was taken and the least that was refused, and how often it was lowered. */
type HeldBack = Map<number, { readonly part: number; readonly taken: number; readonly refused: number; readonly times: number }>;

/** By pool: how many basis points less its first entry takes, and how many at most. */
type Eased = Map<PoolView, number>;
const MOST_EASED = 6;

function ease(eased: Eased, pool: PoolView): boolean {
  const points = (eased.get(pool) ?? 0) + 1;
  eased.set(pool, points);
  return points <= MOST_EASED;
}

/** How closely the part is looked for. */
const CLOSE = 1e-4;
/** What is left of what a token is given where its pool refuses it though its curve does not, time after time; then it has to go without. */
const EASED = [1, 0.9999, 0.999, 0.99, 0.9, 0.5] as const;

/** Gives a token less. What is over may come back to it by a pool that drains, so each time by more. False where that does not help. */
function hold(held: HeldBack, sell: number, { token, over, small }: Refusal): boolean {
  const known = held.get(token);
  const times = known?.times ?? 0;
  // What is a small part of its token is not worth holding the others back for.
  if (token === sell || (small && times > SMALL_TIMES)) return false;
  if (known === undefined) held.set(token, { part: 1, taken: 0, refused: Infinity, times: 1 });
  else if (known.taken > 0) held.set(token, { ...known, part: (known.taken + known.part) / 2, refused: known.part });
  else {
    const less = over > 0 ? Math.max(0, 1 - over * 2 ** (times - 1)) : (EASED[times] ?? 0);
    if (less === 0) return false;
    held.set(token, { part: known.part * less, taken: 0, refused: known.part, times: times + 1 });
  }
  return true;
}

/** Gives a token that was held back further than needed more again. False where none was. */
function easeHold(held: HeldBack): boolean {
  for (const [token, { part, refused, times }] of held) {
    if (refused === Infinity || refused - part <= CLOSE * refused) continue;
    held.set(token, { part: (part + refused) / 2, taken: part, refused, times });
    return true;
  }
  return false;
}

/** By token: the part that it is given of what the model says, where that is no more than all. So is what leads to such tokens alone, or fills its pools: what the sell token has over goes where it gives least. */
function partsOf({ flows, sell, fine }: Rounding, held: HeldBack): ReadonlyMap<number, number> {
  const parts = new Map<number, number>();
  for (const { token, hops } of held.size === 0 && !fine ? [] : flows.toReversed()) {
    if (token === sell) break;
    const leading = (fine || hops.some((hop) => parts.has(tokenOut(hop)))) && hops.every((hop) => parts.has(tokenOut(hop)) || isFull(hop));
    const taken = leading ? hops.reduce((sum, hop) => sum + hop.input * (parts.get(tokenOut(hop)) ?? 1), 0) / sumOf(hops) : 1;
    const own = held.get(token)?.part;
    if (leading || own !== undefined) parts.set(token, taken * (own ?? 1));
  }
  return parts;
}

/** How often a token is given less for a hop that should take less than this share of it. */
const SMALL_TIMES = 2;
const SMALL_SHARE = 0.01;

/** `token`: whose last hop refuses; `over`: the part of what came to it that its last hop does not take by its curve; `small`: that hop was meant to take little of it. */
type Refusal = Extract<Rounded, { ok: false }> & Attempted & { readonly token: number; readonly over: number; readonly small: boolean };

/** `spoiled`: a pool that took nothing where it was entered again. */
type Attempted = { readonly spoiled: PoolView | null };

function roundOnce(
  { flows, sell, input, quotes, fine }: Rounding,
  parts: ReadonlyMap<number, number>,
  eased: Eased,
): (Extract<Rounded, { ok: true }> & Attempted) | Refusal {
  const run = new ExactRun(quotes, sell, input);
  const hops: SplitHop[] = [];
  let coarsest = 0;
  let spoiled: PoolView | null = null;
  let refused: EdgeModel | null = null;
  /** Takes a share of what is left of a token; false where its pool refuses that. */
  const take = (token: number, hop: HopFlow, share: number): boolean => {
    const { pool, slotIn, slotOut } = hop.edge;
    const amountIn = run.share(token, share);
    if (amountIn === 0n) return true;
    if (!run.swap(pool, slotIn, slotOut, token, tokenOut(hop), amountIn).ok) return false;
    hops.push({ pool, slotIn, slotOut, bps: share });
    return true;
  };
  for (const { token, hops: leaving } of flows) {
    const left = () => Number(run.balance(token));
    const arrived = left();
    const ordered = inOrder(leaving, arrived, parts, fine);
    const last = ordered.pop() as Meant;
    const wanted = targets(ordered, last, arrived);
    const early = fine ? earlyShare(ordered, wanted, arrived) : 0;
    const taken = early > 0 && take(token, last, early) ? arrived - left() : 0;
    let dropped: EdgeModel | null = null;
    let meantLeft = arrived;
    for (const [index, hop] of ordered.entries()) {
      const part = (wanted[index] as number) / (hop.full || fine ? left() : meantLeft);
      meantLeft -= wanted[index] as number;
      const { pool } = hop.edge;
      const planned = Math.max(0, shareOf(hop, part) - (run.entered(pool) ? 0 : (eased.get(pool) ?? 0)));
      let share = planned;
      if (hop.full) coarsest = Math.max(coarsest, 1 - share / (part * BPS_WHOLE));
      for (let attempt = 1; share > 0 && !take(token, hop, share); attempt++)
        share = attempt < EASED.length ? Math.min(share - 1, Math.floor(share * (EASED[attempt] as number))) : 0;
      if (share > 0 || planned === 0) continue;
      dropped ??= hop.edge;
      if (run.entered(pool)) spoiled ??= pool;
    }
    refused ??= dropped;
    const whole = taken + left();
    // A pool may take more in two swaps than in one, which the model does not count on.
    if (!(taken > 0 && whole > last.capacity) && take(token, last, BPS_WHOLE)) continue;
    const over = Math.max(0, whole - last.capacity * (1 - FLOAT_ROOM)) / arrived;
    if (over === 0 && run.entered(last.edge.pool)) spoiled ??= last.edge.pool;
    return { ok: false, refused: dropped ?? last.edge, spoiled, token, over, small: last.input < SMALL_SHARE * (sumOf(ordered) + last.input) };
  }
  return { ok: true, hops, coarsest, refused, spoiled };
}

/** So many early shares are compared. */
const EARLY_SHARES = 200;

/**
 * What the last hop of a token takes before the others: so much that little is left beside what they take, and their shares are fine; of such shares, and it takes the rest in any case, the one that fills best those that are
 * full. 0 where it carries too little for that.
 */
function earlyShare(ordered: readonly Meant[], wanted: readonly number[], arrived: number): number {
  const most = Math.floor(BPS_WHOLE * (1 - sum(wanted) / arrived)) - 1;
  const weights = ordered.map(weightOf);
  if (sum(weights) === 0) return 0;
  let [best, least] = [0, Infinity];
  for (let early = most; early > Math.max(0, most - EARLY_SHARES); early--) {
    let left = arrived * (1 - early / BPS_WHOLE);
    let missed = 0;
    for (const [index, hop] of ordered.entries()) {
      const part = (wanted[index] as number) / left;
      const share = shareOf(hop, part) / BPS_WHOLE;
      missed += (weights[index] as number) * (1 - share / part);
      left *= 1 - share;
    }
    if (missed < least) [best, least] = [early, missed];
  }
  return best;
}

/** What a hop gives that must not be exceeded, by the model's prices. */
function weightOf({ full, input, worth, edge: { curve } }: Meant): number {
  return full ? worth * curveOutput(curve, Math.min(input, curve.capacity)) : 0;
}

function tokenOut({ edge }: HopFlow): number {
  return edge.pool.tokens[edge.slotOut] as number;
}

/** A hop with what it is meant to take; `full`: no more than that. */
type Meant = HopFlow & { readonly full: boolean };

/** By how much, as a share, a pool may take less than its curve says. */
const FLOAT_ROOM = 1e-5;

/**
 * A share is rounded by half a basis point of what is left of the token, so the largest flows go first: what is left for the small ones is then small, and their shares are fine. Last comes the smallest edge with room for what
 * rounding leaves (`fine`: the largest, where others are full), and where far more arrives than the model has use for, the one that takes it with the least gas. Edges that are full, or lead to a token that is held back, have none; where there is no other, the one that
 * gives least for what is over.
 */
function inOrder(hops: readonly HopFlow[], balance: number, parts: ReadonlyMap<number, number>, fine: boolean): Meant[] {
  const meant = hops.map((hop): Meant => {
    const part = parts.get(tokenOut(hop));
    return { ...hop, input: hop.input * (part ?? 1), full: part !== undefined || isFull(hop) };
  });
  const ordered = meant.sort((a, b) => b.input - a.input);
  const open = ordered.filter(({ full }) => !full);
  const hasRoom = (hop: Meant) => roomOf(hop) > ROOM * balance;
  const last =
    open.length === 0
      ? leastBy(ordered, (hop) => worthOfMore(hop, Math.max(0, balance - sumOf(ordered))))
      : isSpill(ordered, balance)
        ? leastBy(open, gasOfMore)
        : ((fine && open.length < ordered.length ? open.find(hasRoom) : open.findLast(hasRoom)) ?? leastBy(open, (hop) => -roomOf(hop)));
  return last === undefined ? ordered : [...ordered.filter((hop) => hop !== last), last];
}

/** What a unit more than so many more is worth; Infinity where the edge does not take them. */
function worthOfMore({ edge: { curve }, input, worth }: HopFlow, more: number): number {
  if (input + more > curve.capacity) return Infinity;
  curveTangent(curve, input + more, tangent);
  return tangent.marginal * worth;
}

const tangent = emptyTangent();

function leastBy(hops: readonly Meant[], value: (hop: Meant) => number): Meant | undefined {
  return hops.reduce<Meant | undefined>((least, hop) => (least === undefined || value(hop) < value(least) ? hop : least), undefined);
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
  return sum(hops.map(({ input }) => input));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** What each hop but the last should take of the balance that arrived: full edges what the model says at most, the others the rest in the model's proportions, or what the model says where the rest has no use. */
function targets(ordered: readonly Meant[], last: Meant, balance: number): readonly number[] {
  const hops = [...ordered, last];
  const full = sumOf(hops.filter((hop) => hop.full));
  const open = sumOf(hops) - full;
  const rest = Math.max(0, balance - full);
  const share = isSpill(hops, balance) ? 1 : rest / open;
  const fits = Math.min(1, balance / (open > 0 ? full : full + open));
  return ordered.map((hop) => hop.input * (hop.full ? fits : share));
}

function shareOf({ full }: Meant, part: number): number {
  const share = full ? Math.floor(part * BPS_WHOLE) : Math.round(part * BPS_WHOLE);
  return Math.max(0, Math.min(BPS_WHOLE - 1, share));
}

/** Rounding moves a flow by about a basis point at most: an edge has room when it can take some of them more. */
function isFull({ input, capacity }: HopFlow): boolean {
  return input > capacity * (1 - 1e-3);
}
