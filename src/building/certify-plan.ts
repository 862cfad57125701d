import { LIMITS } from '../config/limits.ts';
import { feeOnGrossDown, floorAfterSlippageDown, grossTarget } from '../quoting/quoting.ts';
import { type LossyEnd, losesNothing, type Plan } from '../routing/routing.ts';
import { asWei, type InstantMs } from '../units/units.ts';
import type { Certification } from './certification.ts';
import type { SignedHop } from './firming/firm-hops.ts';
import { leastOfHop } from './least-of-hop.ts';
import type { SwapBuild } from './swap-build.ts';

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
  if (!result.ok && !('block' in result)) return { verdict: result.reason };
  // Within one block nothing moves (decision 166).
  const under = result.block.hash === plan.block.hash ? 'lost' : 'moved';
  if (!result.ok) return { verdict: result.reason === 'withdrawn' ? 'lost' : under, fresh: null };
  const netOf = (gross: bigint) => gross - feeOnGrossDown(gross, feeBps);
  const holds = target === null ? netOf(result.grossAmount) >= floorAfterSlippageDown(netOf(plan.grossAmount), request.slippage) : result.grossAmount >= target;
  // Legs are written, and callers warned, by what the plan knew of the tokens: where that is otherwise now its route has to be another one, whatever it would deliver.
  if (result.restated !== undefined && !losesAlike(plan, result.restated)) return { verdict: holds ? 'lost' : under, fresh: null };
  const fresh = result.restated === undefined ? null : { ...plan, ...result.restated };
  if (!holds && under === 'lost' && fresh !== null && isAsGood(plan, fresh)) return { verdict: 'holds', plan: fresh };
  if (!holds) return { verdict: under, fresh };
  // What pools give beside what was signed is known since this certification alone.
  const isOfNow = fixed.length > 0 || (fresh !== null && givesLessOfAHop(build, plan, fresh));
  return { verdict: 'holds', plan: isOfNow && fresh !== null ? fresh : plan };
}

/** Whether some hop gives less than its leg may ask of it, though all of them give enough: with the amounts that were planned the transaction would revert there. */
function givesLessOfAHop({ request }: SwapBuild, { hops }: Plan, fresh: Plan): boolean {
  const leastOf = leastOfHop(request);
  return fresh.hops.some(({ amountOut }, at) => amountOut < leastOf(hops[at]?.amountOut ?? 0n));
}

/** Whether what a route gives and takes on the very block that it was found on is so near to what was planned that no other would be better: its last units were estimates, or an order took less and left more to a pool. */
function isAsGood({ sellAmount, grossAmount }: Plan, fresh: Plan): boolean {
  const parts = BigInt(LIMITS.building.asGoodWithin);
  return (fresh.sellAmount - sellAmount) * parts <= sellAmount && (grossAmount - fresh.grossAmount) * parts <= grossAmount;
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
