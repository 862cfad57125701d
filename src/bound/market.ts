import { type Curve, EDGE_STRIDE, type SegmentsCurve, type SnapshotView } from '../snapshot/snapshot.ts';
import { firstRate, outputAt, type Supply, supplyAt } from './curve-supply.ts';
import type { WholePool } from './pool-trade.ts';
import { wholePool } from './whole-pool.ts';

/** Every routable edge of a snapshot as plain columns, kept after the pin is given up. Tokens are snapshot token ids; edges are numbered. */
export type Market = {
  readonly tokenCount: number;
  readonly edgeCount: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Number of the edge's pool, in this market. */
  readonly pool: Int32Array;
  readonly poolKeys: readonly string[];
  /** The number of the edge's whole pool, where its pool has more than two tokens; else −1. */
  readonly whole: Int32Array;
  readonly wholePools: readonly WholePool[];
  readonly firstRate: Float64Array;
  readonly leaving: readonly Int32Array[];
  readonly entering: readonly Int32Array[];
  /** What an edge trades when output is worth 1 and input costs `rate`. */
  supply(edge: number, rate: number, into: Supply): void;
  /** Output for an input; NaN beyond the capacity. Base units. */
  output(edge: number, input: number): number;
  /** Most output of the edge, for an input without bounds: what its pool holds of the token, as far as it trades it. */
  held(edge: number): number;
  /** Gas units of a swap of that input, by the curve's own model. */
  gas(edge: number, input: number): number;
  /** The largest input of less gas than this one: a hair before the tick that costs the last of it. 0 where less input costs no less. */
  belowGasStep(edge: number, input: number): number;
};

/** A copy: the columns that a snapshot shows are views on memory that is used again after the unpin. */
function kept(curve: Curve): Curve {
  switch (curve.kind) {
    case 'segments':
      return { ...curve, columns: curve.columns.slice() };
    case 'stable':
      return { ...curve, balances: curve.balances.slice() };
    case 'weighted':
      return curve;
    default:
      return unknownKind(curve);
  }
}

function unknownKind(curve: never): never {
  throw new TypeError(`no curve kind ${String(curve)}`);
}

function outputOf(curve: Curve, input: number): number {
  if (!(input <= curve.capacity)) return Number.NaN;
  if (curve.kind !== 'segments') return outputAt(curve, input);
  const at = pieceAt(curve, input) * 4;
  const d = input * curve.keep - (curve.columns[at] as number);
  return (curve.columns[at + 1] as number) + ((curve.columns[at + 3] as number) * d) / ((curve.columns[at + 2] as number) + d);
}

function heldOf(curve: Curve): number {
  if (curve.kind !== 'segments') return curve.kind === 'weighted' ? curve.balanceOut : (curve.balances[curve.slotOut] as number) / curve.scaleOut;
  const last = curve.columns.length - 4;
  if (curve.capacity === Number.POSITIVE_INFINITY) return (curve.columns[last + 1] as number) + (curve.columns[last + 3] as number);
  return outputOf(curve, curve.capacity);
}

/** A swap within the first piece, each later piece that it reaches, and how far the logarithm of the price falls on the way: by 2·ln(reach) within a piece. */
function gasOf(curve: Curve, input: number): number {
  if (curve.kind !== 'segments') return curve.gas;
  const piece = pieceAt(curve, input);
  const gas = curve.gas + piece * curve.gasPerPiece;
  if (curve.gasPerLogPrice === 0) return gas;
  const column = (index: number): number => curve.columns[index] as number;
  const [x0, reserveIn, reserveOut] = [column(4 * piece), column(4 * piece + 2), column(4 * piece + 3)];
  const reach = (reserveIn + input * curve.keep - x0) / reserveIn;
  return gas + curve.gasPerLogPrice * (Math.log(column(3) / column(2)) - Math.log(reserveOut / reserveIn) + 2 * Math.log(reach));
}

/** Float products of the same numbers differ by less. */
const HAIR = 1e-12;

function belowGasStepOf(curve: Curve, input: number): number {
  if (curve.kind !== 'segments' || curve.gasPerPiece === 0) return 0;
  return ((curve.columns[pieceAt(curve, input) * 4] as number) / curve.keep) * (1 - HAIR);
}

function pieceAt({ columns, keep }: SegmentsCurve, input: number): number {
  let low = 0;
  let high = columns.length / 4 - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((columns[middle * 4] as number) <= input * keep) low = middle;
    else high = middle - 1;
  }
  return low;
}

type MarketEdge = { readonly from: number; readonly to: number; readonly pool: number; readonly curve: Curve };

function wholePoolsOf(edges: readonly MarketEdge[]): { readonly whole: Int32Array; readonly wholePools: readonly WholePool[] } {
  const byPool = new Map<number, number[]>();
  edges.forEach(({ pool }, edge) => {
    const known = byPool.get(pool);
    if (known === undefined) byPool.set(pool, [edge]);
    else known.push(edge);
  });
  const whole = new Int32Array(edges.length).fill(-1);
  const wholePools: WholePool[] = [];
  for (const list of byPool.values()) {
    const own = list.map((edge) => edges[edge] as MarketEdge);
    const tokens = Int32Array.from(new Set(own.flatMap(({ from, to }) => [from, to])));
    const made = wholePool(
      tokens,
      own.map(({ from, to, curve }) => ({ from: tokens.indexOf(from), to: tokens.indexOf(to), curve })),
    );
    if (made === null) continue;
    for (const edge of list) whole[edge] = wholePools.length;
    wholePools.push(made);
  }
  return { whole, wholePools };
}

export function readMarket(view: SnapshotView): Market {
  const edges: MarketEdge[] = [];
  const poolNumbers = new Map<number, number>();
  const poolKeys: string[] = [];
  for (let from = 0; from < view.tokenCount; from++) {
    const list = view.edgesFrom(from);
    for (let at = 0; at < list.length; at += EDGE_STRIDE) {
      const pool = view.pool(list[at] as number);
      const curve = pool?.curve(list[at + 1] as number, list[at + 2] as number);
      if (pool === undefined || curve === undefined) continue;
      const number = poolNumbers.get(pool.id) ?? poolKeys.push(pool.key) - 1;
      poolNumbers.set(pool.id, number);
      edges.push({ from, to: list[at + 3] as number, pool: number, curve: kept(curve) });
    }
  }
  const lists = (of: (edge: { from: number; to: number }) => number) => {
    const byToken: number[][] = Array.from({ length: view.tokenCount }, () => []);
    edges.forEach((edge, index) => void byToken[of(edge)]?.push(index));
    return byToken.map((list) => Int32Array.from(list));
  };
  const { whole, wholePools } = wholePoolsOf(edges);
  return {
    tokenCount: view.tokenCount,
    edgeCount: edges.length,
    from: Int32Array.from(edges, ({ from }) => from),
    to: Int32Array.from(edges, ({ to }) => to),
    pool: Int32Array.from(edges, ({ pool }) => pool),
    poolKeys,
    whole,
    wholePools,
    firstRate: Float64Array.from(edges, ({ curve }) => firstRate(curve)),
    leaving: lists(({ from }) => from),
    entering: lists(({ to }) => to),
    supply: supplier(edges.map(({ curve }) => curve)),
    output: (edge, input) => outputOf(edges[edge]?.curve as Curve, input),
    held: (edge) => heldOf(edges[edge]?.curve as Curve),
    gas: (edge, input) => gasOf(edges[edge]?.curve as Curve, input),
    belowGasStep: (edge, input) => belowGasStepOf(edges[edge]?.curve as Curve, input),
  };
}

/** Pieces of all segment curves in one row of columns, so that a look-up is a binary search in memory that lies together. */
function supplier(curves: readonly Curve[]): Market['supply'] {
  const first = new Int32Array(curves.length + 1);
  curves.forEach((curve, edge) => {
    first[edge + 1] = (first[edge] as number) + (curve.kind === 'segments' ? curve.columns.length / 4 : 0);
  });
  const total = first[curves.length] as number;
  const [x0, y0, reserveIn, reserveOut, rateAt, room] = Array.from({ length: 6 }, () => new Float64Array(total)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  curves.forEach((curve, edge) => {
    if (curve.kind !== 'segments') return;
    const pieces = curve.columns.length / 4;
    for (let piece = 0; piece < pieces; piece++) {
      const at = (first[edge] as number) + piece;
      const column = (offset: number): number => curve.columns[piece * 4 + offset] as number;
      x0[at] = column(0);
      y0[at] = column(1);
      reserveIn[at] = column(2);
      reserveOut[at] = column(3);
      rateAt[at] = (curve.keep * column(3)) / column(2);
      // The last piece ends with the capacity, the others where the next one starts.
      room[at] = (piece + 1 < pieces ? column(4) : curve.capacity * curve.keep) - column(0);
    }
  });
  return (edge, rate, into) => {
    const curve = curves[edge] as Curve;
    if (curve.kind !== 'segments') return supplyAt(curve, rate, into);
    const start = first[edge] as number;
    let low = start;
    let high = (first[edge + 1] as number) - 1;
    if (high < low || !((rateAt[start] as number) > rate)) {
      into.input = into.output = into.compliance = 0;
      return;
    }
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((rateAt[middle] as number) > rate) low = middle;
      else high = middle - 1;
    }
    const inside = reserveIn[low] as number;
    const wanted = inside * (Math.sqrt((rateAt[low] as number) / rate) - 1);
    const end = room[low] as number;
    const d = Math.min(wanted, end);
    into.input = ((x0[low] as number) + d) / curve.keep;
    into.output = (y0[low] as number) + ((reserveOut[low] as number) * d) / (inside + d);
    // out'' = −2·keep·rate / (reserveIn + d)
    into.compliance = wanted < end ? (inside + d) / (2 * curve.keep * rate) : 0;
  };
}
