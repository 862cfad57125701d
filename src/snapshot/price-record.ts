import { PRICES_PER_RECORD, RECORD, UNIT_BYTES, UNIT_WORDS } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { headRecord, unitsHolding } from './record.ts';

// The price table, cut into records of 64 tokens so that a price changes without copying all of it: 64 doubles of USD, 64 words of decimals.

export const PRICE_RECORD_UNITS = unitsHolding(RECORD.headerBytes + PRICES_PER_RECORD * 12);

/** Decimals and USD of a token; null when unknown. */
export type TokenNumbers = { readonly decimals: number | null; readonly usd: number | null };

/** Writes group `group` of the price table: the facts of tokens group · 64 and on. NaN and −1 stand for unknown, in the columns as in the record. */
export function writePrices(memory: SnapshotMemory, unit: number, group: number, usd: Float64Array, decimals: Int16Array): void {
  headRecord(memory, unit, 'prices', group);
  const first = group * PRICES_PER_RECORD;
  const usdAt = unit * (UNIT_BYTES / 8) + USD_BYTE / 8;
  const decimalsAt = unit * UNIT_WORDS + DECIMALS_BYTE / 4;
  for (let i = 0; i < PRICES_PER_RECORD; i++) {
    memory.arenaDoubles[usdAt + i] = usd[first + i] ?? Number.NaN;
    memory.arenaWords[decimalsAt + i] = (decimals[first + i] ?? -1) & 0xffff;
  }
}

/** What a record of the price table says of a token. */
export function readPrices(memory: SnapshotMemory, unit: number, tokenId: number): TokenNumbers {
  const index = tokenId % PRICES_PER_RECORD;
  const usd = memory.arenaDoubles[unit * (UNIT_BYTES / 8) + USD_BYTE / 8 + index] as number;
  const decimals = memory.arenaWords[unit * UNIT_WORDS + DECIMALS_BYTE / 4 + index] as number;
  return { decimals: decimals === 0xffff ? null : decimals, usd: Number.isNaN(usd) ? null : usd };
}

const USD_BYTE = RECORD.headerBytes;
const DECIMALS_BYTE = USD_BYTE + PRICES_PER_RECORD * 8;
