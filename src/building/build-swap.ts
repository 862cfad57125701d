import { LIMITS } from '../config/limits.ts';
import type { Plan } from '../routing/routing.ts';
import { certifyPlan } from './certify-plan.ts';
import { type BuildState, FIRST_STATE, type SwapBuild, type SwapRefusal } from './swap-build.ts';
import { type BuiltSwap, writeSwap } from './write-swap.ts';

export type BuildResult =
  | { readonly ok: true; readonly swap: BuiltSwap; readonly plan: Plan }
  | { readonly ok: false; readonly refusal: SwapRefusal; readonly block: number | null };

/** Takes a swap through its states until it is written or refused. Bounded: every way back to solve counts against LIMITS.building.solves. */
export async function buildSwap(build: SwapBuild): Promise<BuildResult> {
  let state = FIRST_STATE;
  for (;;) {
    switch (state.step) {
      case 'solve':
        state = await solveStep(build, state);
        break;
      case 'certify':
        state = await certifyStep(build, state);
        break;
      case 'encode': {
        const swap = writeSwap(build, state.plan, state.warnings);
        return swap === null ? { ok: false, refusal: { ok: false, reason: 'dust' }, block: state.plan.block.number } : { ok: true, swap, plan: state.plan };
      }
      case 'refused':
        return { ok: false, refusal: state.refusal, block: state.block };
      default:
        throw new TypeError(`unknown step ${JSON.stringify(state satisfies never)}`);
    }
  }
}

async function solveStep(build: SwapBuild, { solves, warnings }: BuildState & { readonly step: 'solve' }): Promise<BuildState> {
  const { solving, job, caller } = build;
  const outcome = await (solves === 0 ? solving.solve(job, caller) : solving.solveAgain(job, caller));
  build.onSolved(outcome);
  const { result } = outcome;
  if (!result.ok) return { step: 'refused', refusal: result, block: 'block' in result ? result.block.number : null };
  return { step: 'certify', plan: result.plan, solves: solves + 1, warnings };
}

async function certifyStep(build: SwapBuild, { plan, solves, warnings }: BuildState & { readonly step: 'certify' }): Promise<BuildState> {
  const certification = await certifyPlan(build, plan);
  const { verdict } = certification;
  if (verdict === 'holds') return { step: 'encode', plan, warnings };
  // What was never certified is never handed out.
  if (verdict !== 'moved') return { step: 'refused', refusal: { ok: false, reason: verdict }, block: plan.block.number };
  if (solves < LIMITS.building.solves) {
    const detail = `the chain moved past block ${plan.block.number} while the swap was built; the route is that of the fresher state`;
    return { step: 'solve', solves, warnings: [{ code: 'STALE_STATE_RESOLVED', detail }] };
  }
  // The chain moves faster than routes are found here: the last one that was, with the amounts that it has on the newest state, is better than none.
  return certification.fresh === null
    ? { step: 'refused', refusal: { ok: false, reason: 'failed' }, block: plan.block.number }
    : { step: 'encode', plan: certification.fresh, warnings };
}
