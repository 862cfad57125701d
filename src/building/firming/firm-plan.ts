import { setMaxListeners } from 'node:events';
import type { SwapWarning } from '../../../schemas/types.gen.ts';
import { LIMITS } from '../../config/limits.ts';
import type { Plan, PlanHop } from '../../routing/routing.ts';
import type { DurationMs } from '../../units/units.ts';
import type { FirmHop, FirmUpFacet, FirmUpFailure } from '../../venues/venues.ts';
import type { SwapBuild } from '../swap-build.ts';
import { isFixed, type SignedHop, signerOf } from './firm-hops.ts';
import { type AskedHop, hopsToFirm, judgeFirmHop } from './hops-to-firm.ts';
import { signedFirst } from './signed-first.ts';
import { withAttested, withSigned } from './with-signed.ts';

/** 'firm': everything that has to be signed was, so far as the plan has any such thing. 'failed': something was not, with a warning for each kind. 'cancelled': the client left. */
export type FirmedPlan =
  | { readonly outcome: 'firm'; readonly plan: Plan; readonly signed: readonly SignedHop[] }
  | { readonly outcome: 'failed'; readonly warnings: readonly SwapWarning[] }
  | { readonly outcome: 'cancelled' };

type Answered = { readonly asked: AskedHop; readonly answer: FirmHop; readonly cancelled: boolean };

/** Has each hop of a plan signed that has to be, all at once. */
export async function firmPlan(build: SwapBuild, found: Plan): Promise<FirmedPlan> {
  const { firmHops, request, caller } = build;
  const isSigned = (hop: PlanHop) => signerOf(firmHops, hop) !== null;
  if (!found.hops.some(isSigned)) return { outcome: 'firm', plan: found, signed: [] };
  // In `buy` a route that misses its target by a unit reverts: its hops stay as they reach it.
  const plan = request.mode === 'buy' ? found : { ...found, hops: signedFirst(found.hops, request.sellToken, (hop) => isFixed(firmHops, hop)) };
  const asked = hopsToFirm(build, plan);
  const wanted = plan.hops.filter(isSigned);
  // Of so little that somebody would have to sign for nothing.
  if (asked.length < wanted.length)
    return {
      outcome: 'failed',
      warnings: warningsOf(
        build,
        wanted.map(({ venue }) => ({ venue, reason: 'refused' })),
      ),
    };
  const answers = await askAll(build, asked);
  if (caller.signal.aborted) return { outcome: 'cancelled' };
  const failures = answers.flatMap(({ asked: { venue }, answer, cancelled }) => (answer.ok || cancelled ? [] : [{ venue, reason: answer.reason }]));
  if (failures.length > 0) return { outcome: 'failed', warnings: warningsOf(build, failures) };
  const signatures = new Map(answers.flatMap(({ asked: { place }, answer }) => (answer.ok ? [[place, answer] as const] : [])));
  const fixed = answers.filter(({ asked: { venue } }) => signsOf(build, venue) !== 'attestation');
  const orders = new Map([...signatures].filter(([place]) => fixed.some(({ asked }) => asked.place === place)));
  const attested = withAttested(plan, signatures);
  const signedPlan = orders.size === 0 ? attested : withSigned(attested, request.sellToken, request.buyToken, orders);
  if (signedPlan === null) return { outcome: 'failed', warnings: warningsOf(build, signedForLess(fixed)) };
  const signed = answers.flatMap(({ asked: { place, venue }, answer }): readonly SignedHop[] => {
    if (!answer.ok) return [];
    const { amountIn, amountOut, expiry } = answer;
    return [{ place, signs: signsOf(build, venue), amountIn, amountOut, expiry }];
  });
  return { outcome: 'firm', plan: signedPlan, signed };
}

/** What is good for itself gives less than another hop of the route was signed for; where nothing does, shares that were rounded do, and it was nobody's fault more than another's. */
function signedForLess(answers: readonly Answered[]): readonly Failure[] {
  const less = answers.filter(({ asked: { hop }, answer }) => answer.ok && answer.amountOut < hop.amountOut);
  return (less.length > 0 ? less : answers).map(({ asked: { venue } }) => ({ venue, reason: 'worse' }));
}

/** More than a venue asks at a time for one hop, and few enough for Node to tell of any that stay. */
const LISTENERS_A_HOP = 8;

const UNREACHABLE: FirmHop = { ok: false, reason: 'unreachable' };

/**
 * Asks for everything at once, for no longer than a firm-up may take and what is left of the request's budget has beside what comes after it; all of it ends as soon as one has failed, since the route is lost then, or the client has
 * left. Where no time is left nobody is asked.
 */
async function askAll(build: SwapBuild, asked: readonly AskedHop[]): Promise<readonly Answered[]> {
  const { clock, job, caller } = build;
  const { firmUpMs, afterFirmUpMs } = LIMITS.building;
  const within = Math.min(firmUpMs, job.deadline - clock.now() - afterFirmUpMs);
  if (within <= 0 || caller.signal.aborted) return asked.map((each) => ({ asked: each, answer: UNREACHABLE, cancelled: false }));
  const end = new AbortController();
  // All that is under way for a hop listens to it: its maker, and what its contract is asked beside.
  setMaxListeners(1 + LISTENERS_A_HOP * asked.length, end.signal);
  const startedAt = clock.now();
  // Whoever does not end when it is told to is not waited for.
  const ended = new Promise<FirmHop>((resolve) => end.signal.addEventListener('abort', () => resolve(UNREACHABLE), { once: true }));
  let isPointless = false;
  const stop = () => end.abort();
  // Whoever is late is told so: it is held against them, and not that somebody else was.
  const disarm = clock.after(within as DurationMs, () => end.abort(new DOMException('the time for an answer is over', 'TimeoutError')));
  caller.signal.addEventListener('abort', stop, { once: true });
  const ask = async (each: AskedHop): Promise<Answered> => {
    const answer = judgeFirmHop(each.hop, await Promise.race([firmOf(build, each.venue)(each.hop, end.signal), ended]));
    const cancelled = caller.signal.aborted || (isPointless && !answer.ok && answer.reason === 'unreachable');
    if (!answer.ok && !end.signal.aborted) {
      isPointless = true;
      stop();
    }
    return { asked: each, answer, cancelled };
  };
  try {
    return await Promise.all(asked.map(ask));
  } finally {
    stop();
    disarm();
    caller.signal.removeEventListener('abort', stop);
    build.onFirmed(clock.now() - startedAt);
  }
}

function firmOf({ firmHops }: SwapBuild, venue: string) {
  const known = firmHops.get(venue);
  if (known === undefined) throw new TypeError(`nobody signs for ${venue}`);
  return known.firm;
}

function signsOf({ firmHops }: SwapBuild, venue: string): FirmUpFacet['signs'] {
  return firmHops.get(venue)?.signs ?? 'order';
}

type Failure = { readonly venue: string; readonly reason: FirmUpFailure };

/** One for each kind that failed (decisions B10): an issuer's refusal is a failed firm-up like a maker's. */
function warningsOf(build: SwapBuild, failures: readonly Failure[]): readonly SwapWarning[] {
  const attested = failures.filter(({ venue }) => signsOf(build, venue) === 'attestation');
  const ordered = failures.filter((failure) => !attested.includes(failure));
  const reasons = (some: readonly Failure[]) => [...new Set(some.map(({ reason }) => REASONS[reason]))].join('; ');
  return [
    ...(ordered.length === 0 ? [] : [{ code: 'RFQ_FIRMUP_FAILED' as const, detail: `a quote could not be made firm: ${reasons(ordered)}; ${INSTEAD}` }]),
    ...(attested.length === 0
      ? []
      : [{ code: 'HOOK_ATTESTATION_UNAVAILABLE' as const, detail: `an attestation could not be had: ${reasons(attested)}; ${INSTEAD}` }]),
  ];
}

const INSTEAD = 'the route is one of the chain alone';

const REASONS: Readonly<Record<FirmUpFailure, string>> = {
  busy: 'too much is asked there now',
  refused: 'it was refused',
  throttled: 'too many were refused or not answered a moment ago',
  unreachable: 'no answer came within the time that was left',
  unfit: 'whoever would sign is a party of the swap already',
  invalid: 'what was answered is not what was asked for',
  barred: 'the contract that would settle it does not trade that now',
  unverified: 'what was answered could not be checked within the time that was left',
  worse: 'what was answered is worse than what was indicated by more than the request allows',
};
