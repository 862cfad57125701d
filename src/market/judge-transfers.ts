import { LIMITS } from '../config/limits.ts';
import type { GateReason, TaxScope, TransferVerdict } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import type { Move, ProbeReading, Trial } from './read-probe.ts';

const { roundingUnits, tellingUnits } = LIMITS.measuring;
const WHOLE_PPM = 1_000_000n;

/**
 * The verdict on a token by what probes saw of it, one reading for each pool that has enough of it. What differs between pools, sizes and traders counts at its worst: a swap may meet
 * any of them. What is in doubt is a refusal, never a clean token.
 */
export function judgeTransfers(readings: readonly ProbeReading[]): TransferVerdict {
  const told = readings.filter(saysSomething);
  if (told.length === 0) return { kind: 'unmeasurable' };
  const gates = told.map(gateOf);
  const gate = worstGate(gates);
  if (gate !== null) return { kind: 'gated', reason: gate };
  const moves = told.flatMap(({ trials }) => trials.flatMap(movesOf));
  const buyPpm = worstLoss(moves, 'bought');
  const sellPpm = worstLoss(moves, 'sold');
  const walletPpm = worstLoss(moves, 'between');
  if (buyPpm > 0 || sellPpm > 0 || walletPpm > 0) {
    const scope = scopeOf(buyPpm, sellPpm, walletPpm);
    // What moves between accounts may be what moves to a pool over the Router.
    return { kind: 'taxed', buyPpm: Math.max(buyPpm, walletPpm), sellPpm: Math.max(sellPpm, walletPpm), scope };
  }
  if (moves.some(({ move }) => lossOf(move) !== 0n)) return { kind: 'imprecise' };
  const largest = moves.reduce((most, { move }) => larger(most, move.asked), 0n);
  return largest < tellingUnits ? { kind: 'unmeasurable' } : { kind: 'clean' };
}

/** What was seen at one pool; `isDeepest`: it takes more USD to move than any other of the token. */
export type PoolReading = { readonly pool: Address; readonly isDeepest: boolean; readonly reading: ProbeReading };

/** `openAt`: the only pools that the verdict holds at. `seenAt`: those that it was measured at, where it is refused at none of them. Neither: it refuses the token. */
export type JudgedPools = { readonly verdict: TransferVerdict; readonly openAt?: readonly Address[]; readonly seenAt?: readonly Address[] };

/**
 * The verdict, and where it holds: at the pools that it was measured at, since what is not looked at may be shut. A token that moves at its deepest pool, and is refused, or taxed alone or above the cap, at another, has a verdict on the pools at which it was seen to move so, and on no other. What is found
 * at the deepest is the token's: else its maker would make a small pool where it moves. So is that nothing is found there, since the token says that the pool has none of it, or nearly none: nobody knows then what it does where it is traded.
 * A pool at which nothing can be bought, whoever asks, is one where nobody trades, and is left out as well.
 */
export function judgePools(seen: readonly PoolReading[]): JudgedPools {
  const isHidden = seen.some(({ isDeepest, reading: { complete, trials } }) => isDeepest && complete && trials.length === 0);
  if (isHidden) return { verdict: { kind: 'unmeasurable' } };
  const told = seen.filter(({ reading }) => saysSomething(reading));
  const deepest = judgeTransfers(told.filter(({ isDeepest }) => isDeepest).map(({ reading }) => reading));
  const open = told.filter(({ isDeepest, reading }) => isDeepest || !isWorse(judgeTransfers([reading]), deepest));
  const holdsEverywhere = open.length === told.length || deepest.kind === 'gated' || deepest.kind === 'unmeasurable';
  const verdict = judgeTransfers((holdsEverywhere ? seen : open).map(({ reading }) => reading));
  if (verdict.kind === 'gated' || verdict.kind === 'unmeasurable') return { verdict };
  return holdsEverywhere ? { verdict, seenAt: told.map(({ pool }) => pool) } : { verdict, openAt: open.map(({ pool }) => pool) };
}

/** Whether something is known by it: that a token moves where nobody could buy it, though there was what to pay with, says nothing of what it does where somebody does. */
function saysSomething(reading: ProbeReading): boolean {
  const { complete, trials, funded } = reading;
  if (!complete) return true;
  return trials.length > 0 && (!funded || trials.some(wasBought) || gateOf(reading) !== null);
}

function isWorse(other: TransferVerdict, deepest: TransferVerdict): boolean {
  if (other.kind === 'gated') return true;
  if (other.kind !== 'taxed') return false;
  return deepest.kind !== 'taxed' || (isAboveCap(other) && !isAboveCap(deepest));
}

function isAboveCap({ buyPpm, sellPpm }: TransferVerdict & { readonly kind: 'taxed' }): boolean {
  return Math.max(buyPpm, sellPpm) > LIMITS.transfers.capPpm;
}

type Role = 'bought' | 'between' | 'sold';
type Placed = { readonly role: Role; readonly move: Move };
const ROLES: readonly Role[] = ['bought', 'between', 'between', 'sold'];

function movesOf({ told, moves }: Trial): readonly Placed[] {
  if (!told) return [];
  return moves.flatMap((move, at) => (wentWell(move) ? [{ role: ROLES[at] as Role, move }] : []));
}

/** Whether something arrived, and no more than left: a token that gives more than was sent is not one whose amounts can be reckoned with. */
function wentWell(move: Move): boolean {
  return move.ending === 'moved' && move.credited > 0n && move.lost === 0n && lossOf(move) >= -roundingUnits;
}

/** More may come to a pool than was sent to it: tokens that add what they collected to it do so while somebody sells, who loses nothing by that. */
function isSold({ ending, credited, lost }: Move): boolean {
  return ending === 'moved' && credited > 0n && lost === 0n;
}

/** What did not arrive of what left or should have left, whichever is more; negative where more arrived. */
function lossOf({ asked, debited, credited }: Move): bigint {
  return larger(debited, asked) - credited;
}

function worstLoss(moves: readonly Placed[], role: Role): number {
  return moves.reduce((worst, { role: its, move }) => (its === role ? Math.max(worst, lossPpm(move)) : worst), 0);
}

/** Parts per million, rounded up; 0 for what rounding takes of an amount that is large enough to tell. */
function lossPpm(move: Move): number {
  const loss = lossOf(move);
  const whole = larger(move.debited, move.asked);
  if (loss <= 0n || (loss <= roundingUnits && whole >= WHOLE_PPM / 2n)) return 0;
  return Number((loss * WHOLE_PPM + whole - 1n) / whole);
}

function scopeOf(buyPpm: number, sellPpm: number, walletPpm: number): TaxScope {
  if (walletPpm > 0) return 'universal';
  if (buyPpm === 0) return 'sell-only';
  return sellPpm === 0 ? 'buy-only' : 'pool-only';
}

/** Whether something was bought by a true swap. */
export function wasBought({ manner, told, moves }: Trial): boolean {
  return manner === 'swapping' && told && wentWell(moves[0]);
}

/** Why a token can not be traded at one pool; null where it can. */
export function gateOf({ complete, trials }: ProbeReading): GateReason | null {
  if (!complete) return 'refused';
  // True swaps have sizes of their own.
  const swaps = trials.filter(({ manner }) => manner === 'swapping');
  const later = trials.filter(({ manner }) => manner === 'later');
  const apart: readonly Trial['manner'][] = ['thrifty', 'borrowing', 'swapping', 'later'];
  const earnest = trials.filter(({ manner }) => !apart.includes(manner));
  const smallest = least(earnest.map(({ amount }) => amount));
  const leastBought = least(trials.filter(wasBought).map(({ amount }) => amount));
  const first = earnest.filter(({ amount }) => amount === smallest);
  if (first.every(({ told, moves }) => told && !wentWell(moves[0]))) return 'paused';
  const gates = [
    ...earnest.map((trial) => gateOfTrial(trial, trial.amount === smallest)),
    // The first size is a small one, however it was said how much; where nothing came of it, what is refused of others may be a limit.
    ...swaps.map((trial) => gateOfTrial(trial, trial.place === 0)),
    ...later.map((trial) => gateOfTrial(trial, trial.amount === leastBought && later.length > 1)),
    ...trials.filter(({ manner }) => manner === 'thrifty').map(gateOfThrifty),
  ];
  return worstGate(gates);
}

/** That a token fails for want of gas is nothing; that it says that it moved something and did not is. */
function gateOfThrifty({ told, moves: [bought, , , sold] }: Trial): GateReason | null {
  if (!told) return null;
  if (bought.ending === 'moved' && bought.credited === 0n) return 'blacklist';
  return sold.ending === 'moved' && !isSold(sold) ? 'honeypot' : null;
}

function gateOfTrial({ manner, told, moves }: Trial, isSmallest: boolean): GateReason | null {
  if (!told) return 'refused';
  const [bought, sent, back, sold] = moves;
  // More than the smallest amount may be more than the token lets anybody have at once: then nobody is stuck with it.
  if (!wentWell(bought)) return isSmallest || bought.ending !== 'refused' ? 'blacklist' : null;
  if (sent.ending === 'not-tried') return isSold(sold) ? null : 'honeypot';
  if (!wentWell(sent)) return 'refused';
  // Nothing was sent back: what was sold was the other part.
  if (manner === 'later') return isSold(sold) ? null : 'honeypot';
  // What was sold without a detour is refused now: somebody on the way is shut out.
  return wentWell(back) && isSold(sold) ? null : 'blacklist';
}

const BY_WEIGHT: readonly GateReason[] = ['honeypot', 'blacklist', 'refused', 'paused'];

/** The reason that weighs most. A token that is at rest at one pool, and not at all of them, shuts that pool out. */
function worstGate(gates: readonly (GateReason | null)[]): GateReason | null {
  const worst = BY_WEIGHT.find((reason) => gates.includes(reason)) ?? null;
  return worst === 'paused' && gates.some((gate) => gate !== 'paused') ? 'blacklist' : worst;
}

/** 2^256 of none. */
export function least(amounts: readonly bigint[]): bigint {
  let smallest = 2n ** 256n;
  for (const amount of amounts) if (amount < smallest) smallest = amount;
  return smallest;
}

function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}
