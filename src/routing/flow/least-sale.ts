import { LIMITS } from '../../config/limits.ts';
import { tollsOf } from '../gas/gas-rule.ts';
import { partialPath } from '../paths/best-single-paths.ts';
import type { Problem } from '../problem.ts';
import { growNetwork, settle } from './columns.ts';
import type { Equilibrium } from './equilibrate.ts';
import { BUY, copyNetwork, type FlowNetwork } from './network.ts';
import { reorder } from './reorder.ts';
import { startNetwork } from './start-network.ts';

/** A sale at rest. `input`: what it sells, base units. */
export type Sale = { readonly network: FlowNetwork; readonly equilibrium: Equilibrium; readonly input: number };

/** How much more is tried each time, and how closely the input is looked for. */
const GROWTH = 3;
const CLOSE = 1e-7;

/**
 * The least sale whose output reaches what a buy asks for. Near what a market can give at all, the input for a unit of output grows without bound: the conditions of a buy then tell nothing apart, where those of a sale still
 * do. Output is concave in the input, so that chords close in on it. `from`: an input to start with. null where no sale reaches it.
 */
export function leastSale(problem: Problem, from: number): Sale | null {
  const target = Number(problem.fixed);
  const reaches = (sale: Sale): boolean => sale.equilibrium.atRest && sale.equilibrium.amount >= target;
  let high: Sale | null = null;
  for (let step = 0; high === null; step++) {
    if (step >= LIMITS.routing.saleSteps || problem.pace.halted() !== null) return null;
    const sale = grownSale(problem, from * GROWTH ** step);
    if (sale === null) return null;
    if (reaches(sale)) high = sale;
  }
  let low: Sold = { input: 0, amount: 0 };
  for (let step = 0; step < LIMITS.routing.saleSteps && high.input - low.input > CLOSE * high.input && problem.pace.halted() === null; step++) {
    const sale = saleOf(high.network, between(low, { input: high.input, amount: high.equilibrium.amount }, target, step));
    if (reaches(sale)) high = sale;
    else if (sale.equilibrium.atRest) low = { input: sale.input, amount: sale.equilibrium.amount };
    else break;
  }
  return high;
}

/** What a sale of an input gives, base units. */
export type Sold = { readonly input: number; readonly amount: number };

/** An input between one that misses a target and one that reaches it: where a chord meets the target, and the middle by turns, since chords creep where a curve is flat. */
export function between(low: Sold, high: Sold, target: number, step: number): number {
  if (step % 2 === 1) return low.input > 0 ? Math.sqrt(low.input * high.input) : high.input * FIRST_PART;
  const part = (target - low.amount) / (high.amount - low.amount);
  return low.input + (high.input - low.input) * Math.min(1 - CLOSE, Math.max(CLOSE, part));
}

/** Part of the first input that is tried where nothing is known to miss. */
const FIRST_PART = 1e-2;

function grownSale(problem: Problem, input: number): Sale | null {
  const sale = saleProblem(problem, input);
  const path = partialPath(sale);
  if (path === null) return null;
  const network = startNetwork(sale, path);
  const tolls = tollsOf(sale.gas, Number(problem.fixed));
  const { equilibrium } = reorder(network, growNetwork(network, tolls), tolls);
  return { network, equilibrium, input };
}

/** A sale of an input; a buy's gas is valued in the token sold, that of a sale in the token bought. */
function saleProblem(problem: Problem, input: number): Problem {
  const rate = problem.mode === 'sell' ? 1 : Number(problem.fixed) / input;
  return { ...problem, mode: 'sell', fixed: BigInt(Math.ceil(input)), gas: { ...problem.gas, perGas: problem.gas.perGas * rate } };
}

/** The same edges at rest with another input. */
export function saleOf(network: FlowNetwork, input: number): Sale {
  const sale = asSale(network, input);
  return { network: sale, equilibrium: settle(sale), input };
}

/** The same flows as those of a sale of about their input, be they at rest as a sale or as a buy. */
export function asSale(network: FlowNetwork, input: number): FlowNetwork {
  const copy: FlowNetwork = { ...copyNetwork(network), problem: saleProblem(network.problem, input) };
  // What a sale is measured in has the price 1.
  const unit = copy.logPrice[BUY] as number;
  for (const [node, logPrice] of copy.logPrice.entries()) copy.logPrice[node] = logPrice - unit;
  return copy;
}
