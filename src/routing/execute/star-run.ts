import { type DepositCurve, depositOutput, type WithdrawalCurve, withdrawalInputFor } from '../../curves/curves.ts';
import { keptOf } from '../flow/star-sides.ts';
import type { Star, StarArc } from '../market/star.ts';

/** Halvings in search of an amount. */
const HALVINGS = 60;

/** What the swaps through a star did to it so far, one after the other, by the model: no swap changes the sum that the star conserves, so that what one gives depends on those before it. Amounts in base units. */
export class StarRun {
  readonly #star: Star;
  readonly #moved = new Map<StarArc, number>();
  #unseen: number;

  constructor(star: Star) {
    this.#star = star;
    this.#unseen = star.unseen?.balance ?? 0;
  }

  /** Another one in the same state, to look ahead with. */
  copy(): StarRun {
    const copy = new StarRun(this.#star);
    for (const [side, moved] of this.#moved) copy.#moved.set(side, moved);
    copy.#unseen = this.#unseen;
    return copy;
  }

  /** What came in or went out by a side so far. */
  moved(side: StarArc): number {
    return this.#moved.get(side) ?? 0;
  }

  /** The input that gives an output; at most `most`. */
  inputFor(into: StarArc, out: StarArc, output: number, most: number): number {
    return halve(most, (input) => this.#earned(into, out, input, output) < 0);
  }

  /** Swaps an input, and returns what comes out. */
  swap(into: StarArc, out: StarArc, input: number): number {
    const { keep, balance } = out.curve;
    const output = halve(keep * balance - this.moved(out), (taken) => this.#earned(into, out, input, taken) > 0);
    this.#unseen += this.#unseenBy(into, out, input, output);
    this.#moved.set(into, this.moved(into) + input);
    this.#moved.set(out, this.moved(out) + output);
    return output;
  }

  /** By how much a swap would change what the star conserves. */
  #earned(into: StarArc, out: StarArc, input: number, output: number): number {
    const [deposit, withdrawal] = [into.curve as DepositCurve, out.curve as WithdrawalCurve];
    const [before, gone] = [this.moved(into), this.moved(out)];
    const earned = depositOutput(deposit, before + input) - depositOutput(deposit, before);
    const spent = withdrawalInputFor(withdrawal, gone + output) - withdrawalInputFor(withdrawal, gone);
    if (this.#star.unseen === null) return earned - spent;
    const left = this.#unseen + this.#unseenBy(into, out, input, output);
    return left > 0 ? earned - spent + Math.log(left / this.#unseen) : -Infinity;
  }

  #unseenBy(into: StarArc, out: StarArc, input: number, output: number): number {
    return keptOf(into) * input - keptOf(out) * output;
  }
}

/** The amount from which on something no longer holds; 0 … `most`. */
function halve(most: number, holds: (amount: number) => boolean): number {
  let [low, high] = [0, most];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}
