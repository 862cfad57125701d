import { randomUUID } from 'node:crypto';
import { serialise, toQuoteResponse } from '../../quoting/quoting.ts';
import { type Answer, json } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { PublicParts } from '../public-parts.ts';
import { noteSolve, type Trade, unsolved } from './trade.ts';

/** Prices a trade. null: the client has left, there is nobody to answer. */
export async function quote({ request, hosted, fee, job, caller }: Trade, exchange: Exchange, parts: PublicParts): Promise<Answer | null> {
  const outcome = await parts.solving.solve(job, caller);
  parts.observer.solveEnded(job.chainId, request.mode, outcome);
  noteSolve(exchange, outcome);
  const { result } = outcome;
  const { facts } = exchange;
  if (!result.ok) {
    if ('block' in result) facts.block = result.block.number;
    return unsolved(result, exchange, parts);
  }
  const startedAt = performance.now();
  const quoteId = randomUUID();
  const quoted = toQuoteResponse({ plan: result.plan, request, fee, hosted, quoteId });
  facts.block = result.plan.block.number;
  if (!quoted.ok) return unsolved(quoted, exchange, parts);
  const answer = json(200, serialise(quoted.response), 'ok');
  facts.quoteId = quoteId;
  facts.buildMs = performance.now() - startedAt;
  return answer;
}
