import { setMaxListeners } from 'node:events';
import type { SwapWarning } from '../../../schemas/types.gen.ts';
import { LIMITS } from '../../config/limits.ts';
import type { Plan, PlanHop } from '../../routing/routing.ts';
import type { DurationMs } from '../../units/units.ts';
import type { FirmHop, FirmUpFacet, FirmUpFailure, SignedAnswer } from '../../venues/venues.ts';
import type { BegunCertification } from '../certification.ts';
import { certifyPlan } from '../certify-plan.ts';
import type { SwapBuild } from '../swap-build.ts';
import { isFixed, type SignedHop, signerOf } from './firm-hops.ts';
import { type AskedHop, hopsToFirm, judgeFirmHop } from './hops-to-firm.ts';
import { signedFirst } from './signed-first.ts';
import { type Signatures, withAttested, withSigned } from './with-signed.ts';

/** 'firm': everything that has to be signed was, so far as the plan has any such thing. 'failed': something was not, with a warning for each kind. 'cancelled': the client left. */
export type FirmedPlan =
  | (Signed & { readonly outcome: 'firm'; readonly begun: BegunCertification | null })
  | { readonly outcome: 'failed'; readonly warnings: readonly SwapWarning[] }
  | { readonly outcome: 'cancelled' };

type Signed = { readonly plan: Plan; readonly signed: readonly SignedHop[] };
type Answered = { readonly asked: AskedHop; readonly answer: FirmHop; readonly cancelled: boolean };
type Offered = { readonly asked: AskedHop; readonly answer: SignedAnswer };

/** Has each hop of a plan signed that has to be, all at once; its certification begins when all is offered, beside the last checks of that. */
export async function firmPlan(build: SwapBuild, found: Plan): Promise<FirmedPlan> {
  const { firmHops, request, caller } = build;
  const isSigned = (hop: PlanHop) => signerOf(firmHops, hop) !== null;
  if (!found.hops.some(isSigned)) return { outcome: 'firm', plan: found, signed: [], begun: null };
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
  const begun: { offered: readonly Offered[]; certification: BegunCertification | null } = { offered: [], certification: null };
  const answers = await askAll(build, asked, (offered) => {
    const offer = planOf(build, plan, offered);
    const certification = offer === null ? null : begin(build, offer);
    Object.assign(begun, { offered, certification });
  });
  if (caller.signal.aborted) return { outcome: 'cancelled' };
  const failures = answers.flatMap(({ asked: { venue }, answer, cancelled }) => (answer.ok || cancelled ? [] : [{ venue, reason: answer.reason }]));
  if (failures.length > 0) return { outcome: 'failed', warnings: warningsOf(build, failures) };
  const given = answers.filter(isGiven);
  const signed = planOf(build, plan, given);
  if (signed === null) return { outcome: 'failed', warnings: warningsOf(build, signedForLess(given.filter(({ asked: each }) => isOrder(build, each)))) };
  const isAsOffered = begun.offered.every(({ answer }, at) => answer === given[at]?.answer);
  return { outcome: 'firm', ...signed, begun: isAsOffered ? begun.certification : null };
}

function begin(build: SwapBuild, { plan, signed }: Signed): BegunCertification {
  const certification = certifyPlan(build, plan, signed);
  // Where an order is refused nobody waits for it, and whatever became of it is nobody's error.
  certification.catch(() => undefined);
  return { at: build.clock.now(), certification };
}

function isGiven<Given extends { readonly asked: AskedHop; readonly answer: FirmHop | undefined }>(answered: Given): answered is Given & Offered {
  return answered.answer?.ok === true;
}

/** An attestation lets any amount pass. */
function isOrder(build: SwapBuild, { venue }: AskedHop): boolean {
  return signsOf(build, venue) !== 'attestation';
}

/** A plan with what was signed for it; null where less comes to a hop than was signed for. */
function planOf(build: SwapBuild, plan: Plan, answers: readonly Offered[]): Signed | null {
  const { sellToken, buyToken } = build.request;
  const orders = answers.filter(({ asked }) => isOrder(build, asked));
  const attested = withAttested(plan, signaturesOf(answers));
  const signedPlan = orders.length === 0 ? attested : withSigned(attested, sellToken, buyToken, signaturesOf(orders));
  if (signedPlan === null) return null;
  const signed = answers.map(({ asked: { place, venue }, answer: { amountIn, amountOut, expiry } }): SignedHop => {
    return { place, signs: signsOf(build, venue), amountIn, amountOut, expiry };
  });
  return { plan: signedPlan, signed };
}

function signaturesOf(answers: readonly Offered[]): Signatures {
  return new Map(answers.map(({ asked: { place }, answer }) => [place, answer]));
}

/** What is good for itself gives less than another hop of the route was signed for; where nothing does, shares that were rounded do, and it was nobody's fault more than another's. */
function signedForLess(answers: readonly Offered[]): readonly Failure[] {
  const less = answers.filter(({ asked: { hop }, answer }) => answer.amountOut < hop.amountOut);
  return (less.length > 0 ? less : answers).map(({ asked: { venue } }) => ({ venue, reason: 'worse' }));
}

/** More than a venue asks at a time for one hop, and few enough for Node to tell of any that stay. */
const LISTENERS_A_HOP = 8;

const UNREACHABLE: FirmHop = { ok: false, reason: 'unreachable' };

/**
 * Asks for everything at once, for no longer than a firm-up may take and what is left of the request's budget has beside what comes after it; all of it ends as soon as one has failed, since the route is lost then, or the client has
 * left. Where no time is left nobody is asked. `onOffered`: once, with what will be the answers where nothing is found against any.
 */
async function askAll(build: SwapBuild, asked: readonly AskedHop[], onOffered: (offers: readonly Offered[]) => void): Promise<readonly Answered[]> {
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
  const offers = new Map<AskedHop, SignedAnswer>();
  const offer = (each: AskedHop, said: SignedAnswer): void => {
    if (offers.has(each) || end.signal.aborted || judgeFirmHop(each.hop, said) !== said) return;
    offers.set(each, said);
    const all = asked.map((one) => ({ asked: one, answer: offers.get(one) }));
    if (all.every(isGiven)) onOffered(all);
  };
  const ask = async (each: AskedHop): Promise<Answered> => {
    const firm = firmOf(build, each.venue)(each.hop, end.signal, (said) => offer(each, said));
    const answer = judgeFirmHop(each.hop, await Promise.race([firm, ended]));
    if (answer.ok) offer(each, answer);
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
  unfit: 'whoever would sign is a party of the swap already, or is not asked any more',
  invalid: 'what was answered is not what was asked for',
  barred: 'the contract that would settle it does not trade that now',
  unverified: 'what was answered could not be checked within the time that was left',
  worse: 'what was answered is worse than what was indicated by more than the request allows',
};
