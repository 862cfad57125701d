import { LIMITS } from '../config/limits.ts';
import { feeOnGrossDown, floorAfterSlippageDown, grossTarget } from '../quoting/quoting.ts';
import type { Plan } from '../routing/routing.ts';
import { type InstantMs, instantNow } from '../units/units.ts';
import type { SwapBuild, SwapRefusal } from './swap-build.ts';

/** Whether a plan still holds on the newest snapshot, that is, delivers what its transaction enforces; or why nobody could tell. */
export type Certification = 'holds' | 'moved' | Exclude<SwapRefusal, 'no-route' | 'dust'>;

/** Asks a solver thread what the plan gives now. */
export async function certifyPlan(build: SwapBuild, plan: Plan): Promise<Certification> {
  const { request, job, solving, caller } = build;
  const { chainId, sellToken, buyToken } = job;
  const deadline = Math.max(job.deadline, instantNow() + LIMITS.building.certifyMs) as InstantMs;
  const { result } = await solving.certify({ chainId, sellToken, buyToken, sellAmount: plan.sellAmount, hops: plan.hops, deadline }, caller);
  if (!result.ok) return result.reason === 'refused' ? 'moved' : result.reason;
  const feeBps = build.fee?.feeBps ?? 0;
  const netOf = (gross: bigint) => gross - feeOnGrossDown(gross, feeBps);
  const holds =
    request.mode === 'buy'
      ? result.grossAmount >= grossTarget(request.amount, feeBps)
      : netOf(result.grossAmount) >= floorAfterSlippageDown(netOf(plan.grossAmount), request.slippage);
  return holds ? 'holds' : 'moved';
}
