import { LIMITS } from '../../config/limits.ts';
import type { Tolls } from '../gas/tolls.ts';
import { partialPath } from '../paths/best-single-paths.ts';
import type { Problem } from '../problem.ts';
import { growNetwork, settle } from './columns.ts';
import type { Equilibrium } from './equilibrate.ts';
import { copyNetwork, type FlowNetwork } from './network.ts';
import { startNetwork } from './start-network.ts';

/** A sale at rest. `input`: what it sells, base units. */
export type Sale = { readonly network: FlowNetwork; readonly equilibrium: Equilibrium; readonly input: number };

/** How much more is tried each time, and how closely the input is looked for. */
const GROWTH = 1.5;
const CLOSE = 1e-7;

/**
 * The least sale whose output reaches what a buy asks for. Near what a market can give at all, the input for a unit of output grows without bound: the conditions of a buy then tell nothing apart, where those of a sale still
 * do. Output is concave in the input, so that chords close in on it. `from`: an input to start with. null where no sale reaches it.
 */
export function leastSale(problem: Problem, tolls: Tolls, from: number): Sale | null {
  const target = Number(problem.fixed);
  let high = grownSale(problem, tolls, from);
  for (let step = 0; high !== null && high.equilibrium.amount < target; step++) {
    if (step >= LIMITS.routing.saleSteps || problem.pace.halted() !== null) return null;
    high = grownSale(problem, tolls, high.input * GROWTH);
  }
  if (high === null) return null;
  let low = { input: 0, amount: 0 };
  for (let step = 0; step < LIMITS.routing.saleSteps && high.input - low.input > CLOSE * high.input && problem.pace.halted() === null; step++) {
    const chord = low.input + ((target - low.amount) * (high.input - low.input)) / (high.equilibrium.amount - low.amount);
    // A chord lies below a concave curve: its end reaches the target from the side of more.
    const input = Math.max(chord, low.input + (high.input - low.input) * CLOSE);
    const sale = saleOf(high.network, input);
    problem.pace.spend(sale.equilibrium.work);
    if (!sale.equilibrium.atRest) break;
    if (sale.equilibrium.amount >= target) {
      if (high.input - sale.input < CLOSE * high.input) return sale;
      high = sale;
    } else low = { input, amount: sale.equilibrium.amount };
  }
  return high;
}

function grownSale(problem: Problem, tolls: Tolls, input: number): Sale | null {
  const sale: Problem = { ...problem, mode: 'sell', fixed: BigInt(Math.ceil(input)) };
  const path = partialPath(sale);
  if (path === null) return null;
  const network = startNetwork(sale, path);
  const { equilibrium } = growNetwork(network, tolls);
  return equilibrium.atRest ? { network, equilibrium, input } : null;
}

/** The same edges with another input. */
function saleOf(network: FlowNetwork, input: number): Sale {
  const copy: FlowNetwork = { ...copyNetwork(network), problem: { ...network.problem, fixed: BigInt(Math.ceil(input)) } };
  return { network: copy, equilibrium: settle(copy), input };
}
