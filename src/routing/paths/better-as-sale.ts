import { curveInputFor } from '../../curves/curves.ts';
import type { Problem } from '../problem.ts';
import { BY_AMOUNT, findSinglePaths, type SinglePath } from './path-search.ts';
import { SELL_WALK } from './walk.ts';

/** By how much a sale has to give more than a buy asks for, relatively. */
const MORE = 1e-6;

/**
 * A path for a buy that a search from its own side left out: reference prices bound both searches, each from where it starts, and an arbitrage of this size shows to one of them alone. null where selling what the best known path
 * asks for gives no more than is bought.
 */
export function betterAsSale(problem: Problem, known: SinglePath): SinglePath | null {
  const target = Number(problem.fixed);
  const sale: Problem = { ...problem, mode: 'sell', fixed: BigInt(Math.ceil(known.amount)) };
  const found = findSinglePaths(sale, SELL_WALK, known.amount, BY_AMOUNT).paths[0];
  if (found === undefined || found.amount <= target * (1 + MORE)) return null;
  const amount = found.hops.reduceRight((needed, { edge }) => curveInputFor(edge.curve, needed), target);
  return amount < known.amount ? { ...found, amount } : null;
}
