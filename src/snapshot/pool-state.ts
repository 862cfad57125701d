import { type CurvePlace, curveDoubles, curvePlaces, writeCurve } from './curve-record.ts';
import type { PoolFacts } from './facts.ts';
import { RECORD, UNIT_BYTES, UNIT_WORDS } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { assertRecord, headRecord, unitsHolding } from './record.ts';

// The record of a pool's state: the header, then (identity unit, state words, curves) as 32-bit words, then the state words, then the curves.

export function poolStateUnits(facts: PoolFacts): number {
  let doubles = facts.words.length;
  for (const { curve } of facts.curves) doubles += curveDoubles(curve);
  return unitsHolding(STATE_BYTE + doubles * 8);
}

export function writePoolState(memory: SnapshotMemory, unit: number, poolId: number, identityUnit: number, facts: PoolFacts): void {
  const at = unit * UNIT_WORDS;
  // What the record does not reach of its last block is 0, so that equal records are equal word by word.
  memory.arenaWords.fill(0, at + (poolStateUnits(facts) - 1) * UNIT_WORDS, at + poolStateUnits(facts) * UNIT_WORDS);
  headRecord(memory, unit, 'poolState', poolId);
  memory.arenaWords[at + SPARE_WORD] = 0;
  memory.arenaWords[at + IDENTITY_WORD] = identityUnit;
  memory.arenaWords[at + STATE_WORDS_WORD] = facts.words.length;
  memory.arenaWords[at + CURVES_WORD] = facts.curves.length;
  const stateAt = unit * (UNIT_BYTES / 8) + STATE_BYTE / 8;
  memory.arenaLimbs.set(facts.words, stateAt);
  let curveAt = stateAt + facts.words.length;
  for (const edge of facts.curves) curveAt = writeCurve(memory, curveAt, edge);
}

/** Throws unless the unit holds the state of that pool. */
export function assertPoolState(memory: SnapshotMemory, unit: number, poolId: number): void {
  assertRecord(memory, unit, 'poolState', poolId);
}

/** Whether two records of a pool's state, each of so many units, say the same of it: identity, exact state and curves. */
export function saysTheSame({ arenaWords }: SnapshotMemory, unit: number, other: number, units: number): boolean {
  const [at, otherAt] = [unit * UNIT_WORDS, other * UNIT_WORDS];
  for (let word = IDENTITY_WORD; word < units * UNIT_WORDS; word++) if (arenaWords[at + word] !== arenaWords[otherAt + word]) return false;
  return true;
}

export function identityUnitOf(memory: SnapshotMemory, unit: number): number {
  return memory.arenaWords[unit * UNIT_WORDS + IDENTITY_WORD] as number;
}

/** The exact state, a view on the arena. */
export function stateWordsOf(memory: SnapshotMemory, unit: number): BigUint64Array {
  return new BigUint64Array(memory.arena, unit * UNIT_BYTES + STATE_BYTE, memory.arenaWords[unit * UNIT_WORDS + STATE_WORDS_WORD] as number);
}

export function curvePlacesOf(memory: SnapshotMemory, unit: number): readonly CurvePlace[] {
  const at = unit * UNIT_WORDS;
  const stateWords = memory.arenaWords[at + STATE_WORDS_WORD] as number;
  return curvePlaces(memory, unit * (UNIT_BYTES / 8) + STATE_BYTE / 8 + stateWords, memory.arenaWords[at + CURVES_WORD] as number);
}

const IDENTITY_WORD = RECORD.headerBytes / 4;
const STATE_WORDS_WORD = IDENTITY_WORD + 1;
const CURVES_WORD = IDENTITY_WORD + 2;
const SPARE_WORD = IDENTITY_WORD + 3;
const STATE_BYTE = RECORD.headerBytes + 16;
