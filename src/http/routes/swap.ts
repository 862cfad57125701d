import { randomUUID } from 'node:crypto';
import { type BuildClock, buildSwap, NO_FIRM_HOPS } from '../../building/building.ts';
import type { HostedChain } from '../../chains/chains.ts';
import { LIMITS } from '../../config/config.ts';
import { serialise } from '../../quoting/quoting.ts';
import { instantNow } from '../../units/units.ts';
import { fundedByPermit2 } from '../../validation/validation.ts';
import { type Answer, json } from '../answer.ts';
import { refuse } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { PublicParts } from '../public-parts.ts';
import { noteSolve, type Trade, unsolved } from './trade.ts';

/** Prices a trade and writes the transaction that settles it. null: the client has left, there is nobody to answer. */
export async function swap({ request, hosted, fee, job, caller }: Trade, exchange: Exchange, parts: PublicParts): Promise<Answer | null> {
  const { key } = exchange.client;
  const { overrides } = request;
  if ((overrides.router ?? hosted.contracts.router) === null || (overrides.allowanceHolder ?? hosted.contracts.allowanceHolder) === null) {
    return refuse('internal', `swaps can not be built: the settlement contracts of ${hosted.chain.name} are not known or not verified yet`);
  }
  if (fundedByPermit2(request) && hosted.contracts.permit2 === null) {
    return refuse('internal', `funding=permit2 can not be served: Permit2 was not found on ${hosted.chain.name}; use funding=allowanceHolder`);
  }
  const startedAt = performance.now();
  const quoteId = randomUUID();
  const { facts } = exchange;
  const built = await buildSwap({
    request,
    hosted,
    fee,
    job,
    quoteId,
    partnerId: key?.partnerId ?? null,
    surplus: key?.surplus ?? 'protocol',
    deadline: request.deadline ?? defaultDeadline(hosted, parts.wallClock()),
    solving: parts.solving,
    legs: parts.legs,
    firmHops: parts.firmHops.get(job.chainId) ?? NO_FIRM_HOPS,
    clock: CLOCK,
    caller,
    onSolved(outcome) {
      parts.observer.solveEnded(job.chainId, request.mode, outcome);
      noteSolve(exchange, outcome);
    },
    onFirmed(millis) {
      facts.firmMs = (facts.firmMs ?? 0) + millis;
    },
  });
  if (!built.ok) {
    facts.block = built.block;
    return unsolved(built.refusal, exchange, parts);
  }
  const answer = json(200, serialise(built.swap), 'ok');
  facts.quoteId = quoteId;
  facts.block = built.plan.block.number;
  facts.buildMs =
    performance.now() - startedAt - (facts.queueMs ?? 0) - (facts.solveMs ?? 0) - (facts.measureMs ?? 0) - (facts.requoteMs ?? 0) - (facts.firmMs ?? 0);
  for (const { code } of built.swap.warnings ?? []) parts.observer.swapWarned(job.chainId, code);
  return answer;
}

const CLOCK: BuildClock = {
  now: instantNow,
  after(delay, call) {
    const timer = setTimeout(call, delay);
    return () => clearTimeout(timer);
  },
};

/** By whichever clock is ahead: a chain whose timestamps lead the wall clock must not get a transaction that is late already (decisions R8). */
function defaultDeadline(hosted: HostedChain, wallClockMs: number): bigint {
  const view = hosted.view();
  const wall = Math.floor(wallClockMs / 1000);
  const head = view.phase === 'coming-up' ? 0 : view.block.timestamp;
  return BigInt(Math.max(wall, head) + LIMITS.building.deadlineSeconds);
}
