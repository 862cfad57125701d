import { LIMITS } from '../../config/limits.ts';
import type { Problem } from '../problem.ts';
import type { Walk } from './walk.ts';

/**
 * How much a partial path may have lost and still end better than the best path known. Loss is the logarithm of the value lost by reference prices, which no pair gives back. Where few pairs lead to the goal, each is asked what
 * it needs to end as well: a goal whose own pools drain then does not open the whole market.
 */
export class Gate {
  /** Partial paths that lost more than this are left out. */
  most = Infinity;
  readonly #problem: Problem;
  readonly #walk: Walk;
  /** Logarithm of the value that the walk starts with. */
  readonly #start: number;
  readonly #sign: 1 | -1;

  constructor(problem: Problem, walk: Walk, amount: number) {
    this.#problem = problem;
    this.#walk = walk;
    this.#start = Math.log(amount) + walk.referencePrice(problem, walk.startOf(problem));
    this.#sign = walk.mode === 'sell' ? 1 : -1;
  }

  /** NaN where the token has no reference price. */
  lossAt(token: number, amount: number): number {
    return this.#sign * (this.#start - Math.log(amount) - this.#walk.referencePrice(this.#problem, token));
  }

  /** Leaves out from now on what can not end with this amount at the goal. */
  close(amount: number): void {
    const goal = this.#walk.goalOf(this.#problem);
    const { pairs } = this.#walk.into(this.#problem, goal);
    const atGoal = orAny(this.lossAt(goal, amount));
    if (pairs.length > LIMITS.routing.smallDegree) {
      this.most = atGoal;
      return;
    }
    let most = -Infinity;
    for (const pair of pairs) {
      const token = this.#walk.back(pair);
      for (const edge of pair.edges) {
        const needed = this.#walk.needed(edge, amount);
        if (needed > 0 && needed < Infinity) most = Math.max(most, orAny(this.lossAt(token, needed)));
      }
    }
    this.most = Math.min(most, atGoal);
  }
}

/** Where there is no price, nothing is left out. */
function orAny(loss: number): number {
  return Number.isNaN(loss) ? Infinity : loss + ROUNDING;
}

/** Sums of some logarithms differ by less. */
const ROUNDING = 1e-9;
