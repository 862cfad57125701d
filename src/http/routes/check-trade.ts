import { chainCondition } from '../../admission/admission.ts';
import type { HostedChain } from '../../chains/chains.ts';
import type { EpochSeconds } from '../../units/units.ts';
import { checkForChain, checkForTime, parseTradeRequest, type TradeRequest } from '../../validation/validation.ts';
import type { Answer } from '../answer.ts';
import { refuse } from '../errors.ts';
import type { PublicParts } from '../public-parts.ts';

/** A request that is well-formed and of a fresh chain, or why it is not; then `hosted` is the chain that it names, as far as one is known. */
export type CheckedTrade =
  | { readonly ok: true; readonly request: TradeRequest; readonly hosted: HostedChain }
  | { readonly ok: false; readonly refusal: Answer; readonly hosted?: HostedChain };

/** The checks of a trade that do not hang on who asks, in the order that is part of the contract (decisions R1). `query`: as it came, without its question mark. */
export function checkTrade(
  endpoint: 'quote' | 'swap',
  query: string,
  { chains, developmentMode, wallClock }: Pick<PublicParts, 'chains' | 'developmentMode' | 'wallClock'>,
): CheckedTrade {
  const parsed = parseTradeRequest(endpoint, query, { developmentMode });
  if (!parsed.ok) return { ok: false, refusal: refuse('invalid-request', parsed.message) };
  const { request } = parsed;
  const late = checkForTime(request, (wallClock() / 1000) as EpochSeconds);
  if (late !== null) return { ok: false, refusal: refuse('invalid-request', late) };
  const hosted = chains.byId(request.chainId);
  if (hosted === undefined) {
    return { ok: false, refusal: refuse('unknown-chain', `chainId is ${request.chainId}, a chain that is unknown or not hosted here`) };
  }
  const problem = checkForChain(request, hosted);
  if (problem !== null) return { ok: false, refusal: refuse('invalid-request', problem), hosted };
  const condition = chainCondition(hosted, hosted.view());
  return condition === 'fresh' ? { ok: true, request, hosted } : { ok: false, refusal: refuse(condition), hosted };
}
