import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { EdgeCurve } from './curve.ts';
import type { PoolFacts, TokenFacts } from './facts.ts';

/** Throws on pool facts that no correct venue gives: they would be unreadable, or read as something else. */
export function assertPoolFacts(facts: PoolFacts): void {
  const { key, tokens, curves } = facts;
  if (key.length === 0 || key.length > LIMITS.snapshot.keyCharacters) throw new TypeError(`pool key of ${key.length} characters`);
  if (tokens.length < 2 || tokens.length > LIMITS.snapshot.poolTokens) throw new TypeError(`pool ${key} has ${tokens.length} tokens`);
  // Loops, not sets: this runs for every changed pool of every block.
  for (let slot = 1; slot < tokens.length; slot++) {
    if (tokens.indexOf(tokens[slot] as Address) !== slot) throw new TypeError(`pool ${key} names a token twice`);
  }
  for (let i = 0; i < curves.length; i++) {
    const { slotIn, slotOut } = curves[i] as EdgeCurve;
    if (!isSlot(slotIn, tokens.length) || !isSlot(slotOut, tokens.length) || slotIn === slotOut) {
      throw new TypeError(`pool ${key} has a curve from slot ${slotIn} to ${slotOut}`);
    }
    for (let j = 0; j < i; j++) {
      if (curves[j]?.slotIn === slotIn && curves[j]?.slotOut === slotOut) throw new TypeError(`pool ${key} has two curves for one direction`);
    }
  }
}

/** Throws on token facts out of range. */
export function assertTokenFacts(facts: TokenFacts): void {
  const { address, decimals, usd } = facts;
  if (decimals !== null && (!Number.isInteger(decimals) || decimals < 0 || decimals > 255)) throw new TypeError(`decimals ${decimals} of ${address}`);
  if (usd !== null && (!Number.isFinite(usd) || usd < 0)) throw new TypeError(`price ${usd} of ${address}`);
}

function isSlot(slot: number, count: number): boolean {
  return Number.isInteger(slot) && slot >= 0 && slot < count;
}
