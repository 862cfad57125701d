import { floorAfterSlippageDown } from '../../quoting/quoting.ts';
import type { Plan, PlanHop } from '../../routing/routing.ts';
import type { EpochSeconds } from '../../units/units.ts';
import type { Decimal, TradeRequest } from '../../validation/validation.ts';
import type { FirmHop, HopToFirm } from '../../venues/venues.ts';
import type { SwapBuild } from '../swap-build.ts';
import { isFixed, signerOf } from './firm-hops.ts';
import { steadyTokens } from './signed-first.ts';

/** What is asked for at one place of a plan. */
export type AskedHop = { readonly place: number; readonly source: string; readonly venue: string; readonly hop: HopToFirm };

/**
 * What the hops of a plan that have to be signed are asked for. Where less may come to a hop than was planned, in the middle of a route, it is asked for an input less slippage, so that a route whose pools drift by a little is settled
 * all the same. In `buy` there is no slippage: a route that misses its target by a unit reverts, whatever its orders say.
 */
export function hopsToFirm(build: SwapBuild, { hops }: Pick<Plan, 'hops'>): readonly AskedHop[] {
  const { request, firmHops } = build;
  const steady = steadyTokens(hops, request.sellToken);
  return hops.flatMap((hop, place) => {
    if (signerOf(firmHops, hop) === null) return [];
    const drifts = request.mode === 'sell' && isFixed(firmHops, hop) && !steady.has(hop.tokenIn);
    const amountIn = drifts ? floorAfterSlippageDown(hop.amountIn, slack(request)) : hop.amountIn;
    const amountOut = drifts ? (hop.amountOut * amountIn) / hop.amountIn : hop.amountOut;
    return amountOut === 0n ? [] : [{ place, source: hop.source, venue: hop.venue, hop: toFirm(build, hop, amountIn, amountOut) }];
  });
}

/** What an order in the middle of a route is for less, in percent, at most: it goes back to the taker in a token that was not asked for. */
const MOST_SLACK: Decimal = { numerator: 5n, scale: 1 };

function slack({ slippage }: TradeRequest): Decimal {
  const isMore = slippage.numerator * 10n ** BigInt(MOST_SLACK.scale) > MOST_SLACK.numerator * 10n ** BigInt(slippage.scale);
  return isMore ? MOST_SLACK : slippage;
}

function toFirm({ request, hosted, deadline }: SwapBuild, hop: PlanHop, amountIn: bigint, amountOut: bigint): HopToFirm {
  const { mode, taker, recipient, userAddress, overrides, slippage } = request;
  const router = overrides.router ?? hosted.contracts.router;
  if (taker === null || router === null) throw new TypeError('a swap needs a taker and a router');
  const { protocol: family, poolAddress, poolKey, hook, legFacts, slotIn, slotOut, tokenIn, tokenOut } = hop;
  const leastOut = mode === 'sell' ? floorAfterSlippageDown(amountOut, slippage) : amountOut;
  const until = deadline < LAST_SECOND ? Number(deadline) : Number(LAST_SECOND);
  return {
    ...{ family, poolAddress, poolKey, hook, legFacts, slotIn, slotOut, tokenIn, tokenOut, leastOut, taxedInput: false },
    ...{ mode, amountIn, amountOut, taker, recipient: recipient ?? taker, user: userAddress ?? taker, router, deadline: until as EpochSeconds },
  };
}

const LAST_SECOND = BigInt(Number.MAX_SAFE_INTEGER);

/** Holds what was signed against what was asked for, whatever the venue let pass: of an order that is not what was asked for nothing reaches calldata, and of one that is too much worse neither (decisions B11). */
export function judgeFirmHop({ mode, amountIn, amountOut, leastOut }: HopToFirm, answer: FirmHop): FirmHop {
  if (!answer.ok) return answer;
  if (answer.amountOut <= 0n || answer.amountIn <= 0n) return { ok: false, reason: 'invalid' };
  if (mode === 'sell') {
    if (answer.amountIn !== amountIn) return { ok: false, reason: 'invalid' };
    return answer.amountOut < leastOut ? { ok: false, reason: 'worse' } : answer;
  }
  return answer.amountIn > amountIn || answer.amountOut < amountOut ? { ok: false, reason: 'worse' } : answer;
}
