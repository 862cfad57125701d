import { RECORD, UNIT_BYTES, UNIT_WORDS } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { headRecord, unitsHolding } from './record.ts';
import { EDGE_STRIDE } from './view.ts';

// The record of a token's edges: the header, the number of edges, then EDGE_STRIDE words each.

export function edgeUnits(count: number): number {
  return unitsHolding(EDGES_BYTE + count * EDGE_STRIDE * 4);
}

/** Heads the record and returns the words to fill with the edges. */
export function startEdges(memory: SnapshotMemory, unit: number, tokenId: number, count: number): Uint32Array {
  headRecord(memory, unit, 'edges', tokenId);
  memory.arenaWords[unit * UNIT_WORDS + COUNT_WORD] = count;
  return readEdges(memory, unit);
}

/** The edges, a view on the arena. */
export function readEdges(memory: SnapshotMemory, unit: number): Uint32Array {
  return new Uint32Array(memory.arena, unit * UNIT_BYTES + EDGES_BYTE, (memory.arenaWords[unit * UNIT_WORDS + COUNT_WORD] as number) * EDGE_STRIDE);
}

const COUNT_WORD = RECORD.headerBytes / 4;
const EDGES_BYTE = RECORD.headerBytes + 16;
