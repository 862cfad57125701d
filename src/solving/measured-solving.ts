import { LIMITS } from '../config/limits.ts';
import type { SolveJob, SolveResult } from '../routing/routing.ts';
import { type Address, instantNow, NATIVE_TOKEN } from '../units/units.ts';
import { within } from '../within.ts';
import { aroundSolving } from './around-solving.ts';
import type { MeasuringQueue } from './measuring-queue.ts';
import type { Caller, SolveOutcome, Solving } from './outcome.ts';

/**
 * Solving where a token that nobody measured lately is measured on the way: the solve that finds one is answered by a probe, within what is left of the request's budget, and another solve on the
 * snapshot that has the verdict. Where blocks came meanwhile that may be too old again, so this is done a few times at most. So is what a route might lead through, where there is none without. A request whose tokens have
 * fresh verdicts pays for none of that. `onRefused`: no place was left to wait for a probe at.
 */
export function measuredSolving(solving: Solving, measuring: MeasuringQueue, onRefused: (chainId: number) => void = () => undefined): Solving {
  const measured = async (first: Promise<SolveOutcome>, job: SolveJob, caller: Caller): Promise<SolveOutcome> => {
    let outcome = await first;
    measuring.wanted(job.chainId, wantedOf(job, outcome.result));
    for (let probes = 1; probes <= LIMITS.measuring.probesPerSolve; probes++) {
      const { result, queueMs, runMs } = outcome;
      const tokens = waitedFor(result);
      if (tokens.length === 0) return outcome;
      const waitedFrom = instantNow();
      const left = Math.max(0, Math.ceil(job.deadline - waitedFrom));
      const waited = await within(left, caller.signal, (signal) => measuring.wait(job.chainId, tokens, { client: caller.client, signal }));
      const measureMs = (outcome.measureMs ?? 0) + instantNow() - waitedFrom;
      if (caller.signal.aborted) return { result: { ok: false, reason: 'cancelled' }, queueMs, runMs, measureMs };
      // Whose tokens are measured has an answer already: that there is no route without others.
      if (!waited.ok && waited.reason === 'busy' && isUnmeasured(result)) {
        onRefused(job.chainId);
        return { result: { ok: false, reason: 'expired' }, queueMs, runMs, measureMs };
      }
      // A solve that is late before it begins would be answered as if others had been in its way, and free of charge.
      if (!waited.ok || job.deadline <= instantNow()) return { ...outcome, measureMs };
      const again = await solving.solveAgain(job, caller);
      const spent = { queueMs: queueMs + again.queueMs, runMs: runMs + again.runMs, measureMs };
      if (!isUnmeasured(result) && isUndone(again.result)) return { result, ...spent };
      outcome = { ...again, ...spent };
      if (isHopeless(again.result, tokens, waited.block)) return outcome;
    }
    return outcome;
  };
  return aroundSolving(solving, {
    solve: (job, caller) => measured(solving.solve(job, caller), job, caller),
    solveAgain: (job, caller) => measured(solving.solveAgain(job, caller), job, caller),
  });
}

type Result = SolveOutcome['result'];

/** Tokens without a verdict that stand in the way of a route; none where nothing of that kind does. */
function waitedFor(result: Result): readonly Address[] {
  if (isUnmeasured(result)) return result.tokens;
  return !result.ok && result.reason === 'no-route' ? (result.unmeasured ?? []).slice(0, LIMITS.measuring.betweenAtOnce) : [];
}

function isUnmeasured(result: Result): result is Result & { readonly ok: false; readonly reason: 'unmeasured' } {
  return !result.ok && result.reason === 'unmeasured';
}

/** Whether nothing came of it, for reasons that have nothing to do with the trade. */
function isUndone(result: Result): boolean {
  return !result.ok && (result.reason === 'expired' || result.reason === 'failed');
}

/** Whether a token lacks a verdict that was measured at the very block: no pool trades it, or it has no room. One that was not asked about before has only grown old meanwhile. */
function isHopeless(result: Result, asked: readonly Address[], measuredAt: number | null): boolean {
  if (result.ok || (result.reason !== 'unmeasured' && result.reason !== 'no-route')) return false;
  return waitedFor(result).some((token) => asked.includes(token)) && (measuredAt === null || result.block.number <= measuredAt);
}

/** The pair itself, and what a route might have led through. */
function wantedOf(job: SolveJob, result: SolveResult | Extract<Result, { readonly ok: false }>): readonly Address[] {
  const between = result.ok ? result.plan.unmeasured : result.reason === 'no-route' ? result.unmeasured : undefined;
  return [job.sellToken, job.buyToken, ...(between ?? [])].filter((token) => token !== NATIVE_TOKEN);
}
