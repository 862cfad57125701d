import { LIMITS } from '../config/limits.ts';
import type { SolveJob, VenueGates } from '../routing/routing.ts';
import { asWei, type InstantMs, MAX_WEI } from '../units/units.ts';
import { fundedByPermit2, type TradeRequest } from '../validation/validation.ts';
import { type AppliedFee, grossTarget } from './fees.ts';

/** 'unreachable': no amount of a token is large enough to leave the target after the fee, so no route exists. */
export type SolveJobResult = { readonly ok: true; readonly job: SolveJob } | { readonly ok: false; readonly reason: 'unreachable' };

/**
 * What the solver is asked for a request. The time budget counts from `arrival`. In `buy` the target is grossed up by the fee. A budget too short to ask
 * a maker leaves out every venue that is priced off-chain. `gates`: the chain's gated venues, and which of them the caller's key opens.
 */
export function toSolveJob(request: TradeRequest, fee: AppliedFee | null, chainId: number, arrival: InstantMs, gates?: VenueGates): SolveJobResult {
  const amount = request.mode === 'buy' ? grossTarget(request.amount, fee?.feeBps ?? 0) : request.amount;
  if (amount > MAX_WEI) return { ok: false, reason: 'unreachable' };
  const onChainOnly = request.timeLimitMs < LIMITS.rfqCutoffMs;
  const job: SolveJob = {
    chainId,
    mode: request.mode,
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    amount: asWei(amount),
    ...(amount === request.amount ? {} : { sizeAmount: asWei(request.amount) }),
    ...(fundedByPermit2(request) ? { pullsOnce: true } : {}),
    maxHops: request.maxHops,
    gasPriceWei: request.gasPriceWei,
    filter: {
      include: request.includeVenues,
      exclude: request.excludeVenues ?? [],
      excludeRfq: request.excludeRfq || onChainOnly,
      excludeRwa: request.excludeRwa || onChainOnly,
      ...(gates === undefined || gates.gated.length + gates.opened.length === 0 ? {} : { gates }),
    },
    deadline: (arrival + request.timeLimitMs) as InstantMs,
  };
  return { ok: true, job };
}
