import type { Address } from '../units/units.ts';
import { type LegFacts, NO_LEG_FACTS, type PoolFacts } from './facts.ts';
import { RECORD, UNIT_BYTES, UNIT_WORDS } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { assertRecord, headRecord, unitsHolding } from './record.ts';

/** What of a pool stays when its state changes. A record of its own, so that a block's swaps neither write nor decode it again. */
export type PoolIdentity = {
  readonly key: string;
  readonly address: Address;
  readonly hook: Address | null;
  readonly protocol: string;
  readonly source: string;
  readonly venue: string;
  /** Token ids by slot. */
  readonly tokens: readonly number[];
  readonly legFacts: LegFacts;
};

/** The text part, encoded: [key, address, hook, protocol, source, venue, legFacts] as JSON. */
export function identityText(facts: PoolFacts): Uint8Array {
  return Buffer.from(JSON.stringify([facts.key, facts.address, facts.hook, facts.protocol, facts.source, facts.venue, facts.legFacts ?? NO_LEG_FACTS]));
}

export function identityUnits(text: Uint8Array, tokenCount: number): number {
  return unitsHolding(TOKENS_BYTE + tokenCount * 4 + text.length);
}

export function writeIdentity(memory: SnapshotMemory, unit: number, poolId: number, text: Uint8Array, tokens: readonly number[]): void {
  headRecord(memory, unit, 'poolIdentity', poolId);
  const at = unit * UNIT_WORDS;
  memory.arenaWords[at + TOKEN_COUNT_WORD] = tokens.length;
  memory.arenaWords[at + TEXT_BYTES_WORD] = text.length;
  for (let slot = 0; slot < tokens.length; slot++) memory.arenaWords[at + TOKENS_BYTE / 4 + slot] = tokens[slot] as number;
  new Uint8Array(memory.arena, unit * UNIT_BYTES + TOKENS_BYTE + tokens.length * 4, text.length).set(text);
}

export function readIdentity(memory: SnapshotMemory, unit: number, poolId: number): PoolIdentity {
  assertRecord(memory, unit, 'poolIdentity', poolId);
  const at = unit * UNIT_WORDS;
  const tokenCount = memory.arenaWords[at + TOKEN_COUNT_WORD] as number;
  const textBytes = memory.arenaWords[at + TEXT_BYTES_WORD] as number;
  const tokens: number[] = [];
  for (let slot = 0; slot < tokenCount; slot++) tokens.push(memory.arenaWords[at + TOKENS_BYTE / 4 + slot] as number);
  const text = Buffer.from(memory.arena, unit * UNIT_BYTES + TOKENS_BYTE + tokenCount * 4, textBytes).toString('utf8');
  const [key, address, hook, protocol, source, venue, legFacts] = JSON.parse(text) as [string, Address, Address | null, string, string, string, LegFacts];
  return { key, address, hook, protocol, source, venue, tokens, legFacts };
}

/** Whether two pools name themselves alike. Asked for every changed pool of every block: nearly always they are one object. */
export function sameLegFacts(a: LegFacts, b: LegFacts): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

const TOKEN_COUNT_WORD = RECORD.headerBytes / 4;
const TEXT_BYTES_WORD = TOKEN_COUNT_WORD + 1;
const TOKENS_BYTE = RECORD.headerBytes + 16;
