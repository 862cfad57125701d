import type { Curve, EdgeCurve, SegmentsCurve, StableCurve, WeightedCurve } from './curve.ts';
import type { SnapshotMemory } from './memory.ts';

// How a curve lies in a pool's record: a 16-byte head (kind, slots, columns, flags as words), then its numbers, then its columns, all doubles.

const KIND = { segments: 1, weighted: 2, stable: 3 } as const;
const NUMBERS = { segments: 4, weighted: 6, stable: 7 } as const;
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
  const slots = memory.arenaWords[at * 2 + 1] as number;
  const count = memory.arenaWords[at * 2 + 2] as number;
  const flags = memory.arenaWords[at * 2 + 3] as number;
  const numbersAt = at + HEAD_WORDS / 2;
  const number = (i: number): number => memory.arenaDoubles[numbersAt + i] as number;
  const columns = (): Float64Array => new Float64Array(memory.arena, (numbersAt + numberCount(memory, at)) * 8, count);
  switch (memory.arenaWords[at * 2]) {
    case KIND.segments:
      return { kind: 'segments', keep: number(0), capacity: number(1), gas: number(2), gasPerPiece: number(3), columns: columns() } satisfies SegmentsCurve;
    case KIND.weighted:
      return {
        kind: 'weighted',
        keep: number(0),
        capacity: number(1),
        gas: number(2),
        balanceIn: number(3),
        balanceOut: number(4),
        exponent: number(5),
      } satisfies WeightedCurve;
    case KIND.stable:
      return {
        kind: 'stable',
        keep: number(0),
        feeOnOutput: (flags & FEE_ON_OUTPUT) !== 0,
        capacity: number(1),
        gas: number(2),
        slotIn: (slots >>> 16) & 0xff,
        slotOut: slots >>> 24,
        ann: number(3),
        invariant: number(4),
        balances: columns(),
        scaleIn: number(5),
        scaleOut: number(6),
      } satisfies StableCurve;
    default:
      throw new Error(`snapshot curve of kind ${memory.arenaWords[at * 2]}`);
  }
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
      throw new Error(`snapshot curve of kind ${memory.arenaWords[at * 2]}`);
  }
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
      return [curve.keep, curve.capacity, curve.gas, curve.gasPerPiece];
    case 'weighted':
      return [curve.keep, curve.capacity, curve.gas, curve.balanceIn, curve.balanceOut, curve.exponent];
    case 'stable':
      return [curve.keep, curve.capacity, curve.gas, curve.ann, curve.invariant, curve.scaleIn, curve.scaleOut];
    default:
      return curve satisfies never;
  }
}
