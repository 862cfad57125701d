import { LIMITS } from '../config/limits.ts';
import { feeOnGrossDown, floorAfterSlippageDown, grossTarget } from '../quoting/quoting.ts';
import { type LossyEnd, losesNothing, type Plan } from '../routing/routing.ts';
import { asWei, type InstantMs } from '../units/units.ts';
import type { SignedHop } from './firming/firm-hops.ts';
import type { SwapBuild } from './swap-build.ts';

/**
 * Whether a plan still holds on the newest snapshot, that is, delivers what its transaction enforces; or why nobody could tell. `plan`: as it is to be written, which with hops that were signed is as it is there; `fresh`: the same route as it is there, null where it
 * is none any more.
 */
export type Certification =
  | { readonly verdict: 'holds'; readonly plan: Plan }
  | { readonly verdict: 'moved'; readonly fresh: Plan | null }
  | { readonly verdict: 'no-snapshot' | 'expired' | 'failed' | 'cancelled' };

/** Asks a solver thread what the plan gives now. */
export async function certifyPlan(build: SwapBuild, plan: Plan, signed: readonly SignedHop[] = []): Promise<Certification> {
  const { request, job, solving, caller, clock } = build;
  const { chainId, sellToken, buyToken } = job;
  const { sellAmount, hops } = plan;
  const feeBps = build.fee?.feeBps ?? 0;
  const target = request.mode === 'buy' ? grossTarget(request.amount, feeBps) : null;
  const { certifyMs, afterFirmUpMs } = LIMITS.building;
  const now = clock.now();
  // Beyond the budget by so much at most, unless this process itself is late.
  const deadline = Math.max(job.deadline, Math.min(now, job.deadline) + certifyMs, now + certifyMs - afterFirmUpMs) as InstantMs;
  // What is attested is priced by the chain all the same.
  const fixed = signed.filter(({ signs }) => signs !== 'attestation');
  const orders = fixed.length === 0 ? {} : { signed: new Map(fixed.map(({ place, amountIn, amountOut }) => [place, { amountIn, amountOut }])) };
  const asked = { chainId, sellToken, buyToken, sellAmount, hops, deadline, ...orders, ...(target === null ? {} : { target: asWei(target) }) };
  const { result } = await solving.certify(asked, caller);
  if (!result.ok) return result.reason === 'refused' ? { verdict: 'moved', fresh: null } : { verdict: result.reason };
  // Legs are written, and callers warned, by what the plan knew of the tokens: where that is otherwise now its route has to be another one, whatever it would deliver.
  if (result.restated !== undefined && !losesAlike(plan, result.restated)) return { verdict: 'moved', fresh: null };
  const netOf = (gross: bigint) => gross - feeOnGrossDown(gross, feeBps);
  const holds = target === null ? netOf(result.grossAmount) >= floorAfterSlippageDown(netOf(plan.grossAmount), request.slippage) : result.grossAmount >= target;
  const fresh = result.restated === undefined ? null : { ...plan, ...result.restated };
  if (!holds) return { verdict: 'moved', fresh };
  // What pools give beside what was signed is known since this certification alone.
  return { verdict: 'holds', plan: fixed.length > 0 && fresh !== null ? fresh : plan };
}

type Ends = Pick<Plan, 'lossyEnds'>;

/** Whether transfers of either token lose in the same way, as much or not. */
function losesAlike({ lossyEnds: one }: Ends, { lossyEnds: other }: Ends): boolean {
  return wayOf(one?.sell) === wayOf(other?.sell) && wayOf(one?.buy) === wayOf(other?.buy);
}

function wayOf(end: LossyEnd | null | undefined): string {
  if (end === null || end === undefined) return 'plain';
  return `${end.tax?.scope ?? 'imprecise'}, ${losesNothing(end.loss) ? 'not here' : 'here'}`;
}
