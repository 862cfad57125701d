import { LIMITS } from '../config/config.ts';
import type { Plan, SolveJob } from '../routing/routing.ts';
import { aroundSolving, type Caller, type SolveOutcome, type Solving } from '../solving/solving.ts';
import { isSwitchedOff, type SwitchedOff } from '../venues/venues.ts';
import type { VenueSwitches } from './venue-switches.ts';

/** What no route is looked for through, and what no swap that is being built may go through any more: no more than the first, since what was signed for holds although nobody else is asked to sign now. Absent: the same. */
export type Guarded = Pick<VenueSwitches, 'off'> & { readonly withdrawn?: VenueSwitches['off'] };

/**
 * Solving without what is switched off. Every job carries what is off when it is asked for; a plan that was found while something of it was switched off is found again, and one
 * that is being built does not hold any more. So from the moment of the switch on no route leaves that goes through it, however long its solve takes.
 */
export function guardSolving(solving: Solving, switches: Guarded): Solving {
  const { withdrawn = (chainId) => switches.off(chainId) } = switches;
  const narrowed = (job: SolveJob): SolveJob => {
    const off = switches.off(job.chainId);
    return isNothing(off) ? job : { ...job, filter: { ...job.filter, switchedOff: off } };
  };
  const guarded = async (first: Promise<SolveOutcome>, job: SolveJob, caller: Caller): Promise<SolveOutcome> => {
    let outcome = await first;
    for (let round = 1; ; round++) {
      const { result, queueMs, runMs, measureMs = 0, requoteMs = 0 } = outcome;
      if (!result.ok || !usesWhatIsOff(result.plan, switches.off(job.chainId))) return outcome;
      const { maxHops, block } = result.plan;
      if (round > LIMITS.switching.solvesAgain) return { result: { ok: false, reason: 'no-route', maxHops, block }, queueMs, runMs };
      const again = await solving.solveAgain(narrowed(job), caller);
      outcome = {
        ...again,
        queueMs: queueMs + again.queueMs,
        runMs: runMs + again.runMs,
        measureMs: measureMs + (again.measureMs ?? 0),
        requoteMs: requoteMs + (again.requoteMs ?? 0),
      };
    }
  };
  return aroundSolving(solving, {
    solve: (job, caller) => guarded(solving.solve(narrowed(job), caller), job, caller),
    solveAgain: (job, caller) => guarded(solving.solveAgain(narrowed(job), caller), job, caller),
    async certify(job, caller) {
      const outcome = await solving.certify(job, caller);
      const { result } = outcome;
      return result.ok && usesWhatIsOff(job, withdrawn(job.chainId))
        ? { ...outcome, result: { ok: false, reason: 'withdrawn', block: result.block } }
        : outcome;
    },
  });
}

function isNothing({ venues, pools }: SwitchedOff): boolean {
  return venues.length === 0 && pools.length === 0;
}

function usesWhatIsOff({ hops }: Pick<Plan, 'hops'>, off: SwitchedOff): boolean {
  return !isNothing(off) && hops.some(({ source, poolKey }) => isSwitchedOff(off, { source, key: poolKey }));
}
