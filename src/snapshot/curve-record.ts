import type { Curve, EdgeCurve, SegmentsCurve, StableCurve, WeightedCurve } from './curve.ts';
import type { SnapshotMemory } from './memory.ts';

// How a curve lies in a pool's record: a 16-byte head (kind, slots, columns, flags as words), then its numbers, then its columns, all doubles.

const KIND = { segments: 1, weighted: 2, stable: 3 } as const;
const NUMBERS = { segments: 5, weighted: 6, stable: 7 } as const;
const HEAD_WORDS = 4;
const FEE_ON_OUTPUT = 1;
const NO_COLUMNS = new Float64Array(0);

/** Where a curve starts in the arena, in doubles, and the direction it serves. */
export type CurvePlace = { readonly at: number; readonly slotIn: number; readonly slotOut: number };

export function curveDoubles(curve: Curve): number {
  return HEAD_WORDS / 2 + NUMBERS[curve.kind] + columnsOf(curve).length;
}

/** Writes a curve at a double index of the arena. Returns the index after it. */
export function writeCurve(memory: SnapshotMemory, at: number, edge: EdgeCurve): number {
  const { curve } = edge;
  const columns = columnsOf(curve);
  const curveSlots = curve.kind === 'stable' ? (curve.slotIn << 16) | (curve.slotOut << 24) : 0;
  memory.arenaWords[at * 2] = KIND[curve.kind];
  memory.arenaWords[at * 2 + 1] = edge.slotIn | (edge.slotOut << 8) | curveSlots;
  memory.arenaWords[at * 2 + 2] = columns.length;
  memory.arenaWords[at * 2 + 3] = curve.kind === 'stable' && curve.feeOnOutput ? FEE_ON_OUTPUT : 0;
  const numbers = numbersOf(curve);
  const numbersAt = at + HEAD_WORDS / 2;
  for (let i = 0; i < numbers.length; i++) memory.arenaDoubles[numbersAt + i] = numbers[i] as number;
  memory.arenaDoubles.set(columns, numbersAt + numbers.length);
  return numbersAt + numbers.length + columns.length;
}

/** Places of the curves that start at a double index, in the order written. */
export function curvePlaces(memory: SnapshotMemory, firstAt: number, count: number): readonly CurvePlace[] {
  const places: CurvePlace[] = [];
  for (let at = firstAt, i = 0; i < count; i++) {
    const slots = memory.arenaWords[at * 2 + 1] as number;
    places.push({ at, slotIn: slots & 0xff, slotOut: (slots >>> 8) & 0xff });
    at += HEAD_WORDS / 2 + numberCount(memory, at) + (memory.arenaWords[at * 2 + 2] as number);
  }
  return places;
}

/** The curve at a double index; its columns are views on the arena. */
export function readCurve(memory: SnapshotMemory, at: number): Curve {
  switch (memory.arenaWords[at * 2]) {
    case KIND.segments:
      return readSegments(memory, at);
    case KIND.weighted:
      return readWeighted(memory, at);
    case KIND.stable:
      return readStable(memory, at);
    default:
      throw unknownKind(memory, at);
  }
}

function readSegments(memory: SnapshotMemory, at: number): SegmentsCurve {
  const { arenaDoubles: doubles } = memory;
  const first = at + HEAD_WORDS / 2;
  return {
    kind: 'segments',
    keep: doubles[first] as number,
    capacity: doubles[first + 1] as number,
    gas: doubles[first + 2] as number,
    gasPerPiece: doubles[first + 3] as number,
    gasPerLogPrice: doubles[first + 4] as number,
    columns: columnsAt(memory, at, NUMBERS.segments),
  };
}

function readWeighted(memory: SnapshotMemory, at: number): WeightedCurve {
  const { arenaDoubles: doubles } = memory;
  const first = at + HEAD_WORDS / 2;
  return {
    kind: 'weighted',
    keep: doubles[first] as number,
    capacity: doubles[first + 1] as number,
    gas: doubles[first + 2] as number,
    balanceIn: doubles[first + 3] as number,
    balanceOut: doubles[first + 4] as number,
    exponent: doubles[first + 5] as number,
  };
}

function readStable(memory: SnapshotMemory, at: number): StableCurve {
  const { arenaDoubles: doubles, arenaWords: words } = memory;
  const first = at + HEAD_WORDS / 2;
  const slots = words[at * 2 + 1] as number;
  return {
    kind: 'stable',
    keep: doubles[first] as number,
    feeOnOutput: ((words[at * 2 + 3] as number) & FEE_ON_OUTPUT) !== 0,
    capacity: doubles[first + 1] as number,
    gas: doubles[first + 2] as number,
    slotIn: (slots >>> 16) & 0xff,
    slotOut: slots >>> 24,
    ann: doubles[first + 3] as number,
    invariant: doubles[first + 4] as number,
    balances: columnsAt(memory, at, NUMBERS.stable),
    scaleIn: doubles[first + 5] as number,
    scaleOut: doubles[first + 6] as number,
  };
}

function columnsAt(memory: SnapshotMemory, at: number, numbers: number): Float64Array {
  return new Float64Array(memory.arena, (at + HEAD_WORDS / 2 + numbers) * 8, memory.arenaWords[at * 2 + 2] as number);
}

function numberCount(memory: SnapshotMemory, at: number): number {
  switch (memory.arenaWords[at * 2]) {
    case KIND.segments:
      return NUMBERS.segments;
    case KIND.weighted:
      return NUMBERS.weighted;
    case KIND.stable:
      return NUMBERS.stable;
    default:
      throw unknownKind(memory, at);
  }
}

function unknownKind(memory: SnapshotMemory, at: number): Error {
  return new Error(`snapshot curve of kind ${memory.arenaWords[at * 2]}`);
}

function columnsOf(curve: Curve): Float64Array {
  switch (curve.kind) {
    case 'segments':
      return curve.columns;
    case 'weighted':
      return NO_COLUMNS;
    case 'stable':
      return curve.balances;
    default:
      return curve satisfies never;
  }
}

function numbersOf(curve: Curve): readonly number[] {
  switch (curve.kind) {
    case 'segments':
      return [curve.keep, curve.capacity, curve.gas, curve.gasPerPiece, curve.gasPerLogPrice];
    case 'weighted':
      return [curve.keep, curve.capacity, curve.gas, curve.balanceIn, curve.balanceOut, curve.exponent];
    case 'stable':
      return [curve.keep, curve.capacity, curve.gas, curve.ann, curve.invariant, curve.scaleIn, curve.scaleOut];
    default:
      return curve satisfies never;
  }
}
