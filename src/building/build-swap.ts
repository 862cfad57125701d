import type { SwapWarning } from '../../schemas/types.gen.ts';
import { LIMITS } from '../config/limits.ts';
import type { Plan, SolveJob } from '../routing/routing.ts';
import type { InstantMs } from '../units/units.ts';
import { certifyPlan } from './certify-plan.ts';
import { firmPlan } from './firming/firm-plan.ts';
import { type BuildState, FIRST_STATE, type SwapBuild, type SwapRefusal } from './swap-build.ts';
import { type BuiltSwap, writeSwap } from './write-swap.ts';

export type BuildResult =
  | { readonly ok: true; readonly swap: BuiltSwap; readonly plan: Plan }
  | { readonly ok: false; readonly refusal: SwapRefusal; readonly block: number | null };

const { solves: MOST_SOLVES, firmUpMs: FIRM_UP_MS, afterFirmUpMs: AFTER_FIRM_UP_MS, begunMs: BEGUN_MS } = LIMITS.building;

/** Takes a swap through its states until it is written or refused. Bounded: every way back to solve counts against LIMITS.building.solves, but the one after a firm-up that failed, of which there is one. */
export async function buildSwap(build: SwapBuild): Promise<BuildResult> {
  let state = FIRST_STATE;
  for (;;) {
    switch (state.step) {
      case 'solve':
        state = await solveStep(build, state);
        break;
      case 'firm':
        state = await firmStep(build, state);
        break;
      case 'certify':
        state = await certifyStep(build, state);
        break;
      case 'encode': {
        const { plan, signed, warnings } = state;
        const swap = writeSwap(build, plan, signed, warnings);
        return swap === null ? { ok: false, refusal: { ok: false, reason: 'dust' }, block: plan.block.number } : { ok: true, swap, plan };
      }
      case 'refused':
        return { ok: false, refusal: state.refusal, block: state.block };
      default:
        throw new TypeError(`unknown step ${JSON.stringify(state satisfies never)}`);
    }
  }
}

async function solveStep(build: SwapBuild, { solves, offChain, warnings }: BuildState & { readonly step: 'solve' }): Promise<BuildState> {
  const { solving, job, caller } = build;
  const outcome = await (solves === 0 ? solving.solve(job, caller) : solving.solveAgain(againJob(build, offChain), caller));
  build.onSolved(outcome);
  const { result } = outcome;
  if (!result.ok) return { step: 'refused', refusal: result, block: 'block' in result ? result.block.number : null };
  return { step: 'firm', plan: result.plan, solves: solves + 1, offChain, warnings };
}

/** There is always time for a route that may be answered. */
function againJob({ job, clock }: SwapBuild, offChain: boolean): SolveJob {
  const deadline = Math.max(job.deadline, Math.min(clock.now(), job.deadline) + AFTER_FIRM_UP_MS) as InstantMs;
  return { ...job, deadline, filter: offChain ? job.filter : { ...job.filter, excludeRfq: true, excludeRwa: true } };
}

async function firmStep(build: SwapBuild, { plan, ...facts }: BuildState & { readonly step: 'firm' }): Promise<BuildState> {
  const firmed = await firmPlan(build, plan);
  switch (firmed.outcome) {
    case 'firm':
      return { ...facts, step: 'certify', plan: firmed.plan, signed: firmed.signed, begun: firmed.begun };
    case 'failed':
      return { ...facts, step: 'solve', offChain: false, warnings: [...facts.warnings, ...firmed.warnings] };
    case 'cancelled':
      return { step: 'refused', refusal: { ok: false, reason: 'cancelled' }, block: plan.block.number };
    default:
      throw new TypeError(`unknown outcome ${JSON.stringify(firmed satisfies never)}`);
  }
}

async function certifyStep(build: SwapBuild, { plan, signed, begun, ...facts }: BuildState & { readonly step: 'certify' }): Promise<BuildState> {
  // What was begun beside the last check of an order is of the newest snapshot only so long.
  const isOfNow = begun !== null && build.clock.now() - begun.at <= BEGUN_MS;
  const certification = await (isOfNow ? begun.certification : certifyPlan(build, plan, signed));
  const { verdict } = certification;
  const { solves } = facts;
  if (verdict === 'holds') return { step: 'encode', plan: certification.plan, signed, warnings: facts.warnings };
  // What was never certified is never handed out.
  if (verdict !== 'moved' && verdict !== 'lost') return { step: 'refused', refusal: { ok: false, reason: verdict }, block: plan.block.number };
  // A route that is lost for anything but a block is solved for again without a word (decisions B20).
  const warnings = verdict === 'moved' ? withStale(facts.warnings, plan) : facts.warnings;
  const left = build.job.deadline - build.clock.now();
  // Another solve has so much beyond the budget: where that has passed too, there would be no end in time.
  const isTime = left > -AFTER_FIRM_UP_MS;
  if (solves < MOST_SOLVES && isTime) {
    const offChain = facts.offChain && (signed.length === 0 || left >= FIRM_UP_MS + AFTER_FIRM_UP_MS);
    return { step: 'solve', solves, offChain, warnings };
  }
  // The chain moves faster than routes are found here: the last one that was, with the amounts that it has on the newest state, is better than none.
  return certification.fresh === null
    ? { step: 'refused', refusal: { ok: false, reason: isTime ? 'failed' : 'expired' }, block: plan.block.number }
    : { step: 'encode', plan: certification.fresh, signed, warnings };
}

/** Said once, of the last time. */
function withStale(warnings: readonly SwapWarning[], { block }: Plan): readonly SwapWarning[] {
  const detail = `the chain moved past block ${block.number} while the swap was built; the route is that of the fresher state`;
  return [...warnings.filter(({ code }) => code !== 'STALE_STATE_RESOLVED'), { code: 'STALE_STATE_RESOLVED', detail }];
}
