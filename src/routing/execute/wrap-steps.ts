import { BPS_WHOLE } from '../../units/units.ts';
import type { PoolModels } from '../market/pool-models.ts';
import type { EndForms } from '../problem.ts';
import type { ExactHop, SplitHop, Step, WrapHop } from './resimulate.ts';

/** A route with a WRAP hop where the form changes, and with it each form's own shares. `fixed`: any amount; `mixed`: both forms leave the node, so shares depend on what arrives in each. */
export type Formed = { readonly kind: 'fixed'; readonly steps: readonly Step[] } | { readonly kind: 'mixed' };

/** Marks the sides of hops that are the native token itself. */
export function withForms<Hop extends SplitHop>(hops: readonly Hop[], { wrapped }: EndForms, models: PoolModels): readonly Hop[] {
  return hops.map((hop) => {
    const slot = models.traits(hop.pool).nativeSlot;
    if (slot === undefined || hop.pool.tokens[slot] !== wrapped || (slot !== hop.slotIn && slot !== hop.slotOut)) return hop;
    return { ...hop, native: slot === hop.slotIn ? 'in' : 'out' };
  });
}

/**
 * Puts a WRAP hop where both forms meet: behind every hop that gives either, before every hop that takes either (decisions S7, S8). Where all that leaves has one form, what arrived in the other changes whole; `hops` are marked
 * and in execution order, `sell` and `buy` snapshot ids.
 */
export function wrapSteps(hops: readonly SplitHop[], sell: number, buy: number, ends: EndForms): Formed {
  const { at, arrives, leaves } = meeting(hops, sell, buy, ends);
  if (leaves.native && leaves.wrapped) return { kind: 'mixed' };
  const unwraps = leaves.native;
  const changes = (leaves.native || leaves.wrapped) && (unwraps ? arrives.wrapped : arrives.native);
  return { kind: 'fixed', steps: changes ? inserted(hops, at, wrapHop(unwraps, ends.wrapped, BPS_WHOLE)) : hops };
}

/**
 * How the shares of a form's hops are rounded. `nearest`: to what each took while both forms were one. `within`: down, from the very balance that arrives, so that no pool that is full is asked for more than it took; what is left
 * goes to the hop that took it while both forms were one, and of the other form to the largest, which has most room.
 */
export type ShareRounding = 'nearest' | 'within';

/**
 * The same where both forms leave: the WRAP hop carries only what one form lacks, out of the other, and shares become those of each form's balance. `exact` are the marked hops with the amounts that they have while both forms
 * are one token, `input` what was sold for that. A share is a whole basis point, so the nearest comes first and then its neighbours, one of which leaves either form's last hop no more than it had.
 */
export function mixedWrapSteps(
  exact: readonly ExactHop[],
  input: bigint,
  { sell, buy }: { readonly sell: number; readonly buy: number },
  ends: EndForms,
  rounding: ShareRounding,
): readonly (readonly Step[])[] {
  const { wrapped } = ends;
  const { at } = meeting(exact, sell, buy, ends);
  const takes = exact.filter(({ pool, slotIn }) => pool.tokens[slotIn] === wrapped);
  const gives = exact.filter(({ pool, slotOut }) => pool.tokens[slotOut] === wrapped);
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const arrived = (native: boolean) =>
    sum(gives.filter((hop) => (hop.native === 'out') === native).map(({ amountOut }) => amountOut)) +
    (sell === wrapped && ends.sellsNative === native ? input : 0n);
  const taken = (native: boolean) => sum(takes.filter((hop) => (hop.native === 'in') === native).map(({ amountIn }) => amountIn));
  const unwraps = taken(true) > arrived(true);
  const [lacking, held] = [taken(unwraps) - arrived(unwraps), arrived(!unwraps)];
  const nearest = held === 0n ? 0 : Number((2n * lacking * BigInt(BPS_WHOLE) + held) / (2n * held));
  const shares = lacking === 0n ? [0] : [nearest, nearest - 1, nearest + 1].filter((share) => share >= 0 && share < BPS_WHOLE);
  return shares.map((share) => {
    const changed = (held * BigInt(share)) / BigInt(BPS_WHOLE);
    const balanceOf = (native: boolean) => arrived(native) + (native === unwraps ? changed : -changed);
    const own = rounding === 'nearest' ? ownShares(exact, wrapped) : sharesWithin(exact, wrapped, balanceOf);
    return share === 0 ? own : inserted(own, at, wrapHop(unwraps, wrapped, share));
  });
}

function inserted(hops: readonly SplitHop[], at: number, wrap: WrapHop): readonly Step[] {
  return [...hops.slice(0, at), wrap, ...hops.slice(at)];
}

function wrapHop(unwraps: boolean, wrapped: number, bps: number): WrapHop {
  return { pool: null, unwraps, wrapped, bps };
}

type FormSet = { readonly native: boolean; readonly wrapped: boolean };

/** Where both forms meet: before which hop, in what forms tokens arrive there, and in what forms they leave. */
function meeting(hops: readonly SplitHop[], sell: number, buy: number, { wrapped, sellsNative, buysNative }: EndForms) {
  const takes = hops.filter(({ pool, slotIn }) => pool.tokens[slotIn] === wrapped);
  const gives = hops.filter(({ pool, slotOut }) => pool.tokens[slotOut] === wrapped);
  const first = takes[0];
  const arrives: FormSet = {
    native: gives.some(({ native }) => native === 'out') || (sell === wrapped && sellsNative),
    wrapped: gives.some(({ native }) => native !== 'out') || (sell === wrapped && !sellsNative),
  };
  const leaves: FormSet = {
    native: takes.some(({ native }) => native === 'in') || (buy === wrapped && buysNative),
    wrapped: takes.some(({ native }) => native !== 'in') || (buy === wrapped && !buysNative),
  };
  return { at: first === undefined ? hops.length : hops.indexOf(first), arrives, leaves };
}

/** Shares of what is left of each form's own balance: the parts of the form's hops stay to each other as they were, and its last takes all that is left. */
function ownShares(exact: readonly ExactHop[], wrapped: number): readonly SplitHop[] {
  return exact.map(({ pool, slotIn, slotOut, bps, native, amountIn }, index) => {
    const hop = { pool, slotIn, slotOut, ...(native === undefined ? {} : { native }) };
    if (pool.tokens[slotIn] !== wrapped) return { ...hop, bps };
    const later = exact.slice(index + 1).filter((other) => other.pool.tokens[other.slotIn] === wrapped && (other.native === 'in') === (native === 'in'));
    const left = later.reduce((sum, other) => sum + other.amountIn, amountIn);
    if (later.length === 0) return { ...hop, bps: BPS_WHOLE };
    return { ...hop, bps: Math.min(BPS_WHOLE - 1, Number((2n * amountIn * BigInt(BPS_WHOLE) + left) / (2n * left))) };
  });
}

/** Shares of each form's balance by which no hop but the last of its form takes more than it did. The hops that take either form follow each other. */
function sharesWithin(exact: readonly ExactHop[], wrapped: number, balanceOf: (native: boolean) => bigint): readonly SplitHop[] {
  const takes = exact.filter(({ pool, slotIn }) => pool.tokens[slotIn] === wrapped);
  const ofForm = (native: boolean) => takes.filter((hop) => (hop.native === 'in') === native);
  // The last of all stays the last: a pool may serve first and last of its token, and not twice otherwise.
  const formOfLast = takes.at(-1)?.native === 'in';
  const lasts = [!formOfLast, formOfLast].flatMap((native) => lastOf(ofForm(native), takes));
  const left = new Map([true, false].map((native) => [native, balanceOf(native)]));
  const rounded = [...takes.filter((hop) => !lasts.includes(hop)), ...lasts].map(({ pool, slotIn, slotOut, native, amountIn }, index): SplitHop => {
    const hop = { pool, slotIn, slotOut, ...(native === undefined ? {} : { native }) };
    if (index >= takes.length - lasts.length) return { ...hop, bps: BPS_WHOLE };
    const balance = left.get(native === 'in') ?? 0n;
    const bps = balance === 0n ? 0n : (amountIn * BigInt(BPS_WHOLE)) / balance;
    const share = bps < BigInt(BPS_WHOLE) ? bps : BigInt(BPS_WHOLE - 1);
    left.set(native === 'in', balance - (balance * share) / BigInt(BPS_WHOLE));
    return { ...hop, bps: Number(share) };
  });
  const first = exact.findIndex(({ pool, slotIn }) => pool.tokens[slotIn] === wrapped);
  return exact.flatMap((hop, index): readonly SplitHop[] => {
    if (index === first) return rounded;
    if (takes.includes(hop)) return [];
    const { pool, slotIn, slotOut, bps, native } = hop;
    return [{ pool, slotIn, slotOut, bps, ...(native === undefined ? {} : { native }) }];
  });
}

/** The last hop of a form: that of all that take the token, else the form's largest. */
function lastOf(own: readonly ExactHop[], takes: readonly ExactHop[]): readonly ExactHop[] {
  const [first, ...others] = own;
  if (first === undefined) return [];
  return own.at(-1) === takes.at(-1) ? own.slice(-1) : [others.reduce((largest, hop) => (hop.amountIn > largest.amountIn ? hop : largest), first)];
}
