import { toSolveJob } from '../quoting/quoting.ts';
import type { Plan, SolveJob, SolveResult } from '../routing/routing.ts';
import { instantNow } from '../units/units.ts';
import type { TradeRequest } from '../validation/validation.ts';
import type { OfflineRequest } from './requests.ts';

/** What became of one row. `millis` is the wall time of the solve. `bound`, in base units: no route gives more (sell) or asks less (buy); null where none was asked for or none is tight. */
export type OfflineAnswer =
  | { readonly id: string; readonly ok: true; readonly request: TradeRequest; readonly plan: Plan; readonly millis: number; readonly bound: number | null }
  | { readonly id: string; readonly ok: false; readonly request: TradeRequest; readonly reason: string; readonly millis: number }
  /** The row is no trade request. */
  | { readonly id: string; readonly ok: false; readonly request: null; readonly reason: 'invalid-request'; readonly message: string };

/** Solves one job on a pinned snapshot, as a solver thread does. */
export type SolveOne = (job: SolveJob) => SolveResult;

/** The bound of a solved request. */
export type BoundOf = (job: SolveJob, plan: Plan) => number | null;

/** Compiled code is slow before it has run for a while; so much of the list is solved once beforehand and not measured. */
const WARM_UP = { requests: 50, ms: 1500 };

const NO_BOUND: BoundOf = () => null;

export function warmUp(requests: readonly OfflineRequest[], solve: SolveOne): void {
  const until = instantNow() + WARM_UP.ms;
  for (const row of requests.slice(0, WARM_UP.requests)) {
    if (instantNow() > until) return;
    if (row.ok) answerTo(row.id, row.request, solve, NO_BOUND);
  }
}

/** Solves the rows one after the other, answer by answer, so that a long list needs no memory for its routes. */
export function* solveRequests(requests: readonly OfflineRequest[], solve: SolveOne, boundOf: BoundOf = NO_BOUND): Generator<OfflineAnswer> {
  for (const row of requests) {
    if (row.ok) yield answerTo(row.id, row.request, solve, boundOf);
    else yield { id: row.id, ok: false, request: null, reason: 'invalid-request', message: row.message };
  }
}

/** Hands over the job that the service would make of the request, without a fee. */
function answerTo(id: string, request: TradeRequest, solve: SolveOne, boundOf: BoundOf): OfflineAnswer {
  const startedAt = instantNow();
  const made = toSolveJob(request, null, Number(request.chainId), startedAt);
  if (!made.ok) return { id, ok: false, request, reason: made.reason, millis: 0 };
  const result = solve(made.job);
  const millis = instantNow() - startedAt;
  if (!result.ok) return { id, ok: false, request, reason: result.reason, millis };
  return { id, ok: true, request, plan: result.plan, millis, bound: boundOf(made.job, result.plan) };
}
