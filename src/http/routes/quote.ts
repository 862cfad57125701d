import { randomUUID } from 'node:crypto';
import { admit, chainCondition, estimateWait, inflightLimit, retryAfterSeconds } from '../../admission/admission.ts';
import type { HostedChain } from '../../chains/chains.ts';
import { LIMITS } from '../../config/config.ts';
import { effectiveFee, serialise, toQuoteResponse, toSolveJob } from '../../quoting/quoting.ts';
import type { SolveOutcome } from '../../solving/solving.ts';
import { type DurationMs, type EpochSeconds, instantNow } from '../../units/units.ts';
import { checkForChain, parseTradeRequest, type TradeRequest } from '../../validation/validation.ts';
import { type Answer, json } from '../answer.ts';
import { refund } from '../budget.ts';
import { refuse, refuseForNow } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { PublicParts } from '../public-parts.ts';
import { rawQueryOf } from '../request-target.ts';

/**
 * Prices a trade. The order of the checks is part of the contract (decisions R1); the rate budget comes before this. null: the client has left, there is
 * nobody to answer.
 */
export async function quote(exchange: Exchange, parts: PublicParts): Promise<Answer | null> {
  const parsed = parseTradeRequest('quote', rawQueryOf(exchange.request.url), { developmentMode: parts.developmentMode });
  if (!parsed.ok) return refuse('invalid-request', parsed.message);
  const { request } = parsed;
  const hosted = parts.chains.byId(request.chainId);
  if (hosted === undefined) return refuse('unknown-chain', `chainId is ${request.chainId}, a chain that is unknown or not hosted here`);
  exchange.facts.chainId = hosted.chain.chainId;
  const problem = checkForChain(request, hosted, (parts.wallClock() / 1000) as EpochSeconds);
  if (problem !== null) return refuse('invalid-request', problem);
  const condition = chainCondition(hosted, hosted.view());
  if (condition !== 'fresh') return refuse(condition);

  const { id, rps } = exchange.client.budget;
  const client = `${exchange.client.budget.kind}:${id}`;
  if (!parts.inflight.enter(client, inflightLimit(rps, LIMITS.admission.inflightPerClient))) {
    parts.observer.admissionDecided('client-in-flight');
    return overloaded(exchange, parts);
  }
  try {
    const remaining = Math.max(0, exchange.arrival + request.timeLimitMs - instantNow()) as DurationMs;
    const decision = admit(parts.solving, remaining, parts.eventLoop.isLate(), LIMITS.admission);
    parts.observer.admissionDecided(decision.admitted ? 'admitted' : decision.reason);
    return decision.admitted ? await solveAndAnswer(exchange, parts, request, hosted) : await overloaded(exchange, parts);
  } finally {
    parts.inflight.leave(client);
  }
}

async function solveAndAnswer(exchange: Exchange, parts: PublicParts, request: TradeRequest, hosted: HostedChain): Promise<Answer | null> {
  const fee = effectiveFee(request, exchange.client.key, hosted.feeCollector);
  const target = toSolveJob(request, fee, hosted.chain.chainId, exchange.arrival);
  if (!target.ok) return refuse('no-route');
  const hangUp = new AbortController();
  const onClose = () => hangUp.abort();
  exchange.response.once('close', onClose);
  let outcome: SolveOutcome;
  try {
    outcome = await parts.solving.solve(target.job, hangUp.signal);
  } finally {
    exchange.response.off('close', onClose);
  }
  parts.observer.solveEnded(request.mode, outcome);
  const { result, queueMs, runMs } = outcome;
  const { facts } = exchange;
  facts.queueMs = queueMs;
  facts.solveMs = runMs;
  if (!result.ok) {
    if (result.reason === 'no-route') facts.block = result.block.number;
    return unsolved(result.reason, exchange, parts);
  }
  const startedAt = performance.now();
  const quoteId = randomUUID();
  const quoted = toQuoteResponse({ plan: result.plan, request, fee, hosted, quoteId });
  facts.block = result.plan.block.number;
  if (!quoted.ok) return refuse('no-route', 'no route: what it would yield is nothing after fees; try a larger size');
  const answer = json(200, serialise(quoted.response), 'ok');
  facts.quoteId = quoteId;
  facts.buildMs = performance.now() - startedAt;
  return answer;
}

type Unsolved = Exclude<SolveOutcome['result'], { readonly ok: true }>['reason'];

async function unsolved(reason: Unsolved, exchange: Exchange, parts: PublicParts): Promise<Answer | null> {
  switch (reason) {
    case 'no-route':
      return refuse('no-route');
    case 'no-snapshot':
      return refuse('coming-up');
    case 'expired':
      return overloaded(exchange, parts);
    case 'cancelled':
      return exchange.response.destroyed ? null : refuse('internal');
    case 'failed':
      return refuse('internal');
    default:
      throw new TypeError(`unknown reason ${reason satisfies never}`);
  }
}

/** A load-shed answer costs the caller nothing (decisions R2). */
async function overloaded(exchange: Exchange, parts: PublicParts): Promise<Answer> {
  await refund(exchange, parts);
  return refuseForNow('overloaded', retryAfterSeconds(estimateWait(parts.solving)));
}
