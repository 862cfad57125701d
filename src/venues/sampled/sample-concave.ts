import { LIMITS } from '../../config/limits.ts';
import type { SegmentsCurve } from '../../snapshot/snapshot.ts';
import { fitPieces, type Node, outputOf, type Piece } from './fit-pieces.ts';

/** Of what the samples promise, for venues that need no other: a tenth of a basis point. */
export const SAMPLING_TOLERANCE = 1e-5;

/** The part of a segments curve that is sampled: fees are in the samples, so `keep` is 1. */
export type SampledCurve = Pick<SegmentsCurve, 'kind' | 'keep' | 'capacity' | 'columns'>;

/**
 * A curve for a venue whose mathematics have no closed form of their own among the kinds of curves, out of its exact mathematics alone. `exactIn` gives the output for an input of 1 … `capacity` base
 * units, null where the venue refuses (which is taken for nothing); it has to grow ever more slowly but for its rounding, which takes up to `roundingUnits` base units.
 *
 * The curve is concave, promises at most twice that rounding more than the exact output, and at most `tolerance` of it less. Outputs of fewer base units than DUST · roundingUnits / tolerance are too small for rounding not to hide
 * that tolerance: of them it may promise less. Null where the tolerance takes more than LIMITS.venues.sampledPieces pieces, or nothing comes out. The capacity ends where more input gives no more output.
 *
 * Pieces are constant products through the samples, whose curvature is that of the samples around: a smooth price needs few. They are divided until they meet the exact output between the samples, and the
 * whole is lowered by twice what they are seen above it at most, so that what lies between two looks is covered as well.
 */
export function sampleConcave(exactIn: (amountIn: bigint) => bigint | null, capacity: bigint, tolerance: number, roundingUnits = 1): SampledCurve | null {
  const accuracy: Accuracy = { tolerance, roundingUnits };
  const known = new Map<number, number>();
  const outputAt = (input: number): number => {
    const found = known.get(input);
    if (found !== undefined) return found;
    const output = Number(exactIn(BigInt(input)) ?? 0n);
    known.set(input, output);
    return output;
  };
  let nodes = startingNodes(outputAt, largestDouble(capacity), accuracy);
  while (nodes.length > 1 && 2 * nodes.length <= LIMITS.venues.sampledPieces) {
    const stretches = fitPieces(nodes);
    const looks = stretches.map((stretch) => looksAt(stretch, outputAt, accuracy));
    const missed = looks.flatMap(({ divideAt }) => (divideAt === null ? [] : [{ input: divideAt, output: outputAt(divideAt) }]));
    if (missed.length === 0) {
      const above = looks.reduce((most, look) => Math.max(most, look.above), 0);
      return lowered(stretches.flat(), (nodes.at(-1) as Node).input, 2 * above + tolerance * LEEWAY);
    }
    nodes = concaveHull([...nodes, ...missed].sort((a, b) => a.input - b.input));
  }
  return null;
}

type Accuracy = { readonly tolerance: number; readonly roundingUnits: number };

/** See sampleConcave. */
export const DUST = 32;
/** How close the pieces have to come, as a share of the tolerance: lowering them then takes twice as much again, and the leeway. */
const CLOSENESS = 1 / 8;
/** By how much they are lowered in any case, as a share of the tolerance. */
const LEEWAY = 1 / 8;
/** Each further starting node has this part of the input of the one above it. */
const STEP = 4;
/** Where a piece is compared with the exact output, as shares of its width. The middle tells most, and alone decides where the piece hardly bends. */
const ASIDE = [0.25, 0.75] as const;
/** Of the first stretch also where it starts, since the smallest amounts get the price that it starts with. A better price for less than that goes unseen. */
const AT_START = 1 / 64;

/** From nothing up to the capacity by a factor each, down to where the price no longer changes or rounding hides it. Ascending; one node alone where nothing comes out. */
function startingNodes(outputAt: (input: number) => number, capacity: number, { tolerance, roundingUnits }: Accuracy): readonly Node[] {
  const descending: Node[] = [{ input: capacity, output: outputAt(capacity) }];
  for (let input = Math.floor(capacity / STEP); input >= 1; input = Math.floor(input / STEP)) {
    const above = descending.at(-1) as Node;
    const output = outputAt(input);
    // Where no more comes out for more, the curve ends.
    if (output >= above.output && descending.length === 1) descending.pop();
    if (output * tolerance * CLOSENESS < roundingUnits && descending.length > 0) break;
    descending.push({ input, output });
    if (output / input < (above.output / above.input) * (1 + tolerance * CLOSENESS)) break;
  }
  return concaveHull([{ input: 0, output: 0 }, ...descending.filter(({ output }) => output > 0).reverse()]);
}

/**
 * The nodes as samples of the least concave function that is nowhere below them, up to where more comes out for more. What a concave function gives is rounded down by less than a
 * unit; without this a curve through small outputs would bend the wrong way.
 */
function concaveHull(nodes: readonly Node[]): readonly Node[] {
  const hull: Node[] = [];
  for (const node of nodes) {
    for (;;) {
      const [before, last] = [hull.at(-2), hull.at(-1)];
      if (before === undefined || last === undefined || slope(before, last) >= slope(last, node)) break;
      hull.pop();
    }
    hull.push(node);
  }
  const top = hull.findIndex(({ output }, at) => at > 0 && output <= (hull[at - 1] as Node).output);
  const rising = top < 0 ? hull : hull.slice(0, top);
  const last = rising.at(-1) as Node;
  const raised: Node[] = [];
  let right = 1;
  for (const node of nodes) {
    if (node.input > last.input) break;
    while ((rising[right]?.input ?? Number.POSITIVE_INFINITY) < node.input) right++;
    const [from, to] = [rising[right - 1] as Node, rising[right]];
    const output = to === undefined ? node.output : Math.max(node.output, from.output + slope(from, to) * (node.input - from.input));
    // What a double can not tell apart is one sample.
    if (output > (raised.at(-1)?.output ?? -1)) raised.push({ input: node.input, output });
  }
  return raised;
}

function slope(from: Node, to: Node): number {
  return (to.output - from.output) / (to.input - from.input);
}

/** How far above the exact output a piece is seen, as a share of it, and where it has to be divided, if it misses. */
type Look = { readonly above: number; readonly divideAt: number | null };

function looksAt(stretch: readonly Piece[], outputAt: (input: number) => number, { tolerance, roundingUnits }: Accuracy): Look {
  const [{ input: start, output: before }, last] = [stretch[0] as Piece, stretch.at(-1) as Piece];
  const width = last.input + last.width - start;
  const middle = Math.floor(start + width / 2);
  if (middle <= start) return { above: 0, divideAt: null };
  let above = 0;
  let missed = false;
  const look = (input: number): number => {
    const exact = outputAt(input);
    const excess = outputOf(stretch, input) - exact;
    // What rounding hides says nothing about the curve of small outputs, and of others it is covered by the leeway.
    if (exact > 0) above = Math.max(above, (excess - roundingUnits) / exact);
    missed ||= Math.abs(excess) > exact * tolerance * CLOSENESS + roundingUnits;
    return exact;
  };
  const exact = look(middle);
  const bulge = outputOf(stretch, middle) - (before + outputOf(stretch, start + width)) / 2;
  if (start === 0) look(Math.max(1, Math.floor(width * AT_START)));
  if (!missed && bulge > exact * tolerance * CLOSENESS) for (const share of ASIDE) look(Math.floor(start + width * share));
  return { above, divideAt: missed ? middle : null };
}

function lowered(pieces: readonly Piece[], capacity: number, share: number): SampledCurve {
  const keep = 1 - share;
  const columns = pieces.flatMap(({ input, output, reserveIn, reserveOut }) => [input, output * keep, reserveIn, reserveOut * keep]);
  return { kind: 'segments', keep: 1, capacity, columns: Float64Array.from(columns) };
}

function largestDouble(amount: bigint): number {
  const nearest = Number(amount);
  return BigInt(nearest) <= amount ? nearest : Math.floor(nearest * (1 - Number.EPSILON));
}
