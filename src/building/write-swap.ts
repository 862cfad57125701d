import type { QuoteResponse, SwapResponse, SwapWarning, Transaction } from '../../schemas/types.gen.ts';
import { addressTextFor, toQuoteResponse } from '../quoting/quoting.ts';
import type { Plan } from '../routing/routing.ts';
import { asWei } from '../units/units.ts';
import { encodeTakerCall } from './encode/encode-calls.ts';
import { swapTag } from './encode/swap-tag.ts';
import { impactWarning } from './impact-warning.ts';
import type { SwapBuild } from './swap-build.ts';

export type BuiltSwap = SwapResponse;

/** The body of /v1/swap for a certified plan; null when nothing would be left for the recipient. Throws when a hop can not be encoded: that is a bug. */
export function writeSwap(build: SwapBuild, plan: Plan, warnings: readonly SwapWarning[]): BuiltSwap | null {
  const { request, fee, hosted, quoteId, deadline } = build;
  const quoted = toQuoteResponse({ plan, request, fee, hosted, quoteId });
  if (!quoted.ok) return null;
  const all = [...warnings, ...impactWarning(quoted.response)];
  return {
    ...quoted.response,
    transaction: writeTransaction(build, plan, quoted.response),
    deadline,
    ...(all.length === 0 ? {} : { warnings: all as [SwapWarning, ...SwapWarning[]] }),
  };
}

function writeTransaction(build: SwapBuild, plan: Plan, quote: QuoteResponse): Transaction {
  const { request, hosted, fee, quoteId, partnerId, surplus, deadline, legs } = build;
  const { taker, overrides } = request;
  const router = overrides.router ?? hosted.contracts.router;
  const allowanceHolder = overrides.allowanceHolder ?? hosted.contracts.allowanceHolder;
  if (taker === null || router === null || allowanceHolder === null) throw new TypeError('a swap needs a taker and the settlement contracts');
  const call = encodeTakerCall(
    {
      mode: request.mode,
      tag: swapTag(quoteId, partnerId),
      deadline,
      sellToken: request.sellToken,
      buyToken: request.buyToken,
      sellAmount: plan.sellAmount,
      buyAmount: asWei(BigInt(quote.buyAmount)),
      minBuyAmount: asWei(BigInt(quote.minBuyAmount)),
      taker,
      recipient: request.recipient ?? taker,
      fee,
      surplus,
      legs: legs.toLegs(plan.hops, NO_TAXED_TOKENS),
    },
    { router, allowanceHolder },
  );
  return { from: request.echo.taker, to: addressTextFor(request.echo)(call.to), data: call.data, value: call.value.toString() };
}

/** Transfer taxes are not measured yet, so no route is planned over a taxed token. */
const NO_TAXED_TOKENS: ReadonlySet<never> = new Set<never>();
