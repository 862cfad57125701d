import type { BudgetDecision } from '../metering/metering.ts';
import type { Exchange } from './exchange.ts';
import type { PublicParts } from './public-parts.ts';

// The rate budget of an exchange. Each function leaves in `exchange.budget` what the answer's headers will say.

/** Takes one token of the caller's. */
export async function charge(exchange: Exchange, parts: PublicParts): Promise<BudgetDecision> {
  const { budget } = exchange.client;
  const decision = await parts.budgets.take(budget, parts.budgetClock());
  parts.observer.budgetDecided(budget.kind, decision.allowed ? 'allowed' : 'refused');
  exchange.budget = decision;
  return decision;
}

/** Gives the token of a shed request back. Called at most once an exchange. */
export async function refund(exchange: Exchange, parts: PublicParts): Promise<void> {
  const { budget } = exchange.client;
  exchange.budget = await parts.budgets.refund(budget, parts.budgetClock());
  parts.observer.budgetDecided(budget.kind, 'refunded');
}

/** Only looks: for what costs nothing. */
export async function look(exchange: Exchange, parts: PublicParts): Promise<void> {
  exchange.budget = await parts.budgets.peek(exchange.client.budget, parts.budgetClock());
}
