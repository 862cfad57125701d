import type { FeeBreakdown, QuoteResponse, RouteHop, SwapWarning } from '../../schemas/types.gen.ts';
import type { HostedChain } from '../chains/chains.ts';
import type { Plan, PlanHop } from '../routing/routing.ts';
import { type Address, asWei, NATIVE_TOKEN, type Wei } from '../units/units.ts';
import { type Decimal, decimalText, fundedByPermit2, type TradeRequest } from '../validation/validation.ts';
import { type AddressText, addressTextFor } from './address-text.ts';
import { type AppliedFee, feeOnGrossDown, grossTarget, splitFee } from './fees.ts';
import { transferWarning } from './transfer-warning.ts';
import { priceImpactOf, usdOf } from './usd.ts';

export type QuoteInput = {
  readonly plan: Plan;
  readonly request: TradeRequest;
  /** What effectiveFee gave for the request; the job was made with the same. */
  readonly fee: AppliedFee | null;
  readonly hosted: HostedChain;
  /** A lower-case uuid. */
  readonly quoteId: string;
};

/** 'dust': nothing is left for the recipient, which is no quote. */
export type QuoteResult = { readonly ok: true; readonly response: QuoteResponse } | { readonly ok: false; readonly reason: 'dust' };

/** The body of /v1/quote for a solved plan. Pure. Throws when the plan misses the target of a `buy`: that is a bug of the solver. */
export function toQuoteResponse({ plan, request, fee, hosted, quoteId }: QuoteInput): QuoteResult {
  const { feeAmount, buyAmount } = netOf(plan, request, fee);
  if (buyAmount === 0n) return { ok: false, reason: 'dust' };
  const addressText = addressTextFor(request.echo);
  const slippage = request.mode === 'buy' ? NO_SLIPPAGE : request.slippage;
  const permitted = fundedByPermit2(request);
  const spender = permitted ? hosted.contracts.permit2 : (request.overrides.allowanceHolder ?? hosted.contracts.allowanceHolder);
  const needsAllowance = request.sellToken !== NATIVE_TOKEN && spender !== null;
  const gas = plan.gas + (permitted ? GAS_ABOVE_ALLOWANCE_HOLDER : 0) + (feeAmount > 0n ? FEE_GAS : 0);
  const amountInUsd = usdOf(plan.sellAmount, plan.prices.sell);
  const amountOutUsd = usdOf(buyAmount, plan.prices.buy);
  const warnings = transferWarning(plan, addressText);
  const response: QuoteResponse = {
    quoteId,
    chainId: hosted.chain.chainId,
    mode: request.mode,
    sellToken: request.echo.sellToken,
    buyToken: request.echo.buyToken,
    sellAmount: plan.sellAmount.toString(),
    buyAmount: buyAmount.toString(),
    minBuyAmount: floorAfterSlippageDown(buyAmount, slippage).toString(),
    slippagePct: { jsonNumber: decimalText(slippage) },
    amountInUsd,
    amountOutUsd,
    priceImpact: priceImpactOf(amountInUsd, amountOutUsd),
    gas,
    gasPriceWei: plan.gasPriceWei,
    gasUsd: plan.gasPriceWei === null ? null : usdOf(BigInt(gas) * plan.gasPriceWei, plan.prices.native),
    gasMode: plan.gasMode,
    maxHops: plan.maxHops,
    blockNumber: plan.block.number,
    ...(fee === null ? {} : { fee: feeBreakdown(fee, feeAmount, request, addressText) }),
    taker: request.echo.taker,
    recipient: request.echo.recipient,
    allowanceTarget: needsAllowance ? addressText(spender) : null,
    route: plan.hops.map((hop) => routeHop(hop, addressText)),
    ...(warnings.length === 0 ? {} : { warnings: warnings as [SwapWarning, ...SwapWarning[]] }),
  };
  return { ok: true, response };
}

/** Gas units of Permit2 above those of the allowance holder, which plans count. A permit's nonce has a word of its own (decisions B7), which Permit2 writes for the first time. */
const GAS_ABOVE_ALLOWANCE_HOLDER = 32_000;

/** Gas units of paying a fee to partner and protocol, who hold some of the token (decision 100). */
const FEE_GAS = 15_000;

const NO_SLIPPAGE: Decimal = { numerator: 0n, scale: 0 };

/** What the fee takes and what is left. In `buy` both follow from the target, whatever the route yields beyond it (decisions S5). */
function netOf(plan: Plan, request: TradeRequest, fee: AppliedFee | null): { readonly feeAmount: bigint; readonly buyAmount: Wei } {
  const feeBps = fee?.feeBps ?? 0;
  if (request.mode === 'sell') {
    const feeAmount = feeOnGrossDown(plan.grossAmount, feeBps);
    return { feeAmount, buyAmount: asWei(plan.grossAmount - feeAmount) };
  }
  const gross = grossTarget(request.amount, feeBps);
  if (plan.grossAmount < gross) throw new Error(`the plan yields ${plan.grossAmount}, which is below its target ${gross}`);
  return { feeAmount: gross - request.amount, buyAmount: request.amount };
}

/** amount · (100 − percent) / 100, rounded down (decisions S4). */
export function floorAfterSlippageDown(amount: bigint, percent: Decimal): bigint {
  const whole = 100n * 10n ** BigInt(percent.scale);
  return (amount * (whole - percent.numerator)) / whole;
}

function feeBreakdown(fee: AppliedFee, feeAmount: bigint, request: TradeRequest, addressText: AddressText): FeeBreakdown {
  const { partnerAmount, protocolAmount } = splitFee(feeAmount, fee.partnerShareBps);
  return {
    feeBps: fee.feeBps,
    feeToken: request.echo.buyToken,
    feeAmount: feeAmount.toString(),
    partnerAmount: partnerAmount.toString(),
    protocolAmount: protocolAmount.toString(),
    partnerShareBps: fee.partnerShareBps,
    partner: addressText(fee.partner),
  };
}

function routeHop(hop: PlanHop, addressText: (address: Address) => string): RouteHop {
  return {
    poolAddress: addressText(hop.poolAddress),
    protocol: hop.protocol,
    source: hop.source,
    hook: hop.hook === null ? null : addressText(hop.hook),
    tokenIn: addressText(hop.tokenIn),
    tokenOut: addressText(hop.tokenOut),
    amountIn: hop.amountIn.toString(),
    amountOut: hop.amountOut.toString(),
    bps: hop.bps,
  };
}
