import type { FlowCurve } from '../../curves/curves.ts';

const FIRST_ROOM = 256;

/**
 * The strands of a network (see curves/strands.ts) column by column, in scaled units. Kept from one equilibration to the next: making an object for each strand took as long as bringing them to rest.
 */
export class FlowStrands {
  count = 0;
  /** Place of its edge in the network, −1 for the side of a star that nobody sees; and the curve. */
  edge = new Int32Array(0);
  readonly curve: FlowCurve[] = [];
  /** Rows of the ends, and what a base unit is in scaled units there. */
  from = new Int32Array(0);
  to = new Int32Array(0);
  /** Row of what nobody sees of the star that it is a side of (market/stable-star.ts), and how much of that moves with a unit that goes in, and with one that comes out. */
  beside = new Int32Array(0);
  besideIn = new Float64Array(0);
  besideOut = new Float64Array(0);
  scaleFrom = new Float64Array(0);
  scaleTo = new Float64Array(0);
  /** Where it starts on the curve, in base units. */
  startInput = new Float64Array(0);
  startOutput = new Float64Array(0);
  /** Its share in the barrier, so that a strand a million times smaller than the trade is held no more than the rest. */
  weight = new Float64Array(0);
  flow = new Float64Array(0);
  /** How much more flow it takes, Infinity where that has no end: kept beside the flow, since near the end their difference would have no digits left. */
  room = new Float64Array(0);
  /** The curve at the flow. */
  output = new Float64Array(0);
  marginal = new Float64Array(0);
  bend = new Float64Array(0);
  /** Prices forgone by staying above nothing and below the most. */
  low = new Float64Array(0);
  high = new Float64Array(0);
  /** How much it gains by more flow at the current prices, with the barrier's push away from the bounds. */
  pull = new Float64Array(0);
  /** How little it answers a price: its curvature, and its nearness to its bounds. */
  resistance = new Float64Array(0);
  /** Changes in the step under way, of the flow and of the prices forgone. */
  change = new Float64Array(0);
  lowChange = new Float64Array(0);
  highChange = new Float64Array(0);

  clear(): void {
    this.count = 0;
    this.curve.length = 0;
  }

  /** Makes place for one more strand of a curve; returns where. */
  add(curve: FlowCurve): number {
    if (this.count === this.flow.length) this.#grow(Math.max(FIRST_ROOM, 2 * this.count));
    this.curve.push(curve);
    return this.count++;
  }

  #grow(room: number): void {
    for (const name of ['edge', 'from', 'to', 'beside'] as const) {
      const larger = new Int32Array(room);
      larger.set(this[name]);
      this[name] = larger;
    }
    for (const name of NUMBERS) {
      const larger = new Float64Array(room);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

const NUMBERS = [
  ...(['besideIn', 'besideOut'] as const),
  ...(['scaleFrom', 'scaleTo', 'startInput', 'startOutput', 'weight', 'flow', 'room', 'output', 'marginal', 'bend', 'low', 'high'] as const),
  ...(['pull', 'resistance', 'change', 'lowChange', 'highChange'] as const),
];
