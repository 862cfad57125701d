import type { Permit2Approval, QuoteResponse, SwapResponse, SwapWarning, Transaction } from '../../schemas/types.gen.ts';
import { addressTextFor, toQuoteResponse } from '../quoting/quoting.ts';
import { losesNothing, type Plan, ROUNDED_UNITS } from '../routing/routing.ts';
import { type Address, asWei } from '../units/units.ts';
import { fundedByPermit2 } from '../validation/validation.ts';
import { encodePermit2Call, encodeTakerCall } from './encode/encode-calls.ts';
import type { SwapTerms } from './encode/encode-payload.ts';
import { swapTag } from './encode/swap-tag.ts';
import { driftExposedShareBps } from './firming/drift-exposed.ts';
import type { SignedHop } from './firming/firm-hops.ts';
import { impactWarning } from './impact-warning.ts';
import { leastOfHop } from './least-of-hop.ts';
import type { SwapBuild } from './swap-build.ts';
import { writePermit2 } from './write-permit2.ts';

export type BuiltSwap = SwapResponse;

/** The body of /v1/swap for a certified plan; null when nothing would be left for the recipient. Throws when a hop can not be encoded: that is a bug. */
export function writeSwap(swap: SwapBuild, plan: Plan, signed: readonly SignedHop[], warnings: readonly SwapWarning[]): BuiltSwap | null {
  // What was signed holds no longer than it says (decisions S18).
  const build = { ...swap, deadline: earliest(signed, swap.deadline) };
  const { request, fee, hosted, quoteId } = build;
  const quoted = toQuoteResponse({ plan, request, fee, hosted, quoteId });
  if (!quoted.ok) return null;
  // One list holds both kinds (decisions S2).
  const all = [...(quoted.response.warnings ?? []), ...warnings, ...impactWarning(quoted.response)];
  return {
    ...quoted.response,
    ...writeCall(build, plan, quoted.response),
    ...writeOrders(build, plan, signed),
    ...(all.length === 0 ? {} : { warnings: all as [SwapWarning, ...SwapWarning[]] }),
  };
}

/** What a response says of the makers' orders of its route; nothing where it has none. */
function writeOrders({ request }: SwapBuild, plan: Plan, signed: readonly SignedHop[]): Pick<SwapResponse, 'rfqExpiry' | 'driftExposedShareBps'> {
  const [first, ...others] = signed.filter(({ signs }) => signs === 'order');
  if (first === undefined) return {};
  const rfqExpiry = earliest([first, ...others], LATEST);
  if (request.mode === 'buy') return { rfqExpiry };
  return { rfqExpiry, driftExposedShareBps: driftExposedShareBps(plan, request.sellToken, request.buyToken, signed) };
}

/** Beyond every deadline. */
const LATEST = 2n ** 256n - 1n;

/** Unix seconds. */
function earliest(signed: readonly SignedHop[], deadline: bigint): bigint {
  return signed.reduce((least, { expiry }) => (expiry !== null && BigInt(expiry) < least ? BigInt(expiry) : least), deadline);
}

/** The transaction until its deadline and, where Permit2 moves the sell token, what the taker signs for it. */
type Call = { readonly transaction: Transaction; readonly deadline: bigint; readonly permit2?: Permit2Approval };

function writeCall(build: SwapBuild, plan: Plan, quote: QuoteResponse): Call {
  const { request, hosted, deadline } = build;
  const { overrides, echo } = request;
  const router = overrides.router ?? hosted.contracts.router;
  const allowanceHolder = overrides.allowanceHolder ?? hosted.contracts.allowanceHolder;
  if (router === null || allowanceHolder === null) throw new TypeError('a swap needs the settlement contracts');
  const terms = termsOf(build, plan, quote);
  const addressText = addressTextFor(echo);
  const permitted = fundedByPermit2(request);
  const { to, data, value } = permitted ? encodePermit2Call(terms, { router }) : encodeTakerCall(terms, { router, allowanceHolder });
  const transaction = { from: echo.taker, to: addressText(to), data, value: value.toString() };
  if (!permitted) return { transaction, deadline };
  const { permit2 } = hosted.contracts;
  if (permit2 === null) throw new TypeError('a swap that Permit2 funds needs Permit2');
  return { transaction, deadline, permit2: writePermit2(terms, { chainId: hosted.chain.chainId, permit2, router }, addressText) };
}

function termsOf({ request, fee, quoteId, partnerId, surplus, deadline, legs }: SwapBuild, plan: Plan, quote: QuoteResponse): SwapTerms {
  const { taker } = request;
  if (taker === null) throw new TypeError('a swap needs a taker');
  return {
    mode: request.mode,
    tag: swapTag(quoteId, partnerId),
    deadline,
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    sellAmount: plan.sellAmount,
    buyAmount: asWei(BigInt(quote.buyAmount) + unitsOnTheWay(plan)),
    minBuyAmount: asWei(BigInt(quote.minBuyAmount)),
    taker,
    recipient: request.recipient ?? taker,
    fee,
    surplus,
    legs: legs.toLegs(plan.hops, measuredInputs(plan), leastOfHop(request)),
  };
}

/** Tokens of which less than was sent may reach a pool: their hops measure it. */
function measuredInputs({ lossyEnds }: Plan): ReadonlySet<Address> {
  const sell = lossyEnds?.sell ?? null;
  return new Set(sell === null || losesNothing(sell.loss) ? [] : [sell.token]);
}

/** What is above the quoted output is surplus, and not the recipient's: of a token that rounds on its way to the recipient, what that takes is not above it. */
function unitsOnTheWay({ lossyEnds }: Plan): bigint {
  const buy = lossyEnds?.buy ?? null;
  return buy !== null && buy.tax === null ? BigInt(ROUNDED_UNITS) : 0n;
}
