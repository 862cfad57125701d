import { RECORD, UNIT_BYTES, UNIT_WORDS, VERDICTS_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { headRecord, unitsHolding } from './record.ts';
import { GATE_REASONS, type GateReason, type MeasuredVerdict, MOST_NAMED_POOLS, TAX_SCOPES, type TaxScope, type TransferVerdict } from './transfer-verdict.ts';

// The verdicts on transfers, cut into records of 64 tokens like the price table: 64 doubles of block numbers, 64 words of kind, detail and bought side's
// tax, 64 words of the sold side's tax, and 64 times as many marks of pools as a verdict names, 0 where there is none. Whether the token refuses others than these is a bit of the first words.

export const VERDICT_RECORD_UNITS = unitsHolding(RECORD.headerBytes + VERDICTS_PER_RECORD * (16 + 4 * MOST_NAMED_POOLS));

/** The verdicts of all tokens by id, as the record holds them. A `what` of 0: none. */
export type VerdictColumns = { readonly blocks: Float64Array; readonly what: Uint32Array; readonly sellPpm: Uint32Array; readonly pools: Uint32Array };

/** Writes group `group` of the verdicts: those on tokens group · 64 and on. */
export function writeVerdicts(memory: SnapshotMemory, unit: number, group: number, columns: VerdictColumns): void {
  headRecord(memory, unit, 'verdicts', group);
  const first = group * VERDICTS_PER_RECORD;
  const at = placesOf(unit);
  for (let i = 0; i < VERDICTS_PER_RECORD; i++) {
    memory.arenaDoubles[at.block + i] = columns.blocks[first + i] ?? 0;
    memory.arenaWords[at.what + i] = columns.what[first + i] ?? 0;
    memory.arenaWords[at.sell + i] = columns.sellPpm[first + i] ?? 0;
    for (let n = 0; n < MOST_NAMED_POOLS; n++) {
      memory.arenaWords[at.pools + i * MOST_NAMED_POOLS + n] = columns.pools[(first + i) * MOST_NAMED_POOLS + n] ?? 0;
    }
  }
}

/** What a record of verdicts says of a token; null when it was not measured. */
export function readVerdict(memory: SnapshotMemory, unit: number, tokenId: number): MeasuredVerdict | null {
  const index = tokenId % VERDICTS_PER_RECORD;
  const at = placesOf(unit);
  return unpackedVerdict(
    memory.arenaWords[at.what + index] as number,
    memory.arenaWords[at.sell + index] as number,
    memory.arenaDoubles[at.block + index] as number,
    (n) => memory.arenaWords[at.pools + index * MOST_NAMED_POOLS + n] as number,
  );
}

/** What the words of a record say; null where there is no verdict. `poolAt`: the mark at a place. */
export function unpackedVerdict(what: number, sellPpm: number, block: number, poolAt: (place: number) => number): MeasuredVerdict | null {
  if (what === 0) return null;
  const verdict = unpacked(what, sellPpm);
  if (poolAt(0) === 0) return { verdict, block };
  const marks: number[] = [];
  for (let place = 0; place < MOST_NAMED_POOLS && poolAt(place) !== 0; place++) marks.push(poolAt(place));
  return (what & REFUSES_OTHERS) === 0 ? { verdict, block, seenAt: marks } : { verdict, block, openAt: marks };
}

/** Kind, detail, bought side's tax and whether pools are refused in one word; never 0. */
export function packedVerdict({ verdict, openAt }: MeasuredVerdict): number {
  return (packedKind(verdict) | (openAt === undefined ? 0 : REFUSES_OTHERS)) >>> 0;
}

function packedKind(verdict: TransferVerdict): number {
  const kind = KINDS.indexOf(verdict.kind) + 1;
  switch (verdict.kind) {
    case 'clean':
    case 'imprecise':
    case 'unmeasurable':
      return kind;
    case 'gated':
      return kind | (GATE_REASONS.indexOf(verdict.reason) << DETAIL_SHIFT);
    case 'taxed':
      return (kind | (TAX_SCOPES.indexOf(verdict.scope) << DETAIL_SHIFT) | (verdict.buyPpm << PPM_SHIFT)) >>> 0;
    default:
      throw new TypeError(`a verdict of kind ${String(verdict satisfies never)}`);
  }
}

/** Throws TypeError on a verdict that a record can not hold. */
export function assertVerdict({ verdict, block, openAt, seenAt }: MeasuredVerdict): void {
  if (!Number.isSafeInteger(block) || block < 0) throw new TypeError(`a verdict of block ${block}`);
  if (openAt !== undefined && seenAt !== undefined) throw new TypeError('a verdict that names pools twice');
  const pools = openAt ?? seenAt;
  if (pools !== undefined && (pools.length === 0 || pools.length > MOST_NAMED_POOLS)) throw new TypeError(`a verdict that names ${pools.length} pools`);
  for (const mark of pools ?? []) if (mark >>> 0 !== mark || mark === 0) throw new TypeError(`a pool's mark of ${mark}`);
  if (verdict.kind !== 'taxed') return;
  for (const ppm of [verdict.buyPpm, verdict.sellPpm]) {
    if (!Number.isInteger(ppm) || ppm < 0 || ppm > WHOLE_PPM) throw new TypeError(`a tax of ${ppm} parts per million`);
  }
}

function unpacked(what: number, sellPpm: number): TransferVerdict {
  const kind = KINDS[(what & KIND_MASK) - 1];
  const detail = (what >>> DETAIL_SHIFT) & DETAIL_MASK;
  switch (kind) {
    case 'clean':
    case 'imprecise':
    case 'unmeasurable':
      return { kind };
    case 'gated':
      return { kind, reason: GATE_REASONS[detail] as GateReason };
    case 'taxed':
      return { kind, buyPpm: what >>> PPM_SHIFT, sellPpm, scope: TAX_SCOPES[detail] as TaxScope };
    default:
      throw new Error(`a verdict record holds the word ${what}`);
  }
}

function placesOf(unit: number): { readonly block: number; readonly what: number; readonly sell: number; readonly pools: number } {
  const what = unit * UNIT_WORDS + WHAT_BYTE / 4;
  return { block: unit * (UNIT_BYTES / 8) + BLOCK_BYTE / 8, what, sell: what + VERDICTS_PER_RECORD, pools: what + 2 * VERDICTS_PER_RECORD };
}

// The order is that of the code in the record: kinds are appended, never moved.
const KINDS = ['clean', 'taxed', 'imprecise', 'gated', 'unmeasurable'] as const satisfies readonly TransferVerdict['kind'][];
const KIND_MASK = 0x7;
const REFUSES_OTHERS = 0x8;
const DETAIL_SHIFT = 4;
const DETAIL_MASK = 0x7;
const PPM_SHIFT = 8;
const WHOLE_PPM = 1_000_000;

const BLOCK_BYTE = RECORD.headerBytes;
const WHAT_BYTE = BLOCK_BYTE + VERDICTS_PER_RECORD * 8;
