import { admit, inflightLimit, retryAfterSeconds } from '../../admission/admission.ts';
import type { HostedChain } from '../../chains/chains.ts';
import { LIMITS } from '../../config/config.ts';
import { type AppliedFee, effectiveFee, toSolveJob } from '../../quoting/quoting.ts';
import type { SolveJob } from '../../routing/routing.ts';
import type { Caller, SolveOutcome } from '../../solving/solving.ts';
import { type DurationMs, instantNow } from '../../units/units.ts';
import type { TradeRequest } from '../../validation/validation.ts';
import type { Answer } from '../answer.ts';
import { refund } from '../budget.ts';
import { refuse, refuseForNow } from '../errors.ts';
import { type Exchange, hasLeft } from '../exchange.ts';
import type { PublicParts } from '../public-parts.ts';
import { rawQueryOf } from '../request-target.ts';
import { checkTrade } from './check-trade.ts';
import { refusalOf, type Unsolved } from './refusal-of.ts';

/** A trade request that may be solved: well-formed, of a fresh chain, and there is room. */
export type Trade = {
  readonly request: TradeRequest;
  readonly hosted: HostedChain;
  readonly fee: AppliedFee | null;
  readonly job: SolveJob;
  /** Its signal aborts when the client hangs up. */
  readonly caller: Caller;
};

/** What a trade route does with a trade. null: the client has left, there is nobody to answer. */
export type AnswerTrade = (trade: Trade, exchange: Exchange, parts: PublicParts) => Promise<Answer | null>;

/** Takes a request of a trade route through the checks whose order is part of the contract (decisions R1); the rate budget comes before this. */
export async function trade(endpoint: 'quote' | 'swap', exchange: Exchange, parts: PublicParts, answer: AnswerTrade): Promise<Answer | null> {
  const checked = checkTrade(endpoint, rawQueryOf(exchange.request.url), parts);
  if (checked.hosted !== undefined) exchange.facts.chainId = checked.hosted.chain.chainId;
  if (!checked.ok) return checked.refusal;
  const { request, hosted } = checked;

  const { id, rps } = exchange.client.budget;
  const client = `${exchange.client.budget.kind}:${id}`;
  if (!parts.inflight.enter(client, inflightLimit(rps, LIMITS.admission.inflightPerClient))) {
    parts.observer.admissionDecided('client-in-flight');
    return overloaded(exchange, parts);
  }
  try {
    const { key } = exchange.client;
    const fee = effectiveFee(request, key, hosted.feeCollector);
    const gates = { gated: hosted.gatedVenues, opened: key?.gatedVenues ?? [] };
    const target = toSolveJob(request, fee, hosted.chain.chainId, exchange.arrival, gates);
    if (!target.ok) return refuse('no-route');
    const { job } = target;
    const remaining = Math.max(0, exchange.arrival + request.timeLimitMs - instantNow()) as DurationMs;
    const decision = admit(parts.solving.outlook(job, client), remaining, parts.eventLoop.lateFor(), LIMITS.admission);
    parts.observer.admissionDecided(decision.admitted ? 'admitted' : decision.reason);
    if (!decision.admitted) return await overloaded(exchange, parts, decision.retryAfterSeconds);
    return await untilHangUp(exchange, client, (caller) => answer({ request, hosted, fee, job, caller }, exchange, parts));
  } finally {
    parts.inflight.leave(client);
  }
}

/** Does something on behalf of a client for as long as it is there. */
async function untilHangUp(exchange: Exchange, client: string, work: (caller: Caller) => Promise<Answer | null>): Promise<Answer | null> {
  // While it waited for its turn or its budget: nothing would tell that again.
  if (hasLeft(exchange)) return null;
  const hangUp = new AbortController();
  const onClose = () => hangUp.abort();
  // Not the response's: one that waits behind an earlier one of its connection does not hear of the end.
  const { socket } = exchange.request;
  socket.once('close', onClose);
  try {
    return await work({ client, signal: hangUp.signal });
  } finally {
    socket.off('close', onClose);
  }
}

/** The answer to a trade that was not solved. */
export async function unsolved(refusal: Unsolved, exchange: Exchange, parts: PublicParts): Promise<Answer | null> {
  if (refusal.reason === 'expired') await refund(exchange, parts);
  if (refusal.reason === 'cancelled' && hasLeft(exchange)) return null;
  if (refusal.reason === 'unmeasured') parts.observer.tokenRefused(exchange.facts.chainId, 'unmeasured');
  if (refusal.reason === 'token-refused') {
    const { kind } = refusal.refusal;
    parts.observer.tokenRefused(exchange.facts.chainId, kind === 'gated' ? refusal.refusal.reason : kind);
  }
  return refusalOf(refusal, secondsToRoom(parts));
}

/** A load-shed answer costs the caller nothing (decisions R2). */
async function overloaded(exchange: Exchange, parts: PublicParts, seconds = secondsToRoom(parts)): Promise<Answer> {
  await refund(exchange, parts);
  return refuseForNow('overloaded', seconds);
}

/** In how long there may be room again. */
function secondsToRoom({ solving }: PublicParts): number {
  return retryAfterSeconds(solving.estimatedWaitMs() as DurationMs);
}

/** Takes the times of a solve into the request's log line: of several, the sum. */
export function noteSolve(exchange: Exchange, { queueMs, runMs, measureMs, requoteMs }: SolveOutcome): void {
  const { facts } = exchange;
  facts.queueMs = (facts.queueMs ?? 0) + queueMs;
  if (measureMs !== undefined) facts.measureMs = (facts.measureMs ?? 0) + measureMs;
  if (requoteMs !== undefined) facts.requoteMs = (facts.requoteMs ?? 0) + requoteMs;
  facts.solveMs = (facts.solveMs ?? 0) + runMs;
}
