/** A sample. Base units as float64. */
export type Node = { readonly input: number; readonly output: number };

/** A constant product from a node on: output + reserveOut · d / (reserveIn + d) for d = 0 … width beyond `input`. */
export type Piece = Node & { readonly width: number; readonly reserveIn: number; readonly reserveOut: number };

/** The least that a piece bends, so that a marginal price belongs to one flow. */
const LEAST_BEND = 5e-10;

/** The output at an input from a node on, by the pieces that follow it. */
export function outputOf(pieces: readonly Piece[], at: number): number {
  const piece = pieces.findLast(({ input }) => input <= at) as Piece;
  const more = Math.min(piece.width, at - piece.input);
  return piece.output + (piece.reserveOut * more) / (piece.reserveIn + more);
}

/**
 * Pieces through ascending samples of a concave function, the first of which is nothing for nothing: for each stretch between two samples one or two. They meet the samples, and where the function is smooth there is no jump of the price from one to the next. None starts steeper than the one
 * before it ends: where that can not be had they rather stay below the sample, so that the whole is concave.
 */
export function fitPieces(nodes: readonly Node[]): readonly (readonly Piece[])[] {
  const slopes = slopesAtNodes(nodes);
  const stretches: (readonly Piece[])[] = [];
  let [output, steepest] = [0, Number.POSITIVE_INFINITY];
  for (let at = 1; at < nodes.length; at++) {
    const [{ input }, to] = [nodes[at - 1] as Node, nodes[at] as Node];
    const width = to.input - input;
    const mean = (to.output - output) / width;
    const start = Math.min(steepest, slopes[at - 1] as number);
    const next = nodes[at + 1];
    const least = next === undefined ? 0 : (next.output - to.output) / (next.input - to.input);
    const stretch = piecesOf({ input, output }, width, [start, mean, slopes[at] as number], least);
    stretches.push(stretch);
    const last = stretch.at(-1) as Piece;
    output = outputOf(stretch, to.input);
    steepest = endSlopeOf(last);
  }
  return stretches;
}

/** The slope of a constant product at its start and its end has the chord's for its geometric mean. Two of half the width have a third slope between them, by which they meet three given ones. Where the function has a kink they can not, and one piece meets the mean: it ends no less
 * steep than `least`, the slope of what follows, since a slope that was given up is not to be had again. */
function piecesOf(from: Node, width: number, [start, mean, end]: readonly [number, number, number], least: number): readonly Piece[] {
  const middle = ((2 * mean) / (Math.sqrt(start) + Math.sqrt(end))) ** 2;
  if (!(middle <= start && middle >= end)) {
    if (mean >= start) return [pieceOf(from, width, start, start)];
    const kept = Math.min(mean, Math.max(least, mean * (mean / start)));
    return [pieceOf(from, width, mean * (mean / kept), kept)];
  }
  const first = pieceOf(from, width / 2, start, middle);
  const half = { input: from.input + width / 2, output: outputOf([first], from.input + width / 2) };
  const second = Math.min(middle, endSlopeOf(first));
  return [first, pieceOf(half, width / 2, second, Math.min(second, end))];
}

function pieceOf({ input, output }: Node, width: number, start: number, end: number): Piece {
  const reserveIn = width / Math.max(LEAST_BEND, Math.sqrt(start / end) - 1);
  return { input, output, width, reserveIn, reserveOut: start * reserveIn };
}

function endSlopeOf({ width, reserveIn, reserveOut }: Piece): number {
  const reach = reserveIn + width;
  return (reserveOut / reach) * (reserveIn / reach);
}

/** The slope at each node. */
function slopesAtNodes(nodes: readonly Node[]): readonly number[] {
  const last = nodes.length - 1;
  const chord = (a: number, b: number): number => {
    const [from, to] = [nodes[a] as Node, nodes[b] as Node];
    return Math.log((to.output - from.output) / (to.input - from.input));
  };
  // Of the constant product through a node and two others.
  const through = (before: number, at: number, after: number): number => chord(before, at) + chord(at, after) - chord(before, after);
  const area = (before: number, at: number, after: number): number =>
    ((nodes[at] as Node).input - (nodes[before] as Node).input) * ((nodes[after] as Node).input - (nodes[at] as Node).input);
  return nodes.map((_, at) => {
    if (last === 1) return Math.exp(chord(0, 1));
    if (at === 0) return Math.exp(chord(0, 1) + chord(0, 2) - chord(1, 2));
    if (at === last) return Math.exp(chord(last - 1, last) + chord(last - 2, last) - chord(last - 2, last - 1));
    const near = through(at - 1, at, at + 1);
    if (at === 1 || at === last - 1) return Math.exp(near);
    // What a function differs by from a constant product grows as the product of both distances: two such estimates tell what none would be off.
    const [far, nearArea, farArea] = [through(at - 2, at, at + 2), area(at - 1, at, at + 1), area(at - 2, at, at + 2)];
    const slope = near + ((near - far) * nearArea) / (farArea - nearArea);
    return Math.exp(Math.min(chord(at - 1, at), Math.max(chord(at, at + 1), slope)));
  });
}
